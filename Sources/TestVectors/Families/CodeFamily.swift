import EMVData
import Octets
import Profiles

/// `countries`: ISO 3166-1, by number, two letters or three.
struct CountryFamily: VectorFamily {
    var code: String

    static let name = "countries"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        code = try input.string("data")
    }

    func output() throws -> VectorOutput {
        let country = try (Country(alphabetic: code) ?? UInt16(code).map(Country.init(rawValue:)))
            .orRefused(as: "unknown")
        guard let name = country.name, let alpha2 = country.alphabetic, let alpha3 = country.alpha3
        else { throw VectorRefusal("unknown") }
        return [
            "numeric": .number(Int(country.rawValue)), "alpha2": .text(alpha2),
            "alpha3": .text(alpha3), "name": .text(name),
        ]
    }
}

/// `languages`: ISO 639, by two letters or three.
struct LanguageFamily: VectorFamily {
    var code: String

    static let name = "languages"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        code = try input.string("data")
    }

    func output() throws -> VectorOutput {
        let language = try Language(alphabetic: code).orRefused(as: "unknown")
        return ["alpha2": .text(language.rawValue), "name": .text(language.description)]
    }
}

/// `currencies`: ISO 4217, by number or letters.
struct CurrencyFamily: VectorFamily {
    var code: String

    static let name = "currencies"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        code = try input.string("data")
    }

    func output() throws -> VectorOutput {
        let currency = try
            (Currency(alphabetic: code)
            ?? UInt16(code).map(Currency.init(rawValue:))).orRefused(as: "unknown")
        guard let alphabetic = currency.alphabetic else { throw VectorRefusal("unknown") }
        return [
            "numeric": .number(Int(currency.rawValue)), "alphabetic": .text(alphabetic),
            "exponent": .number(currency.exponent),
        ]
    }
}
