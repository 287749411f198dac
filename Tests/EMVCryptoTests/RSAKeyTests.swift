import EMVCrypto
import Octets
import TestSupport
import Testing

private struct RecoveryInput: Decodable, Sendable {
    var modulus: HexBytes
    var exponent: HexBytes
    var signature: HexBytes
}

private struct RecoveryExpected: Decodable, Sendable { var recovered: HexBytes? }

private typealias Recovery = VectorCase<RecoveryInput, RecoveryExpected>

private func recoveries() throws -> [Recovery] {
    try VectorFile<NoParameters, RecoveryInput, RecoveryExpected>.load("rsa-recoveries")
        .groups.flatMap(\.cases).filter(\.isValid)
}

@Suite("RSA keys (EMV Book 2, B2.1)")
struct RSAKeyTests {
    @Test("A signature recovers to the block published", arguments: try recoveries())
    fileprivate func recovery(_ vector: Recovery) throws {
        let key = try RSAPublicKey(
            modulus: vector.input.modulus.bytes,
            exponent: vector.input.exponent.bytes
        )
        let signature = vector.input.signature.bytes
        #expect(key.recover(signature) == vector.expected.recovered?.bytes)
        for count in signature.indices { #expect(key.recover([UInt8](signature[..<count])) == nil) }
        #expect(key.recover(signature + [0]) == nil)
        #expect(key.recover([0] + signature) == nil)
    }

    @Test("A signature must be below the modulus")
    func belowModulus() throws {
        let key = try TestKeys.publicKey("emvpt-key-ICC")
        #expect(key.recover(key.modulus) == nil)
        #expect(key.recover([UInt8](repeating: 0xFF, count: key.modulus.count)) == nil)
        var largest = key.modulus
        largest[largest.count - 1] -= 1
        // −1 to an odd power is −1.
        #expect(key.recover(largest) == largest)
        let zero = [UInt8](repeating: 0, count: key.modulus.count)
        #expect(key.recover(zero) == zero)
    }

    @Test("A modulus has 64 to 248 bytes", arguments: [0, 1, 63, 64, 248, 249, 256])
    func modulusLengths(count: Int) throws {
        let modulus = [UInt8](repeating: 0xFF, count: count)
        let isKey = (try? RSAPublicKey(modulus: modulus, exponent: [3])) != nil
        #expect(isKey == (64...248).contains(count))
    }

    @Test("A modulus is odd and starts with its first byte")
    func modulusValue() throws {
        let key = try TestKeys.publicKey("emvpt-key-ICC")
        var even = key.modulus
        even[even.count - 1] &= 0xFE
        let zero = [UInt8](repeating: 0, count: 128)
        let short = [0] + key.modulus.dropFirst()
        for modulus in [even, zero, short] {
            #expect(throws: CertificateError.unsupportedModulus(byteCount: 128)) {
                try RSAPublicKey(modulus: modulus, exponent: [3])
            }
        }
    }

