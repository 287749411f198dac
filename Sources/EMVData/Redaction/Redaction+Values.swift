#if !hasFeature(Embedded)
public import BERTLV
import Octets

extension Redaction {
    /// How the value of an object is masked.
    enum Rule {
        /// Digits of an account number, F behind (cn).
        case accountNumber
        /// Account number, separator, expiry, service code, discretionary digits, packed.
        case track2
        /// The same with a name, one character to a byte.
        case track1
        /// Account number and sequence number, packed, zeros before (n).
        case dataStorageIdentifier
        /// Packed digits, none of which may be shown.
        case digits
        /// Characters, none of which may be shown.
        case characters
        /// Bytes, none of which may be shown.
        case blank
    }

    /// How an object is masked; nil for one that tells nothing about the cardholder.
    ///
    /// The card's certificates hold the account number, and the hash in its signed static data covers it, so that
    /// the few masked digits could be found by trying them all.
    static func rule(for tag: Tag) -> Rule? {
        switch tag {
        case .applicationPAN: .accountNumber
        case .track2EquivalentData, .track2Data: .track2
        case .track1Data: .track1
        case .dataStorageIdentifier: .dataStorageIdentifier
        case .track2DiscretionaryData, .ddCardTrack2: .digits
        case .cardholderName, .cardholderNameExtended, .track1DiscretionaryData, .ddCardTrack1,
            .internationalBankAccountNumber:
            .characters
        case .iccPublicKeyCertificate, .iccPINEnciphermentCertificate,
            .signedStaticApplicationData, .transactionPINData:
            .blank
        default: nil
        }
    }

    /// Masks the value of one object, and learns from it.
    public mutating func mask(_ value: [UInt8], of tag: Tag) -> [UInt8] {
        guard extent == .cardholderData else { return value }
        learnList(tag, value)
        // The same command, whether it stands alone or in a script.
        if tag == .issuerScriptCommand { return mask(command: value) }
        return switch Self.rule(for: tag) {
        case .accountNumber: maskAccountNumber(value)
        case .track2: maskTrack2(value)
        case .track1: maskTrack1(value)
        case .dataStorageIdentifier: maskDataStorageIdentifier(value)
        case .digits: maskSecret(value, by: Self.zeroDigits(value))
        case .characters: maskSecret(value, by: Self.crosses(value))
        case .blank: Self.zeros(value)
        case nil: maskOther(value, of: tag)
        }
    }

    private mutating func maskAccountNumber(_ value: [UInt8]) -> [UInt8] {
        guard let number = try? PrimaryAccountNumber(parsing: value) else {
            return Self.zeroDigits(value)
        }
        learn(number)
        return number.substitute.bytes + value.dropFirst(number.bytes.count)
    }

    private mutating func maskTrack2(_ value: [UInt8]) -> [UInt8] {
        guard let track = try? Track2(parsing: value) else { return Self.zeroDigits(value) }
        learn(track.accountNumber)
        var masked = track
        masked.accountNumber = track.accountNumber.substitute
        masked.discretionaryData = track.discretionaryData.map { _ in 0 }
        learn(
            PackedDigits.pack(track.discretionaryData),
            as: PackedDigits.pack(masked.discretionaryData)
        )
        return masked.bytes
    }

    private mutating func maskTrack1(_ value: [UInt8]) -> [UInt8] {
        guard let track = try? Track1(parsing: value) else { return Self.crosses(value) }
        learn(track.accountNumber)
        var masked = track
        masked.accountNumber = track.accountNumber.substitute
        masked.name = maskSecret(track.name, by: Self.crosses(track.name))
        masked.discretionaryData = maskSecret(
            track.discretionaryData,
            by: Self.crosses(track.discretionaryData)
        )
        return masked.bytes
    }

    /// EMV Book C-2, A.1: account number, two digits of sequence number, zeros before up to 16 digits.
    private mutating func maskDataStorageIdentifier(_ value: [UInt8]) -> [UInt8] {
        let nibbles = PackedDigits.nibbles(value)
        let padding = nibbles.prefix { $0 == 0 }.count
        let digits = Array(nibbles.dropFirst(padding).dropLast(2))
        guard let number = PrimaryAccountNumber(digits: digits) else {
            return Self.zeroDigits(value)
        }
        learn(number)
        return PackedDigits.pack(
            nibbles.prefix(padding) + number.substitute.digits + nibbles.suffix(2)
        )
    }

    private mutating func maskSecret(_ value: [UInt8], by replacement: [UInt8]) -> [UInt8] {
        learn(value, as: replacement)
        return replacement
    }

    /// Masks what an object hides that no rule is about.
    private func maskOther(_ value: [UInt8], of tag: Tag) -> [UInt8] {
        let masked = maskLearned(value)
        return Self.isOpen(value, tag) ? Self.maskLikelyAccountNumbers(masked) : masked
    }

    /// Whether a value might be anything: no book defines it, or not at this length, or its contents are free.
    private static func isOpen(_ value: [UInt8], _ tag: Tag) -> Bool {
        let definitions = DataObjectDefinition.all(of: tag)
        return !definitions.contains { $0.length.allows(value.count) }
            || [.applicationDiscretionaryData, .customerExclusiveData].contains(tag)
            // Longer than the answer to GENERATE AC.
            || tag == .responseTemplate1 && value.count > 43
            || (Tag.protectedDataEnvelope1.rawValue...Tag.unprotectedDataEnvelope5.rawValue)
                .contains(tag.rawValue)
    }

    /// Zeros, one for each byte.
    static func zeros(_ value: some Collection<UInt8>) -> [UInt8] {
        [UInt8](repeating: 0, count: value.count)
    }

    /// Crosses, one for each character.
    static func crosses(_ value: [UInt8]) -> [UInt8] {
        [UInt8](repeating: UInt8(ascii: "X"), count: value.count)
    }

    /// Zero for each packed digit; separators and filling stay.
    static func zeroDigits(_ value: [UInt8]) -> [UInt8] {
        value.map { ($0 >> 4 > 9 ? $0 & 0xF0 : 0) | ($0 & 0x0F > 9 ? $0 & 0x0F : 0) }
    }
}

#endif
