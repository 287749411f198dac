import EMVData
import Octets

/// Where the objects a card looks at lie in the values that answer one of its data object lists.
///
/// Offsets are found at personalisation, which also checks that every object has its full length.
public struct TerminalFields: Sendable {
    /// Terminal Transaction Qualifiers (9F66), four bytes.
    public var transactionQualifiers: Int?
    /// Amount, Authorised (9F02), six bytes.
    public var amount: Int?
    /// Transaction Currency Code (5F2A), two bytes.
    public var currency: Int?
    /// Terminal Country Code (9F1A), two bytes.
    public var country: Int?
    /// Transaction Date (9A), three bytes.
    public var date: Int?
    /// Transaction Type (9C), one byte.
    public var transactionType: Int?
    /// Unpredictable Number (9F37), four bytes.
    public var unpredictableNumber: Int?
    /// Terminal Type (9F35), one byte.
    public var terminalType: Int?
    /// CVM Results (9F34), three bytes.
    public var cvmResults: Int?

    /// Starts with nothing to find.
    public init() {}
}

/// The values a terminal sent for a data object list, seen in place.
struct TerminalValues: ~Escapable {
    let bytes: Span<UInt8>
    private let fields: TerminalFields

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ fields: TerminalFields) {
        self.bytes = bytes
        self.fields = fields
    }

    /// Whether every number that should be decimal digits is.
    var isWellFormed: Bool {
        (fields.amount == nil || amountMinorUnits != nil)
            && (fields.currency == nil || currency != nil)
            && (fields.date == nil || date != nil)
    }

    var transactionQualifiers: TerminalTransactionQualifiers? {
        fields.transactionQualifiers.map {
            TerminalTransactionQualifiers(
                rawValue: UInt32(truncatingIfNeeded: number(at: $0, byteCount: 4))
            )
        }
    }

    var amountMinorUnits: UInt64? { fields.amount.flatMap { decimal(at: $0, byteCount: 6) } }

    var currency: UInt16? {
        fields.currency.flatMap { decimal(at: $0, byteCount: 2) }
            .map(UInt16.init(truncatingIfNeeded:))
    }

    /// The two bytes as sent, since they are only compared.
    var country: UInt16? {
        fields.country.map { UInt16(truncatingIfNeeded: number(at: $0, byteCount: 2)) }
    }

    var date: UInt32? {
        fields.date.flatMap { decimal(at: $0, byteCount: 3) }.map(UInt32.init(truncatingIfNeeded:))
    }

    var transactionType: UInt8? { fields.transactionType.map { bytes[$0] } }

    var terminalType: UInt8? { fields.terminalType.map { bytes[$0] } }

    /// The first byte of the CVM results: the method performed.
    var cvmPerformed: UInt8? { fields.cvmResults.map { bytes[$0] } }

    var unpredictableNumber: Span<UInt8> {
        @_lifetime(copy self) get {
            guard let offset = fields.unpredictableNumber else { return Span() }
            return bytes.extracting(offset..<offset + 4)
        }
    }

    /// The bytes of the amount; empty when it was not asked for.
    var amountBytes: Span<UInt8> {
        @_lifetime(copy self) get {
            guard let offset = fields.amount else { return Span() }
            return bytes.extracting(offset..<offset + 6)
        }
    }

    /// The bytes of the currency; empty when it was not asked for.
    var currencyBytes: Span<UInt8> {
        @_lifetime(copy self) get {
            guard let offset = fields.currency else { return Span() }
            return bytes.extracting(offset..<offset + 2)
        }
    }

    private func number(at offset: Int, byteCount: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in offset..<offset + byteCount { number = number << 8 | UInt64(bytes[index]) }
        return number
    }

    /// Reads packed decimal digits; nil when a nibble is none.
    private func decimal(at offset: Int, byteCount: Int) -> UInt64? {
        var number: UInt64 = 0
        for index in offset..<offset + byteCount {
            let high = bytes[index] >> 4
            let low = bytes[index] & 0x0F
            guard high <= 9, low <= 9 else { return nil }
            number = number * 100 + UInt64(high * 10 + low)
        }
        return number
    }
}
