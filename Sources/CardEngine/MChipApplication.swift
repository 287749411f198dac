import EMVData

/// What a Mastercard M/Chip application needs beside what every application has (EMV Book C-2).
///
/// Its cryptogram version is 14: a common session key, so that one key can be reserved for each counter.
public struct MChipApplication: Sendable {
    /// Cryptogram version number in the Issuer Application Data (9F10).
    public static var cryptogramVersion: UInt8 { 0x14 }

    /// Derivation key index in the Issuer Application Data (9F10).
    public var derivationKeyIndex: UInt8
    /// Application File Locator (94).
    public var fileLocator: [UInt8]
    /// How many bytes the CDOL1 asks for.
    public var riskDataCount: Int
    /// The fields of the CDOL1 values that start the cryptogram's input, in its order.
    public var cryptogramFields: [CardApplication.Field]
    /// The fields of the CDOL1 values the application decides by.
    public var terminalFields: TerminalFields

    /// Collects the parts.
    public init(
        derivationKeyIndex: UInt8,
        fileLocator: [UInt8],
        riskDataCount: Int,
        cryptogramFields: [CardApplication.Field],
        terminalFields: TerminalFields
    ) {
        self.derivationKeyIndex = derivationKeyIndex
        self.fileLocator = fileLocator
        self.riskDataCount = riskDataCount
        self.cryptogramFields = cryptogramFields
        self.terminalFields = terminalFields
    }
}

/// What an M/Chip application makes of a request for a cryptogram.
struct MChipDecision {
    /// The kind of cryptogram, never a better one than asked for.
    var kind: CryptogramKind
    /// Whether the user's authentication on the device is missing, which is why the card declines.
    var needsUser: Bool
    /// Card Verification Results.
    var verificationResults: CardVerificationResults
}

extension CardApplication {
    /// Decides as an M/Chip card does in its first and only GENERATE AC.
    ///
    /// - Parameters:
    ///   - requested: What the terminal asks for.
    ///   - values: The CDOL1 values.
    ///   - isAuthenticated: Whether the device has authenticated its user for this payment.
    /// - Returns: The kind of cryptogram, and the results it is made over.
    func decide(
        _ requested: CryptogramKind,
        _ values: borrowing TerminalValues,
        isAuthenticated: Bool
    ) -> MChipDecision {
        // On-device CVM leaves method 01 in the CVM results when the amount asks for one (EMV Book C-2, CVM selection).
        let isRequired = values.cvmPerformed.map { $0 & 0x3F == 0x01 } ?? false
        let needsUser = needsUser(whenRequired: isRequired) && !isAuthenticated
        let isForbidden = limits.forbids(values)
        let isCovered = limits.coversOffline(values)

        let kind: CryptogramKind
        if needsUser || isForbidden || requested == .aac {
            kind = .aac
        } else if requested == .arqc {
            kind = .arqc
        } else if isCovered {
            kind = .tc
        } else {
            let terminalType = values.terminalType.map { $0 & 0x0F }
            kind = terminalType == 3 || terminalType == 6 ? .aac : .arqc
        }

        var results = CardVerificationResults()
        results.setFirstCryptogram(kind)
        if consumerDeviceCVM != .none && isAuthenticated {
            results.setOfflinePINSuccessful()
        } else {
            results.setOfflinePINNotPerformed()
        }
        if values.country != nil { results.setLocation(isAbroad: limits.isAbroad(values)) }
        if !isCovered { results.setLowerCumulativeLimitExceeded() }
        if isForbidden { results.setUpperCumulativeLimitExceeded() }
        return MChipDecision(kind: kind, needsUser: needsUser, verificationResults: results)
    }
}

/// Card Verification Results of M/Chip, six bytes of the Issuer Application Data.
struct CardVerificationResults {
    /// The six bytes, the first most significant.
    var rawValue: UInt64 = 0

    /// Byte 1, bits 8 to 5: no second cryptogram was asked for, and which the first one was.
    mutating func setFirstCryptogram(_ kind: CryptogramKind) {
        rawValue |= 0x80 << 40 | UInt64(kind.rawValue >> 2) << 40
    }

    /// Byte 2, bit 7: combined DDA was performed with the first cryptogram.
    mutating func setCombinedDataAuthentication() { rawValue |= 0x40 << 32 }

    /// Byte 1, bits 3 and 1: the device verified its user, which M/Chip counts as an offline PIN.
    mutating func setOfflinePINSuccessful() { rawValue |= 0x05 << 40 }

    /// Byte 4, bit 6: no offline PIN.
    mutating func setOfflinePINNotPerformed() { rawValue |= 0x20 << 16 }

    /// Byte 4, bits 3 and 2: the terminal is abroad or in the issuer's country.
    mutating func setLocation(isAbroad: Bool) { rawValue |= (isAbroad ? 0x04 : 0x02) << 16 }

    /// Byte 5, bit 6: the amount is above what the card approves by itself.
    mutating func setLowerCumulativeLimitExceeded() { rawValue |= 0x20 << 8 }

    /// Byte 5, bit 5: the amount is above what the card permits at all.
    mutating func setUpperCumulativeLimitExceeded() { rawValue |= 0x10 << 8 }
}
