import BERTLV
import EMVData
import Profiles

/// `object-meanings`: what the values of data objects mean, by kernel where that matters; in alphabetical order.
struct ObjectMeaningFamily: VectorFamily {
    var tag: Tag
    var kernel: KernelIdentifier?
    var value: [UInt8]

    static let name = "object-meanings"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        tag = try input.tag("tag")
        value = try input.hex("value")
        kernel = try input.optionalInteger("kernel", in: 0...0xFF_FFFF)
            .map { KernelIdentifier(rawValue: UInt32($0)) }
    }

    func output() throws -> VectorOutput {
        let definition = try DataObjectDefinition[tag, in: kernel].orRefused(as: "unknownTag")
        if let fault = definition.fault(of: value) { throw fault }
        return [
            "meanings": .list(
                definition.meanings(of: value, in: kernel).sorted().map { .text($0) }
            )
        ]
    }
}

/// `bit-fields`: what the bits of whole values mean, in alphabetical order.
struct BitFieldFamily: VectorFamily {
    private enum Kind: String, CaseIterable {
        case applicationInterchangeProfile, terminalVerificationResults
        case cardTransactionQualifiers, formFactorIndicator, terminalRiskManagementData
        case cryptogramInformationData, terminalTransactionQualifiers
        case visaCardVerificationResults, cardVerificationResultsOfCCD

        var type: any BitField.Type {
            switch self {
            case .applicationInterchangeProfile: ApplicationInterchangeProfile.self
            case .terminalVerificationResults: TerminalVerificationResults.self
            case .cardTransactionQualifiers: CardTransactionQualifiers.self
            case .formFactorIndicator: FormFactorIndicator.self
            case .terminalRiskManagementData: TerminalRiskManagementData.self
            case .cryptogramInformationData: CryptogramInformationData.self
            case .terminalTransactionQualifiers: TerminalTransactionQualifiers.self
            case .visaCardVerificationResults: CardVerificationResults.Visa.self
            case .cardVerificationResultsOfCCD: CardVerificationResults.CommonCore.self
            }
        }
    }

    private var kind: Kind
    private var value: [UInt8]

    static let name = "bit-fields"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        kind = try parameters.choice("object", of: Kind.self)
        value = try input.hex("data")
    }

    func output() throws -> VectorOutput {
        try Self.output(of: kind.type, value)
    }

    private static func output<Field: BitField>(
        of type: Field.Type,
        _ value: [UInt8]
    ) throws(VectorRefusal) -> VectorOutput {
        let field = try Field(bytes: value).orRefused(as: "wrongLength")
        let meanings = field.explanation.filter(\.isSet).map(\.meaning.text).sorted()
        return ["meanings": .list(meanings.map { .text($0) }), "count": .number(meanings.count)]
    }
}
