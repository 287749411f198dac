import BERTLV
public import EMVCrypto
public import EMVData
public import Profiles

/// Tells genuine cryptograms from others, and answers them so that the card knows its issuer.
///
/// It remembers the counters of every card it has seen: a cryptogram is good once.
public struct CryptogramVerifier: Sendable {
    private let issuers: [IssuerProfile]
    private var histories: [CardName: CounterHistory] = [:]

    /// What tells one card from all others.
    private struct CardName: Hashable {
        var number: PrimaryAccountNumber
        var sequenceNumber: UInt8
    }

    /// Starts with no card seen.
    public init(issuers: [IssuerProfile]) { self.issuers = issuers }

    /// Finds whose card a number belongs to; the longest identification number that fits wins.
    public func issuer(of number: PrimaryAccountNumber) -> IssuerProfile? {
        issuers.filter { $0.issues(number.digits) }
            .max { $0.identificationNumber.count < $1.identificationNumber.count }
    }

    /// Checks the cryptogram and the counter of a request.
    ///
    /// The counter is remembered when the cryptogram is genuine, and only then: nobody else can use one up.
    /// - Parameters:
    ///   - request: The request.
    ///   - issuer: Whose card it is.
    /// - Returns: What to answer with, or why the request is declined.
    public mutating func verify(
        _ request: PaymentRequest,
        of issuer: IssuerProfile
    ) -> Result<GenuineCryptogram, CryptogramRefusal> {
        guard let issuerData = request.message.value(.issuerApplicationData) else {
            return .refused(.formatError, "9F10 is missing in the request")
        }
        guard let version = ApplicationCryptogram(issuer.scheme, issuerData) else {
            return .refused(
                .wrongCryptogram,
                "the cryptogram version in 9F10 is not one this issuer makes"
            )
        }
        let cardKey = issuer.masterKey.cardKey(
            pan: request.accountNumber.digits,
            sequenceNumber: request.sequenceNumber
        )
        do throws(ApplicationCryptogramError) {
            guard try version.verify(cardKey: cardKey, request.message.value) else {
                return .refused(.wrongCryptogram, "the cryptogram does not verify")
            }
        } catch {
            return .refused(.formatError, "\(error.tag) is missing or malformed in the request")
        }

        let name = CardName(
            number: request.accountNumber,
            sequenceNumber: request.sequenceNumber
        )
        if let refusal = histories[name, default: CounterHistory()].record(request.counter) {
            return .failure(CryptogramRefusal(decision: refusal.decision(on: request.counter)))
        }
        let kind = version.kind(in: issuerData)
        return .success(
            GenuineCryptogram(version: version, kind: kind, request: request, issuer: issuer)
        )
    }
}

/// A request whose cryptogram was made by the card it names.
public struct GenuineCryptogram: Sendable {
    /// How the cryptogram was made.
    public let version: ApplicationCryptogram
    /// What the card decided, as its verification results say, which the cryptogram covers.
    public let kind: CryptogramKind
    let request: PaymentRequest
    let issuer: IssuerProfile

    /// Answers the request with `decision` and the Issuer Authentication Data (91) that proves it.
    public func response(_ decision: Decision) -> AuthorizationResponse {
        let cardKey = issuer.masterKey.cardKey(
            pan: request.accountNumber.digits,
            sequenceNumber: request.sequenceNumber
        )
        let authenticationData = try? version.issuerAuthenticationData(
            cardKey: cardKey,
            responseCode: responseCode(decision),
            cardStatusUpdate: decision.isApproved ? approvingStatusUpdate : 0,
            request.message.value
        )
        return AuthorizationResponse(
            responseCode: decision.code.rawValue,
            issuerAuthenticationData: authenticationData,
            reason: decision.reason
        )
    }

    /// The two bytes an ARPC of method 1 covers: for Visa the response code, for M/Chip one of its own.
    private func responseCode(_ decision: Decision) -> UInt16 {
        switch version {
        case .mchipCVN10, .mchipCVN11, .mchipCVN14, .mchipCVN15:
            decision.isApproved ? approvingMChipCode : 0
        default:
            decision.code.rawValue.utf8.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
        }
    }
}

/// Card Status Update of an approval: issuer approves online (80), counters reset (02), both in byte 2.
///
/// EMV Book 3, Annex C9.
private let approvingStatusUpdate: UInt32 = 0x0082_0000

/// M/Chip's ARPC response code of an approval: approve online transaction, in byte 2.
private let approvingMChipCode: UInt16 = 0x0010

/// Why a cryptogram is refused.
public struct CryptogramRefusal: Error, Hashable, Sendable {
    /// What to answer.
    public var decision: Decision
}

extension Result where Success == GenuineCryptogram, Failure == CryptogramRefusal {
    fileprivate static func refused(_ code: ResponseCode, _ reason: String) -> Self {
        .failure(CryptogramRefusal(decision: Decision(code, reason)))
    }
}

extension ApplicationCryptogramError {
    /// The data object at fault.
    fileprivate var tag: Tag {
        switch self {
        case .missing(let tag), .wrongLength(let tag, _), .malformed(let tag): tag
        }
    }
}

extension ApplicationCryptogram {
    /// Reads the version from Issuer Application Data (9F10) as a scheme lays it out.
    fileprivate init?(_ scheme: Scheme, _ issuerData: [UInt8]) {
        switch scheme {
        case .visa: self.init(visa: issuerData)
        case .mastercard: self.init(mchip: issuerData)
        }
    }

    /// Reads what the card decided from the first byte of its verification results proper.
    ///
    /// Bits 8 and 7 tell of a second GENERATE AC, 10 when there was none; bits 6 and 5 of the first.
    fileprivate func kind(in issuerData: [UInt8]) -> CryptogramKind {
        let results =
            switch self {
            case .mchipCVN10, .mchipCVN11, .mchipCVN14, .mchipCVN15: issuerData[2]
            default: issuerData[4]
            }
        return CryptogramKind(rawValue: results >> 6 == 0b10 ? results << 2 : results)
    }
}
