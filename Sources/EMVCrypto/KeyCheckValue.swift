#if !hasFeature(Embedded)
internal import CLibcrypto
import Octets

/// The check value of a DES key of any length.
public enum DESKeyCheck {
    /// Enciphers a zero block with a key of one, two or three parts; nil unless it has 8, 16 or 24 bytes.
    public static func block(of key: [UInt8]) -> [UInt8]? {
        let whole: [UInt8]
        switch key.count {
        case 8: whole = key + key + key
        case 16: whole = key + key.prefix(8)
        case 24: whole = key
        default: return nil
        }
        let zeros = [UInt8](repeating: 0, count: 8)
        return unsafe whole.withUnsafeBufferPointer { bytes -> [UInt8]? in
            guard let start = bytes.baseAddress else { return nil }
            return unsafe CipherRun.run(
                EVP_des_ede3(),
                key: start,
                initializationVector: zeros,
                isEncrypting: true,
                zeros
            )
        }
    }
}

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
        [UInt8](checkBlock(method).prefix(3))
    }

    /// Returns the whole block of which the check value is the beginning.
    public func checkBlock(_ method: CheckValueMethod = .cmac) -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: Self.blockByteCount)
        return switch method {
        case .zeroBlock: encrypt(zeros)
        case .cmac: cmac(of: zeros)
        }
    }
}

#endif
