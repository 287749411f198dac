import EMVCrypto
import Octets
import Profiles

/// `master-keys`: card keys from issuer keys (EMV Book 2, A1.4).
enum MasterKeyFamily: VectorFamily {
    case key(CardKeyInput, adjustsParity: Bool)
    case digits(MasterKeyDerivation, pan: [UInt8], sequenceNumber: UInt8)
    case decimalization(hash: [UInt8])

    static let name = "master-keys"

    private enum Kind: String, CaseIterable { case key, keyWithoutParity, digits, decimalization }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        let kind = try parameters.choice("of", of: Kind.self)
        switch kind {
        case .key, .keyWithoutParity:
            self = .key(try CardKeyInput(&input), adjustsParity: kind == .key)
        case .digits:
            self = .digits(
                try input.derivation("option"),
                pan: try input.accountNumber("pan"),
                sequenceNumber: try input.number("sequenceNumber")
            )
        case .decimalization:
            self = .decimalization(hash: try input.hex("hash"))
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .key(let input, let adjustsParity):
            let key = input.cardKey(adjustsParity: adjustsParity)
            return [
                "key": .bytes(key.exportedBytes),
                "checkValue": .beginning(key.longCheckValue, atLeast: 2),
            ]
        case .digits(let derivation, let pan, let sequenceNumber):
            let digits = derivation.diversifier(
                pan: pan,
                sequenceNumber: sequenceNumber
            )
            return ["digits": .bytes(digits)]
        case .decimalization(let hash):
            return ["digits": .bytes(MasterKeyDerivation.decimalized(hash))]
        }
    }
}

/// What a card key is derived from.
struct CardKeyInput: Sendable {
    var issuerKey: [UInt8]
    var pan: [UInt8]
    var sequenceNumber: UInt8
    var derivation: MasterKeyDerivation

    /// Reads `issuerKey` (or the member of another name), `pan`, `sequenceNumber` and `option`.
    init(_ input: inout JSONObject, key: String = "issuerKey") throws(ProfilesError) {
        issuerKey = try input.desKey(key)
        pan = try input.accountNumber("pan")
        sequenceNumber = try input.number("sequenceNumber")
        derivation = try input.derivation("option")
    }

    /// Derives the card's key.
    func cardKey(adjustsParity: Bool = true) -> DoubleLengthKey {
        var cipher = TripleDES(key: DoubleLengthKey(issuerKey))
        return cipher.cardKey(
            pan: pan,
            sequenceNumber: sequenceNumber,
            derivation: derivation,
            adjustsParity: adjustsParity
        )
    }
}

/// The names of derivations in files.
private enum DerivationName: String, CaseIterable {
    case optionA = "A"
    case optionB = "B"
    /// Option B with every account number hashed, as jPOS has it.
    case optionBHashed = "B-hashed"
}

extension JSONObject {
    /// How an issuer makes card keys: `A`, `B` or `B-hashed`.
    mutating func derivation(_ name: String) throws(ProfilesError) -> MasterKeyDerivation {
        switch try choice(name, of: DerivationName.self) {
        case .optionA: .optionA
        case .optionB: .optionB
        case .optionBHashed: .optionBHashed
        }
    }
}
