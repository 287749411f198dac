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
        let bytes = try object.hex("masterKey", 16...16)
        guard let key = DoubleLengthKey(bytes.span) else {
            throw ProfilesError(object.path(to: "masterKey"), "must have 16 bytes")
        }
        let option = try object.choice("derivation", of: DerivationOption.self)
        masterKey = IssuerMasterKey(key, derivation: option == .a ? .optionA : .optionB)
        try object.finish()
    }

    /// The options of EMV Book 2, A1.4 as a profile writes them.
    private enum DerivationOption: String, CaseIterable {
        case a = "A"
        case b = "B"
    }
}
