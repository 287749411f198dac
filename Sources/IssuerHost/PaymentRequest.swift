public import BERTLV
public import EMVData

/// A request for authorisation, read as far as an issuer needs it to decide.
public struct PaymentRequest: Hashable, Sendable {
    /// The card's account number (5A, or 57 without it).
    public let accountNumber: PrimaryAccountNumber
    /// PAN sequence number (5F34) as the card carries it; zero when it was not sent.
    public let sequenceNumber: UInt8
    /// Amount authorised (9F02) in the transaction's currency (5F2A).
    public let amount: Amount
    /// Transaction date (9A).
    public let date: TransactionDate
    /// Transaction type (9C).
    public let type: TransactionType
    /// Application Transaction Counter (9F36).
    public let counter: UInt16
    /// The request as it was sent.
    public let message: AuthorizationRequest

    /// Reads a request.
    /// - Throws: The first object missing or malformed.
    public init(_ message: AuthorizationRequest) throws(PaymentRequestError) {
        self.message = message
        accountNumber = try Self.accountNumber(in: message)
        sequenceNumber = try Self.sequenceNumber(in: message)
        let currency = try Self.read(.transactionCurrencyCode, message, Currency.init(bytes:))
        amount = try Self.read(.amountAuthorised, message) {
            Amount(numeric: $0, currency: currency)
        }
        date = try Self.read(.transactionDate, message, TransactionDate.init(bytes:))
        type = try Self.read(.transactionType, message) {
            $0.count == 1 ? TransactionType(rawValue: $0[0]) : nil
        }
        counter = try Self.read(.applicationTransactionCounter, message) {
            $0.count == 2 ? UInt16($0[0]) << 8 | UInt16($0[1]) : nil
        }
    }

    private static func read<Value>(
        _ tag: Tag,
        _ message: AuthorizationRequest,
        _ convert: ([UInt8]) -> Value?
    ) throws(PaymentRequestError) -> Value {
        guard let bytes = message.value(tag) else { throw .missing(tag) }
        guard let value = convert(bytes) else { throw .malformed(tag) }
        return value
    }

    /// Reads the account number of a request alone, to find out who is to answer it.
    /// - Throws: The object missing or malformed.
    public static func accountNumber(
        in message: AuthorizationRequest
    ) throws(PaymentRequestError) -> PrimaryAccountNumber {
        let tracked = try message.value(.track2EquivalentData).map {
            bytes throws(PaymentRequestError) in
            do throws(EMVDataError) {
                return try Track2(parsing: bytes).accountNumber
            } catch {
                throw .malformed(.track2EquivalentData)
            }
        }
        guard let bytes = message.value(.applicationPAN) else {
            guard let tracked else { throw .missing(.applicationPAN) }
            return tracked
        }
        do throws(EMVDataError) {
            let number = try PrimaryAccountNumber(parsing: bytes)
            if tracked == nil || tracked == number { return number }
        } catch {
            throw .malformed(.applicationPAN)
        }
        throw .contradictoryAccountNumbers
    }

    private static func sequenceNumber(
        in message: AuthorizationRequest
    ) throws(PaymentRequestError) -> UInt8 {
        guard let bytes = message.value(.panSequenceNumber) else { return 0 }
        guard bytes.count == 1, bytes[0] >> 4 <= 9, bytes[0] & 0x0F <= 9 else {
            throw .malformed(.panSequenceNumber)
        }
        return bytes[0]
    }
}

/// Why a request for authorisation cannot be read.
public enum PaymentRequestError: Error, Hashable, Sendable {
    /// A data object was not sent.
    case missing(Tag)
    /// A data object holds what it cannot hold.
    case malformed(Tag)
    /// Account number (5A) and track 2 (57) name different accounts.
    case contradictoryAccountNumbers
}

extension PaymentRequestError: CustomStringConvertible {
    /// The problem as a phrase.
    public var description: String {
        switch self {
        case .missing(let tag): "\(tag) is missing in the request"
        case .malformed(let tag): "\(tag) is malformed in the request"
        case .contradictoryAccountNumbers: "5A and 57 name different accounts"
        }
    }
}

extension Decision {
    /// Declines a request that cannot be read.
    public init(_ error: PaymentRequestError) {
        self.init(.formatError, error.description)
    }
}
