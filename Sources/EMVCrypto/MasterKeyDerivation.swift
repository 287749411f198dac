import Octets

#if !hasFeature(Embedded)

/// How an issuer makes a card's key out of its own, the PAN and the PAN sequence number (EMV Book 2, A1.4).
public enum MasterKeyDerivation: Hashable, Sendable, CaseIterable {
    /// The rightmost sixteen digits of PAN and sequence number (option A, A1.4.1).
    case optionA
    /// As A up to sixteen digits of PAN; sixteen digits out of a hash beyond (option B, A1.4.2).
    case optionB
    /// Sixteen digits out of a hash whatever the PAN's length: how jPOS reads option B, against A1.4.2.
    case optionBHashed

    /// Returns sixteen digits, packed as hexadecimal, that stand for a card.
    /// - Parameters:
    ///   - pan: The PAN, one digit an element.
    ///   - sequenceNumber: PAN Sequence Number (5F34) as the card carries it, 0x12 for 12; zero when absent.
    /// - Returns: What the issuer's key encrypts to make the card's.
    public func diversifier(pan: [UInt8], sequenceNumber: UInt8) -> UInt64 {
        let digits = pan + [sequenceNumber >> 4, sequenceNumber & 0x0F]
        let isHashed =
            switch self {
            case .optionA: false
            case .optionB: pan.count > 16
            case .optionBHashed: true
            }
        guard isHashed else { return Self.packed(digits.suffix(16)) }
        let evenDigits = digits.count % 2 == 0 ? digits : [0] + digits
        let bytes = stride(from: 0, to: evenDigits.count, by: 2).map {
            evenDigits[$0] << 4 | evenDigits[$0 + 1] & 0x0F
        }
        return Self.decimalized(SHA1.digest(of: bytes))
    }

    /// Makes sixteen digits of a hash: its decimal nibbles, then its others with A to F read as 0 to 5.
    package static func decimalized(_ hash: [UInt8]) -> UInt64 {
        packed(decimalDigits(of: hash, count: 16))
    }

    private static func packed(_ digits: some Sequence<UInt8>) -> UInt64 {
        digits.reduce(0) { $0 << 4 | UInt64($1 & 0x0F) }
    }
}

extension TripleDES {
    /// Derives a card key from the loaded issuer key (EMV Book 2, A1.4).
    /// - Parameters:
    ///   - pan: The PAN, one digit an element.
    ///   - sequenceNumber: PAN Sequence Number (5F34) as the card carries it, 0x12 for 12; zero when absent.
    ///   - derivation: Which sixteen digits stand for the card.
    ///   - adjustsParity: Whether each byte gets odd parity, as EMV has it.
    /// - Returns: The card key.
    public mutating func cardKey(
        pan: [UInt8],
        sequenceNumber: UInt8,
        derivation: MasterKeyDerivation,
        adjustsParity: Bool = true
    ) -> DoubleLengthKey {
        cardKey(
            accountDigits: derivation.diversifier(pan: pan, sequenceNumber: sequenceNumber),
            adjustsParity: adjustsParity
        )
    }
}

#endif
