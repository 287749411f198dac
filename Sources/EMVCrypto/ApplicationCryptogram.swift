#if !hasFeature(Embedded)
public import BERTLV
import EMVData
import Octets

/// How cards of a scheme make their application cryptogram (9F26): which key, which data, which padding.
///
/// This is the issuer's side, which works from the data objects it was sent. How sure each version is, `evidence`
/// tells: the books of Amex, JCB and UnionPay are not public.
public enum ApplicationCryptogram: Hashable, Sendable, CaseIterable {
    /// Visa CVN 10 (0A): card key, CVR at the end.
    case visaCVN10
    /// Visa CVN 17 (11): card key, a short input for fast taps.
    case visaCVN17
    /// Visa CVN 18 (12): common session key, whole Issuer Application Data at the end.
    case visaCVN18
    /// Visa CVN 22 (22): as CVN 18, in Issuer Application Data of format 2.
    case visaCVN22
    /// Visa CVN 43: limited use key of a cloud-based card.
    case visaCVN43
    /// Visa CVN 4A: limited use key, as devices with a secure element have it.
    case visaCVN4A
    /// M/Chip CVN 10 (hexadecimal): Mastercard session key, CVR at the end.
    case mchipCVN10
    /// M/Chip CVN 11 (hexadecimal): Mastercard session key, CVR and counters at the end.
    case mchipCVN11
    /// M/Chip CVN 14 (hexadecimal): common session key, CVR at the end.
    case mchipCVN14
    /// M/Chip CVN 15 (hexadecimal): common session key, CVR and counters at the end.
    case mchipCVN15
    /// Common Core Definitions with cryptogram version 5: common session key, whole Issuer Application Data.
    case commonCore
    /// Interac CVN 133 (85): Mastercard session key, whole Issuer Application Data at the end.
    case interacCVN133
    /// Discover D-PAS CVN 06: common session key, CVR at the end.
    case discoverCVN06
    /// American Express CVN 01: card key, CVR at the end.
    case amexCVN01
    /// American Express CVN 02: common session key, CVR at the end.
    case amexCVN02
    /// JCB CVN 01: card key, CVR at the end.
    case jcbCVN01
    /// JCB CVN 02: common session key, whole Issuer Application Data at the end.
    case jcbCVN02
    /// UnionPay CVN 01: PBOC session key, CVR at the end.
    case unionPayCVN01
    /// UnionPay CVN 17: PBOC session key, a short input for fast taps.
    case unionPayCVN17

    /// How the input is filled up to whole blocks.
    public var padding: RetailMAC.Padding { recipe.padding }

    /// Whether the key of a transaction hangs on the terminal's number, so that nobody can make it beforehand.
    public var isKeyedByUnpredictableNumber: Bool { recipe.sessionKey == .mastercard }

    /// Derives the key of one transaction where it hangs on nothing but counter and unpredictable number.
    ///
    /// The versions with a limited use key need the index in Issuer Application Data, which
    /// `sessionKey(cardKey:_:)` reads: here they take the card key for the limited use key itself.
    /// - Parameters:
    ///   - cardKey: The card's key for application cryptograms.
    ///   - counter: Application Transaction Counter (9F36).
    ///   - unpredictableNumber: Unpredictable Number (9F37), which only Mastercard's method uses.
    /// - Returns: The key of the cryptogram.
    public func sessionKey(
        cardKey: borrowing DoubleLengthKey,
        counter: UInt16,
        unpredictableNumber: UInt32
    ) -> DoubleLengthKey {
        var cipher = TripleDES(key: cardKey)
        return switch recipe.sessionKey {
        case .card, .limitedUse: cardKey.copy()
        case .common: cipher.commonSessionKey(counter: counter)
        case .pboc: cipher.pbocSessionKey(counter: counter)
        case .mastercard:
            cipher.mastercardSessionKey(
                counter: counter,
                unpredictableNumber: unpredictableNumber
            )
        }
    }

    /// Derives the key of one transaction from its data objects.
    /// - Parameters:
    ///   - cardKey: The card's key for application cryptograms.
    ///   - value: The value of a data object as it was sent; nil when it was not.
    /// - Returns: The key of the cryptogram.
    /// - Throws: The first data object missing or of a wrong length.
    public func sessionKey(
        cardKey: borrowing DoubleLengthKey,
        _ value: (Tag) -> [UInt8]?
    ) throws(ApplicationCryptogramError) -> DoubleLengthKey {
        if recipe.sessionKey == .limitedUse {
            var cipher = TripleDES(key: cardKey)
            return try cipher.limitedUseKey(limitedUseKeyIndex(issuerData(value)))
        }
        let counter = try number(of: .applicationTransactionCounter, byteCount: 2, value)
        let unpredictableNumber = try number(of: .unpredictableNumber, byteCount: 4, value)
        return sessionKey(
            cardKey: cardKey,
            counter: UInt16(counter),
            unpredictableNumber: UInt32(unpredictableNumber)
        )
    }

