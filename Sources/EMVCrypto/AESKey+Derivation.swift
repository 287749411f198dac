#if !hasFeature(Embedded)
import Octets

extension AESKey {
    /// Derives a card key of the same length from this issuer key (option C; EMV Book 2, A1.4.3).
    /// - Parameters:
    ///   - pan: The PAN, one digit an element, at most 30.
    ///   - sequenceNumber: PAN Sequence Number (5F34) as the card carries it, 0x12 for 12; zero when absent.
    /// - Returns: The card key.
    public func cardKey(pan: [UInt8], sequenceNumber: UInt8) -> AESKey {
        let block = Self.cardBlock(pan: pan, sequenceNumber: sequenceNumber)
        return derived(from: block, block.map { ~$0 })
    }

    /// Returns PAN and sequence number as 32 digits, zeros on the left: what option C encrypts.
    public static func cardBlock(pan: [UInt8], sequenceNumber: UInt8) -> [UInt8] {
        let digits = pan + [sequenceNumber >> 4, sequenceNumber & 0x0F]
        guard let block = PackedDigits.numeric(digits, byteCount: blockByteCount) else {
            preconditionFailure("a PAN has at most 30 digits")
        }
        return block
    }

    /// Derives the session key of an application cryptogram from this card key (EMV Book 2, A1.3.1).
    public func sessionKey(counter: UInt16) -> AESKey {
        sessionKey(diversifier: counter.bigEndianBytes + [UInt8](repeating: 0, count: 14))
    }

    /// Derives the session key for a diversifier of 16 bytes.
    ///
    /// A key of 16 bytes is the diversifier enciphered. A longer one is the left part of two such blocks, whose
    /// third byte is F0 in the first and 0F in the second.
    public func sessionKey(diversifier: [UInt8]) -> AESKey {
        precondition(diversifier.count == Self.blockByteCount)
        guard byteCount > Self.blockByteCount else { return AESKey(known: encrypt(diversifier)) }
        var first = diversifier
        first[2] = 0xF0
        var second = diversifier
        second[2] = 0x0F
        return derived(from: first, second)
    }

    /// Encrypts two blocks and takes as many bytes of them as this key has.
    private func derived(from first: [UInt8], _ second: [UInt8]) -> AESKey {
        AESKey(known: [UInt8](encrypt(first + second).prefix(byteCount)))
    }

    /// Computes an application cryptogram: the left eight bytes of the CMAC over its input (EMV Book 2, 8.1.2).
    public func applicationCryptogram(over input: [UInt8]) -> UInt64 {
        cmac(of: input).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

#endif
