#if !hasFeature(Embedded)
public import BERTLV
import EMVData
import Octets

/// How cards of a scheme make their application cryptogram (9F26): which key, which data, which padding.
///
/// This is the issuer's side, which works from the data objects it was sent.
public enum ApplicationCryptogram: Hashable, Sendable, CaseIterable {
    /// Visa CVN 10 (0A): card key, CVR at the end.
    case visaCVN10
    /// Visa CVN 17 (11): card key, a short input for fast taps.
    case visaCVN17
    /// Visa CVN 18 (12): common session key, whole Issuer Application Data at the end.
    case visaCVN18
    /// M/Chip CVN 10 (hexadecimal): Mastercard session key, CVR at the end.
    case mchipCVN10
    /// M/Chip CVN 11 (hexadecimal): Mastercard session key, CVR and counters at the end.
    case mchipCVN11
    /// M/Chip CVN 14 (hexadecimal): common session key, CVR at the end.
    case mchipCVN14
    /// M/Chip CVN 15 (hexadecimal): common session key, CVR and counters at the end.
    case mchipCVN15

    /// Reads the version from Visa Issuer Application Data (9F10): length 06, key index, CVN, CVR.
    ///
    /// Nil for a version or layout not known here.
    public init?(visa issuerApplicationData: [UInt8]) {
        guard issuerApplicationData.count >= 7, issuerApplicationData[0] == 0x06 else { return nil }
        switch issuerApplicationData[2] {
        case 0x0A: self = .visaCVN10
        case 0x11: self = .visaCVN17
        case 0x12: self = .visaCVN18
        default: return nil
        }
    }

    /// Reads the version from M/Chip Issuer Application Data (9F10): key index, CVN, CVR, counters.
    ///
    /// Nil for a version or layout not known here.
    public init?(mchip issuerApplicationData: [UInt8]) {
        guard issuerApplicationData.count >= 18 else { return nil }
        switch issuerApplicationData[1] {
        case 0x10: self = .mchipCVN10
        case 0x11: self = .mchipCVN11
        case 0x14: self = .mchipCVN14
        case 0x15: self = .mchipCVN15
        default: return nil
        }
    }

    /// How the input is filled up to whole blocks.
    public var padding: RetailMAC.Padding {
        switch self {
        case .visaCVN10, .visaCVN17: .zeros
        case .visaCVN18, .mchipCVN10, .mchipCVN11, .mchipCVN14, .mchipCVN15: .marked
        }
    }

    /// Derives the key of one transaction.
    /// - Parameters:
    ///   - cardKey: The card's key for application cryptograms.
    ///   - counter: Application Transaction Counter (9F36).
    ///   - unpredictableNumber: Unpredictable Number (9F37), which only M/Chip CVN 10 and 11 use.
    /// - Returns: The key of the cryptogram.
    public func sessionKey(
        cardKey: borrowing DoubleLengthKey,
        counter: UInt16,
        unpredictableNumber: UInt32
    ) -> DoubleLengthKey {
        switch self {
        case .visaCVN10, .visaCVN17:
            return cardKey.copy()
        case .visaCVN18, .mchipCVN14, .mchipCVN15:
            var cipher = TripleDES(key: cardKey)
            return cipher.commonSessionKey(counter: counter)
        case .mchipCVN10, .mchipCVN11:
            var cipher = TripleDES(key: cardKey)
            return cipher.mastercardSessionKey(
                counter: counter,
                unpredictableNumber: unpredictableNumber
            )
        }
    }

