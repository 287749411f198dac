import EMVCrypto
import EMVData

extension IssuerProfile {
    /// Reads a file of issuers, `{"issuers": [...]}`.
    /// - Throws: `ProfilesError` for the first thing that is missing, unknown or malformed.
    public static func issuers(json text: [UInt8]) throws(ProfilesError) -> [IssuerProfile] {
        var object = try JSONObject(parsing: text)
        var issuers: [IssuerProfile] = []
        for element in try object.elements("issuers") {
            issuers.append(try IssuerProfile(JSONObject(element.value, path: element.path)))
        }
        try object.finish()
        return issuers
    }

    init(_ json: consuming JSONObject) throws(ProfilesError) {
        var object = json
        name = try object.string("name")
        scheme = try object.choice("scheme", of: Scheme.self)
        identificationNumber = try object.digits("identificationNumber", 3...8)
        masterKey = try Self.masterKey(&object) ?? Self.testKey(of: scheme)
        try object.finish()
    }

    /// Reads the master key; nil where there is none.
    private static func masterKey(
        _ object: inout JSONObject
    ) throws(ProfilesError) -> IssuerMasterKey? {
        let hasKey = object.has("masterKey")
        guard hasKey || object.has("derivation") else { return nil }
        let bytes = try object.hex("masterKey", 16...16)
        guard let key = DoubleLengthKey(bytes.span) else {
            throw ProfilesError(object.path(to: "masterKey"), "must have 16 bytes")
        }
        let option = try object.choice("derivation", of: DerivationOption.self)
        return IssuerMasterKey(key, derivation: option == .a ? .optionA : .optionB)
    }

    /// The master key of the built-in issuer of a scheme, which an issuer without a key of its own uses.
    static func testKey(of scheme: Scheme) -> IssuerMasterKey {
        guard let issuer = builtIn.first(where: { $0.scheme == scheme }) else {
            preconditionFailure("Resources/issuers.json has an issuer for every scheme")
        }
        return issuer.masterKey
    }

    /// The options of EMV Book 2, A1.4 as a profile writes them.
    private enum DerivationOption: String, CaseIterable {
        case a = "A"
        case b = "B"
    }
}
