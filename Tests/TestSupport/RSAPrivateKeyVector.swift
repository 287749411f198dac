public import EMVCrypto

/// A published private key, as `Vectors/rsa-private-keys.json` has it.
public struct RSAPrivateKeyVector: Decodable, Sendable {
    private var modulus: HexBytes
    private var publicExponent: HexBytes
    private var privateExponent: HexBytes
    private var prime1: HexBytes
    private var prime2: HexBytes
    private var exponent1: HexBytes
    private var exponent2: HexBytes
    private var coefficient: HexBytes

    /// The key's numbers.
    public var numbers: RSAPrivateNumbers {
        RSAPrivateNumbers(
            modulus: modulus.bytes,
            publicExponent: publicExponent.bytes,
            privateExponent: privateExponent.bytes,
            prime1: prime1.bytes,
            prime2: prime2.bytes,
            exponent1: exponent1.bytes,
            exponent2: exponent2.bytes,
            coefficient: coefficient.bytes
        )
    }

    /// What the file expects of a key beside its being good or not.
    public struct Nothing: Decodable, Sendable {}

    /// One of them.
    public typealias Case = VectorCase<RSAPrivateKeyVector, Nothing>

    /// All of them.
    public static func all() throws -> [Case] {
        try VectorFile<NoParameters, RSAPrivateKeyVector, Nothing>.load("rsa-private-keys").groups
            .flatMap(\.cases)
    }
}
