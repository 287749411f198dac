#if !hasFeature(Embedded)
import Octets

extension DoubleLengthKey {
    /// The key's 16 bytes, which whoever asks for them must keep secret.
    public var exportedBytes: [UInt8] {
        [UInt8](capacity: 16) { (output: inout OutputSpan<UInt8>) in
            for index in 0..<16 { unsafe output.append(whole[index]) }
        }
    }

    /// Appends the key's 16 bytes, which whoever asks for them must keep secret.
    public func append(to output: inout OutputSpan<UInt8>) {
        for index in 0..<16 { unsafe output.append(whole[index]) }
    }

    /// The first three bytes of a zero block enciphered with the key, by which people tell keys apart.
    public var checkValue: [UInt8] {
        var cipher = TripleDES(key: self)
        return [UInt8](cipher.encrypt(0).bigEndianBytes.prefix(3))
    }

    /// The key with the last bit of each byte set so that the number of ones is odd.
    public func withOddParity() -> DoubleLengthKey {
        changingBits(left: 0, right: 0, adjustsParity: true)
    }
}

extension AESKey {
    /// How people make a check value of an AES key.
    public enum CheckValueMethod: Hashable, Sendable, CaseIterable {
        /// A zero block enciphered, as for DES keys.
        case zeroBlock
        /// The CMAC of a zero block (ANSI X9.24-1).
        case cmac
    }

    /// Returns the first three bytes that tell keys apart.
    ///
    /// Both methods are in use; the default is that of ANSI X9.24-1.
    public func checkValue(_ method: CheckValueMethod = .cmac) -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: Self.blockByteCount)
        return switch method {
        case .zeroBlock: [UInt8](encrypt(zeros).prefix(3))
        case .cmac: [UInt8](cmac(of: zeros).prefix(3))
        }
    }
}

#endif