    @Test(
        "An exponent is 3 or 65537",
        arguments: [
            ("", false), ("00", false), ("01", false), ("02", false), ("03", true), ("0003", false),
            ("000003", false), ("05", false), ("11", false), ("0100", false), ("010001", true),
            ("010003", false), ("01000100", false), ("00010001", false),
        ]
    )
    func exponents(hex: String, isAllowed: Bool) throws {
        let modulus = try TestKeys.publicKey("emvpt-key-ICC").modulus
        let exponent = try [UInt8](hex: hex)
        guard !isAllowed else {
            #expect(try RSAPublicKey(modulus: modulus, exponent: exponent).exponent == exponent)
            return
        }
        #expect(throws: CertificateError.unsupportedExponent) {
            try RSAPublicKey(modulus: modulus, exponent: exponent)
        }
    }

    @Test(
        "A published private key signs what its public key recovers",
        arguments: try RSAPrivateKeyVector.all().filter(\.isValid)
    )
    func privateKeys(_ vector: RSAPrivateKeyVector.Case) throws {
        let block = [0x6A] + [UInt8](repeating: 0x5C, count: vector.input.numbers.modulus.count - 1)
        let signature = try TestKeys.sign(block, with: vector.id)
        #expect(try TestKeys.publicKey(vector.id).recover(signature) == block)
    }

    @Test("A block that is not below the modulus is not signed")
    func blockTooLarge() throws {
        var key = try TestKeys.privateKey("emvpt-key-ICC")
        let block = [UInt8](repeating: 0xFF, count: key.modulusLength)
        var isSigned = true
        let output = [UInt8](capacity: key.modulusLength) { (output: inout OutputSpan<UInt8>) in
            isSigned = key.sign(block.span, into: &output)
        }
        #expect(!isSigned)
        #expect(output.isEmpty)
    }

    @Test("Private numbers that do not belong together are refused")
    func inconsistentNumbers() throws {
        let paths: [WritableKeyPath<RSAPrivateNumbers, [UInt8]>] = [
            \.privateExponent, \.prime1, \.prime2, \.exponent1, \.exponent2, \.coefficient,
        ]
        for path in paths {
            let good = try TestKeys.numbers("emvpt-key-ICC")
            let wrong: [[UInt8]] = [
                [], [0], [1], good[keyPath: path].map { ~$0 },
                [UInt8](good[keyPath: path].dropLast()),
                good[keyPath: path] + [0], [UInt8](repeating: 0xFF, count: 300),
            ]
            for value in wrong {
                var numbers = good
                numbers[keyPath: path] = value
                let error = #expect(throws: CertificateError.self) {
                    _ = try RSAPrivateKey(numbers)
                }
                #expect(error == .inconsistentPrivateKey, "\(path) \(value.hex)")
            }
        }
    }

    @Test(
        "Numbers whose primes are none are refused",
        arguments: try RSAPrivateKeyVector.all().filter { !$0.isValid }
    )
    func composites(_ vector: RSAPrivateKeyVector.Case) {
        #expect(throws: CertificateError.self) { _ = try TestKeys.privateKey(vector.id) }
    }

    @Test("A key that several hold signs for all of them at once, and outlives the first")
    func sharedKey() async throws {
        let numbers = try TestKeys.numbers("emvpt-key-ICC")
        let block = [UInt8](repeating: 0x5A, count: numbers.modulus.count)
        let expected = try signature(try RSAPrivateKey(numbers), block)
        let shared = try SharedKey(numbers)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50
                    where try signature(RSAPrivateKey(sharing: shared.key), block) != expected {
                        return false
                    }
                    return true
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        var first: SharedKey? = try SharedKey(numbers)
        let second = RSAPrivateKey(sharing: try #require(first).key)
        first = nil
        #expect(try signature(second, block) == expected)
    }

    @Test("Private numbers of unfit lengths are refused", arguments: [0, 1, 63, 249, 256])
    func privateModulusLengths(count: Int) throws {
        var numbers = try TestKeys.numbers("emvpt-key-ICC")
        numbers.modulus = [UInt8](repeating: 0xFF, count: count)
        #expect(throws: CertificateError.unsupportedModulus(byteCount: count)) {
            _ = try RSAPrivateKey(numbers)
        }
    }

    @Test("Another modulus or exponent is refused")
    func wrongPublicNumbers() throws {
        var numbers = try TestKeys.numbers("emvpt-key-ICC")
        numbers.modulus[5] ^= 1
        #expect(throws: CertificateError.inconsistentPrivateKey) { _ = try RSAPrivateKey(numbers) }
        numbers = try TestKeys.numbers("emvpt-key-ICC")
        numbers.modulus[127] ^= 1
        #expect(throws: CertificateError.unsupportedModulus(byteCount: 128)) {
            _ = try RSAPrivateKey(numbers)
        }
        numbers = try TestKeys.numbers("emvpt-key-ICC")
        numbers.publicExponent = [1, 0, 1]
        #expect(throws: CertificateError.inconsistentPrivateKey) { _ = try RSAPrivateKey(numbers) }
        numbers.publicExponent = []
        #expect(throws: CertificateError.unsupportedExponent) { _ = try RSAPrivateKey(numbers) }
    }

    /// EMV Book 2, Table 30; all keys that eight public lists have.
    @Test("A check sum is over RID, index, modulus and exponent", arguments: try authorityCases())
    fileprivate func checksum(_ vector: AuthorityCase) throws {
        let input = vector.input
        func key() throws(CertificateError) -> CAPublicKey {
            try CAPublicKey(
                rid: input.rid.bytes,
                index: input.index.bytes[0],
                modulus: input.modulus.bytes,
                exponent: input.exponent.bytes,
                checksum: input.checksum?.bytes
            )
        }
        switch vector.expected.error {
        case nil:
            #expect(try key().isChecksumValid)
            #expect(try key().computedChecksum == vector.expected.checksum?.bytes)
        case "unsupportedExponent":
            #expect(throws: CertificateError.unsupportedExponent) { try key() }
        case "unsupportedModulus":
            let count = input.modulus.bytes.count
            #expect(throws: CertificateError.unsupportedModulus(byteCount: count)) { try key() }
        default:
            #expect(try !key().isChecksumValid)
            #expect(try key().computedChecksum != input.checksum?.bytes)
        }
    }
}

private typealias AuthorityCase = VectorCase<AuthorityInput, AuthorityExpected>

private func authorityCases() throws -> [AuthorityCase] {
    try VectorFile<NoParameters, AuthorityInput, AuthorityExpected>.load("ca-key-checksums")
        .groups.flatMap(\.cases)
}

private struct AuthorityInput: Decodable, Sendable {
    var rid: HexBytes
    var index: HexBytes
    var modulus: HexBytes
    var exponent: HexBytes
    /// The check sum published; nil when none is.
    var checksum: HexBytes?
}

private struct AuthorityExpected: Decodable, Sendable {
    var checksum: HexBytes?
    var error: String?
}

/// A key that tasks share.
private final class SharedKey: Sendable {
    let key: RSAPrivateKey

    init(_ numbers: RSAPrivateNumbers) throws { key = try RSAPrivateKey(numbers) }
}

/// What a key makes of a block.
private func signature(_ key: consuming RSAPrivateKey, _ block: [UInt8]) throws -> [UInt8] {
    var key = key
    var isDone = false
    let signature = [UInt8](capacity: block.count) { isDone = key.sign(block.span, into: &$0) }
    try #require(isDone)
    return signature
}
