import EMVCrypto
import Profiles

/// `ca-key-checksums`: keys of certification authorities, and their check sums (EMV Book 2, Table 30).
struct CAKeyChecksumFamily: VectorFamily {
    var rid: [UInt8]
    var index: UInt8
    var modulus: [UInt8]
    var exponent: [UInt8]
    /// The check sum published with the key; nil when none is.
    var checksum: [UInt8]?

    static let name = "ca-key-checksums"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        rid = try input.hex("rid", 5...5)
        index = try input.number("index")
        modulus = try input.hex("modulus")
        exponent = try input.hex("exponent")
        checksum = try input.optionalHex("checksum", 20...20)
    }

    func output() throws -> VectorOutput {
        let key = try CAPublicKey(
            rid: rid,
            index: index,
            modulus: modulus,
            exponent: exponent,
            checksum: checksum
        )
        guard key.isChecksumValid else { throw VectorRefusal("wrongCheckSum") }
        return [
            "checksum": .bytes(key.computedChecksum),
            "isChecked": .boolean(key.checksum != nil),
        ]
    }
}

/// `recorded-card-ca-keys`: the keys of the authorities that certified recorded cards, each with its check sum.
struct RecordedCardKeyFamily: VectorFamily {
    private var key: CAKeyChecksumFamily

    static let name = "recorded-card-ca-keys"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        key = try CAKeyChecksumFamily(parameters: &parameters, input: &input)
    }

    func output() throws -> VectorOutput { try key.output() }
}