    /// Whether the key is one for some transactions, whose index Issuer Application Data carries.
    public var usesLimitedUseKeys: Bool { recipe.sessionKey == .limitedUse }

    /// What ends the input of a version with a limited use key; public sources do not agree.
    public enum CloudInput: Hashable, Sendable, CaseIterable {
        /// The whole Issuer Application Data (9F10).
        case issuerApplicationData
        /// Issuer Application Data without its first byte, the length.
        case withoutLength
        /// Four bytes of CVR in the older layout: 9F10's bytes 4 to 7.
        case verificationResults
    }

    /// Puts together what the card computed its MAC over.
    /// - Parameters:
    ///   - cloudInput: What ends the input of a version with a limited use key.
    ///   - value: The value of a data object as it was sent; nil when it was not.
    /// - Returns: The input, not yet filled up.
    /// - Throws: The first data object missing or of a wrong length.
    public func input(
        cloudInput: CloudInput = .issuerApplicationData,
        _ value: (Tag) -> [UInt8]?
    ) throws(ApplicationCryptogramError) -> [UInt8] {
        let recipe = recipe
        let amount = try bytes(of: .amountAuthorised, count: 6, value)
        let number = try bytes(of: .unpredictableNumber, count: 4, value)
        let counter = try bytes(of: .applicationTransactionCounter, count: 2, value)
        let signedPart = try signedPart(of: issuerData(value), cloudInput: cloudInput)
        if recipe.isShort { return amount + number + counter + signedPart }
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
        let key = try sessionKey(cardKey: cardKey, value)
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
    /// The ARPC is of method 1 with the response code or of method 2 with the Card Status Update, whichever the
    /// version has. M/Chip cards whose session key hangs on 9F37 use the card key for it.
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
        let key = try responseKey(cardKey: cardKey, value)
        if recipe.response == .method2 {
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

    /// Derives the key of the issuer's answer.
    /// - Throws: The first data object missing or of a wrong length.
    public func responseKey(
        cardKey: borrowing DoubleLengthKey,
        _ value: (Tag) -> [UInt8]?
    ) throws(ApplicationCryptogramError) -> DoubleLengthKey {
        if recipe.response == .method1WithCardKey || recipe.sessionKey == .card {
            return cardKey.copy()
        }
        if recipe.sessionKey == .common || recipe.sessionKey == .pboc {
            // The unpredictable number plays no part and need not have been sent.
            let counter = try number(of: .applicationTransactionCounter, byteCount: 2, value)
            return sessionKey(cardKey: cardKey, counter: UInt16(counter), unpredictableNumber: 0)
        }
        return try sessionKey(cardKey: cardKey, value)
    }

    /// Returns Issuer Application Data (9F10) of a length that holds what is signed.
    private func issuerData(
        _ value: (Tag) -> [UInt8]?
    ) throws(ApplicationCryptogramError) -> [UInt8] {
        guard let bytes = value(.issuerApplicationData) else {
            throw .missing(.issuerApplicationData)
        }
        guard recipe.issuerDataCounts.contains(bytes.count) else {
            throw .wrongLength(.issuerApplicationData, byteCount: bytes.count)
        }
        return bytes
    }

    /// Reads the index of the limited use key in Issuer Application Data of format 2 or 4.
    private func limitedUseKeyIndex(
        _ issuerData: [UInt8]
    ) throws(ApplicationCryptogramError) -> LimitedUseKeyIndex {
        let bytes = [UInt8](issuerData[12..<16])
        guard let index = LimitedUseKeyIndex(derivationData: bytes) else {
            throw .malformed(.issuerApplicationData)
        }
        return index
    }

    /// The bytes of Issuer Application Data (9F10) that end the input.
    private func signedPart(of issuerData: [UInt8], cloudInput: CloudInput) -> [UInt8] {
        if recipe.sessionKey == .limitedUse {
            return switch cloudInput {
            case .issuerApplicationData: issuerData
            case .withoutLength: [UInt8](issuerData.dropFirst())
            case .verificationResults: [UInt8](issuerData[3..<7])
            }
        }
        return switch recipe.signedPart {
        case .whole: issuerData
        case .bytes(let ranges): ranges.flatMap { issuerData[$0] }
        }
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

/// Why no cryptogram can be computed over the data objects sent.
public enum ApplicationCryptogramError: Error, Hashable, Sendable {
    /// A data object was not sent.
    case missing(Tag)
    /// A data object has a length that it never has.
    case wrongLength(Tag, byteCount: Int)
    /// A data object holds something that cannot be in it.
    case malformed(Tag)
}

#endif
