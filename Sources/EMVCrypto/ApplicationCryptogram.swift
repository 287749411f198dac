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
        let amount = try bytes(of: .amountAuthorised, count: 6, value)
        let number = try bytes(of: .unpredictableNumber, count: 4, value)
        let counter = try bytes(of: .applicationTransactionCounter, count: 2, value)
        guard let issuerData = value(.issuerApplicationData) else {
            throw .missing(.issuerApplicationData)
        }
        guard issuerDataCounts.contains(issuerData.count) else {
            throw .wrongLength(.issuerApplicationData, byteCount: issuerData.count)
        }
        let signedPart = signedPart(of: issuerData)
        if self == .visaCVN17 { return amount + number + counter + signedPart }
        let terminalData =
            try amount + bytes(of: .amountOther, count: 6, value)
            + bytes(of: .terminalCountryCode, count: 2, value)
            + bytes(of: .terminalVerificationResults, count: 5, value)
            + bytes(of: .transactionCurrencyCode, count: 2, value)
            + bytes(of: .transactionDate, count: 3, value)
            + bytes(of: .transactionType, count: 1, value)
        let profile = try bytes(of: .applicationInterchangeProfile, count: 2, value)
        return terminalData + number + profile + counter + signedPart
    }

    /// The lengths of Issuer Application Data (9F10) that hold what is signed.
    private var issuerDataCounts: ClosedRange<Int> {
        switch self {
        case .visaCVN10, .visaCVN17, .visaCVN18: 7...32
        case .mchipCVN10, .mchipCVN11, .mchipCVN14, .mchipCVN15: 18...32
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
        let counter = try number(of: .applicationTransactionCounter, byteCount: 2, value)
        let unpredictableNumber = try number(of: .unpredictableNumber, byteCount: 4, value)
        let key = sessionKey(
            cardKey: cardKey,
            counter: UInt16(counter),
            unpredictableNumber: UInt32(unpredictableNumber)
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
        let sent = try number(of: .applicationCryptogram, byteCount: 8, value)
        // Numbers of one machine word: comparing them takes the same time whatever they are.
        return try cryptogram(cardKey: cardKey, value) == sent
    }

    /// Answers a request with the Issuer Authentication Data (91) its card understands.
    ///
    /// Visa CVN 18 takes an ARPC of method 2 with the Card Status Update, the others one of method 1
    /// with the response code. Cards whose session key hangs on 9F37 use the card key for it.
    /// - Parameters:
    ///   - cardKey: The card's key for application cryptograms.
    ///   - responseCode: Authorisation Response Code (8A), `0x3030` for 00.
    ///   - cardStatusUpdate: Card Status Update, four bytes (EMV Book 3, C9).
    ///   - value: The value of a data object of the request; nil when it was not sent.
    /// - Returns: ARPC and response code, ten bytes, or ARPC and Card Status Update, eight bytes.
    /// - Throws: The first data object missing or of a wrong length.
    public func issuerAuthenticationData(
        cardKey: borrowing DoubleLengthKey,
        responseCode: UInt16,
        cardStatusUpdate: UInt32,
        _ value: (Tag) -> [UInt8]?
    ) throws(ApplicationCryptogramError) -> [UInt8] {
        let cryptogram = try number(of: .applicationCryptogram, byteCount: 8, value)
        let counter = try number(of: .applicationTransactionCounter, byteCount: 2, value)
        let key: DoubleLengthKey
        switch self {
        case .visaCVN10, .visaCVN17, .mchipCVN10, .mchipCVN11:
            key = cardKey.copy()
        case .visaCVN18, .mchipCVN14, .mchipCVN15:
            var cipher = TripleDES(key: cardKey)
            key = cipher.commonSessionKey(counter: UInt16(counter))
        }
        guard self != .visaCVN18 else {
            let response = ResponseCryptogram.method2(
                cryptogram: cryptogram,
                cardStatusUpdate: cardStatusUpdate,
                key: key
            )
            return response.bigEndianBytes + cardStatusUpdate.bigEndianBytes
        }
        let response = ResponseCryptogram.method1(
            cryptogram: cryptogram,
            responseCode: responseCode,
            key: key
        )
        return response.bigEndianBytes + responseCode.bigEndianBytes
    }
}

/// Reads a data object of exactly `byteCount` bytes as a number.
private func number(
    of tag: Tag,
    byteCount: Int,
    _ value: (Tag) -> [UInt8]?
) throws(ApplicationCryptogramError) -> UInt64 {
    try bytes(of: tag, count: byteCount, value).reduce(0) { $0 << 8 | UInt64($1) }
}

/// Returns a data object of exactly `count` bytes.
private func bytes(
    of tag: Tag,
    count: Int,
    _ value: (Tag) -> [UInt8]?
) throws(ApplicationCryptogramError) -> [UInt8] {
    guard let bytes = value(tag) else { throw .missing(tag) }
    guard bytes.count == count else { throw .wrongLength(tag, byteCount: bytes.count) }
    return bytes
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The number's bytes, most significant first.
    fileprivate var bigEndianBytes: [UInt8] {
        stride(from: bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: self >> Self($0))
        }
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
