import EMVCrypto
import Profiles

/// `rsa-recoveries`: signatures raised to a public exponent (EMV Book 2, B2.1).
struct RSARecoveryFamily: VectorFamily {
    var modulus: [UInt8]
    var exponent: [UInt8]
    var signature: [UInt8]

    static let name = "rsa-recoveries"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        modulus = try input.hex("modulus")
        exponent = try input.hex("exponent")
        signature = try input.hex("signature")
    }

    func output() throws -> VectorOutput {
        let key = try RSAPublicKey(modulus: modulus, exponent: exponent)
        return ["recovered": .bytes(try key.recovered(signature))]
    }
}

/// `rsa-private-keys`: private keys whose numbers belong together, or do not.
struct RSAPrivateKeyFamily: VectorFamily {
    var numbers: RSAPrivateNumbers

    static let name = "rsa-private-keys"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        numbers = try RSAPrivateNumbers(&input)
    }

    func output() throws -> VectorOutput {
        let key = try RSAPrivateKey(numbers)
        return ["modulusByteCount": .number(key.modulusLength)]
    }
}

/// `rsa-key-pairs`: keys of which only modulus and exponents are published.
struct RSAKeyPairFamily: VectorFamily {
    var modulus: [UInt8]
    var publicExponent: [UInt8]
    var privateExponent: [UInt8]

    static let name = "rsa-key-pairs"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        modulus = try input.hex("modulus")
        publicExponent = try input.hex("publicExponent")
        privateExponent = try input.hex("privateExponent")
    }

    func output() throws -> VectorOutput {
        let key = try RSAPublicKey(modulus: modulus, exponent: publicExponent)
        guard key.isPair(withPrivateExponent: privateExponent) else {
            throw CertificateError.inconsistentPrivateKey
        }
        return ["modulusByteCount": .number(modulus.count)]
    }
}

extension RSAPrivateNumbers {
    /// Reads the numbers of a private key with its Chinese-remainder parts.
    init(_ input: inout JSONObject) throws(ProfilesError) {
        self.init(
            modulus: try input.hex("modulus"),
            publicExponent: try input.hex("publicExponent"),
            privateExponent: try input.hex("privateExponent"),
            prime1: try input.hex("prime1"),
            prime2: try input.hex("prime2"),
            exponent1: try input.hex("exponent1"),
            exponent2: try input.hex("exponent2"),
            coefficient: try input.hex("coefficient")
        )
    }
}
