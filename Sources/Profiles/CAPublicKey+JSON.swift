public import EMVCrypto
import Octets

extension CAPublicKey {
    /// Reads a file of keys, `{"caKeys": [{"rid", "index", "modulus", "exponent", "checksum"}]}`.
    ///
    /// The check sum may be left out; a wrong one is refused. A `"source"` beside them is for people.
    /// - Throws: `ProfilesError` for the first thing that is missing, unknown or malformed.
    public static func keys(json text: [UInt8]) throws(ProfilesError) -> [CAPublicKey] {
        var object = try JSONObject(parsing: text)
        let keys = try keys(object.elements("caKeys"))
        try object.finish()
        return keys
    }

    static func keys(
        _ elements: [(value: JSONValue, path: String)]
    ) throws(ProfilesError) -> [CAPublicKey] {
        var keys: [CAPublicKey] = []
        for element in elements {
            let key = try CAPublicKey(JSONObject(element.value, path: element.path))
            guard !keys.contains(where: { $0.rid == key.rid && $0.index == key.index }) else {
                throw ProfilesError(element.path, "another key has the same RID and index")
            }
            keys.append(key)
        }
        return keys
    }

    private init(_ json: consuming JSONObject) throws(ProfilesError) {
        var object = json
        let rid = try object.hex("rid", 5...5)
        let index = try object.hex("index", 1...1)[0]
        let modulus = try object.hex("modulus", 64...248)
        let exponent = try object.hex("exponent", 1...3)
        let checksum = try object.optionalHex("checksum", 20...20)
        // Where a key was published is for people.
        _ = try object.optionalString("source")
        try object.finish()
        do throws(CertificateError) {
            try self.init(
                rid: rid,
                index: index,
                modulus: modulus,
                exponent: exponent,
                checksum: checksum
            )
        } catch {
            let member = error == .unsupportedExponent ? "exponent" : "modulus"
            throw ProfilesError(
                object.path(to: member),
                member == "exponent"
                    ? "must be 03 or 010001" : "must be an odd number without zeros before it"
            )
        }
        guard isChecksumValid else {
            throw ProfilesError(
                object.path(to: "checksum"),
                "is not the SHA-1 of RID, index, modulus and exponent, which is \(computedChecksum.hex)"
            )
        }
    }
}
