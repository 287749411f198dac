import EMVCrypto
import Profiles

/// `data-storage`: the one-way functions of integrated data storage (EMV Book C-2, 8.2).
enum DataStorageFamily: VectorFamily {
    case partialKey(identifier: [UInt8])
    case digest(identifier: [UInt8], operatorIdentifier: UInt64, input: UInt64)
    case digestAES(identifier: [UInt8], operatorIdentifier: UInt64, input: UInt64)
    case summary(identifier: [UInt8], DataStorage.SummaryInput)

    static let name = "data-storage"

    private enum Kind: String, CaseIterable { case partialKey, digest, digestAES, summary }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        let kind = try parameters.choice("of", of: Kind.self)
        let identifier = try input.hex("identifier")
        switch kind {
        case .partialKey: self = .partialKey(identifier: identifier)
        case .digest:
            self = .digest(
                identifier: identifier,
                operatorIdentifier: try input.number("operatorIdentifier"),
                input: try input.number("input")
            )
        case .digestAES:
            self = .digestAES(
                identifier: identifier,
                operatorIdentifier: try input.number("operatorIdentifier"),
                input: try input.number("input")
            )
        case .summary:
            self = .summary(
                identifier: identifier,
                DataStorage.SummaryInput(
                    previousSummary: try input.number("previousSummary"),
                    amount: try input.hex("amount"),
                    currency: try input.number("currency"),
                    referenceControlParameter: try input.number("referenceControlParameter"),
                    commandIndicator: try input.number("commandIndicator"),
                    cardNumber: try input.number("cardNumber"),
                    terminalNumber: try input.number("terminalNumber")
                )
            )
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .partialKey(let identifier):
            let key = DataStorage.partialKey(identifier: identifier)
            return ["partialKey": .bytes(try key.orRefused(as: "wrongLength"))]
        case .digest(let identifier, let operatorIdentifier, let input):
            let digest = DataStorage.digest(
                identifier: identifier,
                operatorIdentifier: operatorIdentifier,
                input: input
            )
            return ["digest": .bytes(try digest.orRefused(as: "wrongLength"))]
        case .digestAES(let identifier, let operatorIdentifier, let input):
            func digest(_ half: DataStorage.DigestHalf) throws(VectorRefusal) -> VectorValue {
                let digest = DataStorage.digestAES(
                    identifier: identifier,
                    operatorIdentifier: operatorIdentifier,
                    input: input,
                    half: half
                )
                return .bytes(try digest.orRefused(as: "wrongLength"))
            }
            return ["left": try digest(.left), "right": try digest(.right)]
        case .summary(let identifier, let input):
            let summary = DataStorage.summary(identifier: identifier, input)
            return ["summary": .bytes(try summary.orRefused(as: "wrongLength"))]
        }
    }
}