    /// Puts together what the card computed its MAC over.
    /// - Parameter value: The value of a data object as it was sent; nil when it was not.
    /// - Returns: The input, not yet filled up.
    /// - Throws: The first data object missing or of a wrong length.
    public func input(
        _ value: (Tag) -> [UInt8]?
    ) throws(ApplicationCryptogramError) -> [UInt8] {
        func exactly(_ byteCount: Int, of tag: Tag) throws(ApplicationCryptogramError) -> [UInt8] {
            guard let bytes = value(tag) else { throw .missing(tag) }
            guard bytes.count == byteCount else { throw .wrongLength(tag, byteCount: bytes.count) }
            return bytes
        }
        let amount = try exactly(6, of: .amountAuthorized)
        let number = try exactly(4, of: .unpredictableNumber)
        let counter = try exactly(2, of: .applicationTransactionCounter)
        guard let issuerData = value(.issuerApplicationData) else {
            throw .missing(.issuerApplicationData)
        }
        guard issuerData.count >= issuerDataMinimumCount else {
            throw .wrongLength(.issuerApplicationData, byteCount: issuerData.count)
        }
        if self == .visaCVN17 { return amount + number + counter + [issuerData[4]] }
        let terminalData =
            try amount + exactly(6, of: .amountOther)
            + exactly(2, of: .terminalCountryCode)
            + exactly(5, of: .terminalVerificationResults)
            + exactly(2, of: .transactionCurrencyCode)
            + exactly(3, of: .transactionDate)
            + exactly(1, of: .transactionType)
        let cardData = try number + exactly(2, of: .applicationInterchangeProfile) + counter
        return terminalData + cardData + signedPart(of: issuerData)
    }

    /// The shortest Issuer Application Data (9F10) that holds what is signed.
    private var issuerDataMinimumCount: Int {
        switch self {
        case .visaCVN10, .visaCVN17, .visaCVN18: 7
        case .mchipCVN10, .mchipCVN14: 8
        case .mchipCVN11, .mchipCVN15: 18
        }
    }

    /// The bytes of Issuer Application Data (9F10) that end the input.
    private func signedPart(of issuerData: [UInt8]) -> [UInt8] {
        switch self {
        case .visaCVN10: [UInt8](issuerData[3..<7])
        case .visaCVN17: [issuerData[4]]
        case .visaCVN18: issuerData
        case .mchipCVN10, .mchipCVN14: [UInt8](issuerData[2..<8])
        case .mchipCVN11, .mchipCVN15: [UInt8](issuerData[2..<8] + issuerData[10..<18])
        }
    }

    /// Computes the cryptogram over data objects as the card did.
    /// - Parameters:
    ///   - cardKey: The card's key for application cryptograms.
    ///   - value: The value of a data object as it was sent; nil when it was not.
    /// - Returns: The cryptogram.
    /// - Throws: The first data object missing or of a wrong length.
    public func cryptogram(
        cardKey: borrowing DoubleLengthKey,
        _ value: (Tag) -> [UInt8]?
    ) throws(ApplicationCryptogramError) -> UInt64 {
        let input = try input(value)
        guard input.count <= RetailMAC.maximumCount else {
            throw .wrongLength(.issuerApplicationData, byteCount: input.count)
        }
        let key = sessionKey(
            cardKey: cardKey,
            counter: UInt16(truncatingIfNeeded: number(in: value(.applicationTransactionCounter))),
            unpredictableNumber: UInt32(truncatingIfNeeded: number(in: value(.unpredictableNumber)))
        )
        var mac = RetailMAC(key: key)
        return mac.mac(of: input.span, padding: padding)
    }

    /// Checks the cryptogram (9F26) among data objects, in time that does not depend on its value.
    /// - Parameters:
    ///   - cardKey: The card's key for application cryptograms.
    ///   - value: The value of a data object as it was sent; nil when it was not.
    /// - Returns: Whether the card made it over these data.
    /// - Throws: The first data object missing or of a wrong length.
    public func verify(
        cardKey: borrowing DoubleLengthKey,
        _ value: (Tag) -> [UInt8]?
    ) throws(ApplicationCryptogramError) -> Bool {
        guard let sent = value(.applicationCryptogram) else {
            throw .missing(.applicationCryptogram)
        }
        guard sent.count == 8 else {
            throw .wrongLength(.applicationCryptogram, byteCount: sent.count)
        }
        // Numbers of one machine word: comparing them takes the same time whatever they are.
        return try cryptogram(cardKey: cardKey, value) == UInt64(bigEndian: sent.span, at: 0)
    }

    private func number(in bytes: [UInt8]?) -> UInt64 {
        (bytes ?? []).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Why no cryptogram can be computed over the data objects sent.
public enum ApplicationCryptogramError: Error, Hashable, Sendable {
    /// A data object was not sent.
    case missing(Tag)
    /// A data object has a length that it never has.
    case wrongLength(Tag, byteCount: Int)
}

#endif
