import CommandLineKit
import EMVData
import Foundation
import Octets
import TerminalKernels

/// What the command line says about the payment itself.
struct PaymentOptions {
    /// The transaction types by their words.
    static let types: [(word: String, type: TransactionType)] = [
        ("purchase", .purchase), ("refund", .refund), ("cash", .cash), ("cashback", .cashback),
    ]

    /// The options that say what is paid.
    static let options: [CommandOption] = [
        .value("amount", "AMOUNT", "How much, in the main unit: 12.34."),
        .value("currency", "CODE", "The currency's three letters.", default: "EUR"),
        .choice("type", types.map(\.word), "What the payment is for.", default: "purchase"),
        .value("cashback", "AMOUNT", "How much of the amount is paid out in cash."),
    ]

    /// The options that make a run repeatable.
    static let repeating = CommandOption.Group(
        "Repeating a run",
        [
            .value(
                "date",
                "DATE",
                "The day, 2026-11-30, or day and time, 2026-11-30T14:05:00; a day alone means noon."
            ),
            .value(
                "seed",
                "NUMBER",
                "All random numbers follow from it; without --date it is noon."
            ),
            .value("un", "HEX", "The terminal's unpredictable number (9F37), four bytes."),
        ]
    )

    /// The option that has a trace written.
    static let trace = CommandOption.value(
        "trace",
        "FILE",
        "Also writes the exchanges to a file."
    )

    /// The options that say how a payment is shown.
    static let output: [CommandOption] = [
        .flag("json", "Prints JSON."), trace,
        .flag("unmask", "Shows account numbers and track data whole."),
    ]

    /// How much; nil when the command line does not say.
    var amount: Amount?
    /// How much of it is paid out; nil when nothing is.
    var amountOther: Amount?
    /// The currency.
    var currency: Currency
    /// What the payment is for.
    var type: TransactionType
    /// The day.
    var date: TransactionDate
    /// Transaction Time (9F21), three bytes.
    var time: [UInt8]
    /// The seed of all random numbers; nil for the system's.
    var seed: UInt64?
    /// The terminal's unpredictable number; nil when it is drawn.
    var unpredictableNumber: UInt32?

    /// Reads the options.
    /// - Throws: `CommandFailure` with `ExitCode.usage`.
    init(_ arguments: Arguments) throws {
        let currency =
            try arguments.value(
                "currency",
                expecting: "a currency of ISO 4217, such as EUR or USD",
                read: { Currency(alphabetic: $0) }
            ) ?? .eur
        self.currency = currency
        amount = try Self.amount("amount", arguments, currency)
        amountOther = try Self.amount("cashback", arguments, currency)
        type = Self.types.first { $0.word == arguments["type"] }?.type ?? .purchase
        seed = try arguments.value("seed", expecting: "a whole number from 0 up") {
            UInt64(digits: $0)
        }
        unpredictableNumber = try arguments.value(
            "un",
            expecting: "four bytes in hexadecimal, such as 12345678"
        ) { text in
            guard let bytes = try? [UInt8](hex: text), bytes.count == 4 else { return nil }
            return bytes.reduce(0) { $0 << 8 | UInt32($1) }
        }
        let moment =
            try arguments.value(
                "date",
                expecting: "a day of 1950 to 2049 such as 2026-11-30, or 2026-11-30T14:05:00",
                read: Moment.init(text:)
            ) ?? Moment.now(atNoon: seed != nil)
        date = moment.date
        time = moment.time
        try checkCashback()
    }

    /// The payment, the first one of a terminal being number 1.
    /// - Precondition: There is an amount.
    func transaction(number: Int = 1) -> Transaction {
        guard let amount else { preconditionFailure("a payment needs an amount") }
        return Transaction(
            amount: amount,
            amountOther: amountOther,
            type: type,
            date: date,
            time: time,
            sequenceCounter: UInt32(truncatingIfNeeded: number)
        )
    }

    private func checkCashback() throws {
        guard type == .cashback else {
            guard amountOther == nil else {
                throw CommandFailure(.usage, "--cashback needs --type cashback")
            }
            return
        }
        guard let amountOther, let amount else {
            throw CommandFailure(
                .usage,
                "--type cashback needs --amount and, as a part of it, --cashback"
            )
        }
        guard amountOther.minorUnits > 0, amountOther.minorUnits <= amount.minorUnits else {
            throw CommandFailure(
                .usage,
                "--cashback \(amountOther.decimalText) is not a part of --amount \(amount.decimalText)"
            )
        }
    }

    private static func amount(
        _ name: String,
        _ arguments: Arguments,
        _ currency: Currency
    ) throws -> Amount? {
        guard let text = arguments[name] else { return nil }
        do throws(EMVDataError) {
            return try Amount(parsing: text, currency: currency)
        } catch {
            let problem: String
            switch error.reason {
            case .tooManyDecimals where currency.exponent == 0:
                problem = "\(currency) has no decimals; leave them out of"
            case .tooManyDecimals:
                problem = "\(currency) has \(currency.exponent) decimals; there are more in"
            case .amountTooLarge: problem = "an amount has at most twelve digits; there are more in"
            default: problem = "an amount is written 12.34, not"
            }
            throw CommandFailure(.usage, "--\(name): \(problem) \(text.quoted)")
        }
    }
}

/// A day and a time of day, as a terminal knows them.
struct Moment {
    /// The day.
    var date: TransactionDate
    /// Hours, minutes and seconds, three bytes of format n.
    var time: [UInt8]

    /// Noon, three bytes of format n.
    private static let noon: [UInt8] = [0x12, 0x00, 0x00]

    /// Reads `2026-11-30`, which means noon, or `2026-11-30T14:05:00`; nil for anything else.
    init?(text: String) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, let date = TransactionDate(text: parts[0]) else { return nil }
        self.date = date
        time = Self.noon
        guard parts.count == 2 else { return }
        let fields = parts[1].split(separator: ":", omittingEmptySubsequences: false)
        let limits: [UInt64] = [24, 60, 60]
        guard fields.count == 3, fields.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        time = []
        for (field, limit) in zip(fields, limits) {
            guard let digits = PackedDigits.digits(of: field),
                let packed = PackedDigits.numeric(digits, byteCount: 1),
                UInt64(digits[0]) * 10 + UInt64(digits[1]) < limit
            else { return nil }
            time += packed
        }
    }

    private init(date: TransactionDate, time: [UInt8]) {
        self.date = date
        self.time = time
    }

    /// This moment, where the machine is.
    /// - Parameter atNoon: Whether the time of day is left out.
    /// - Returns: The moment.
    /// - Throws: `CommandFailure` when the clock is outside the years a terminal knows.
    static func now(atNoon: Bool) throws -> Moment {
        let now = LocalTime(secondsSince1970: Int64(Date().timeIntervalSince1970))
        guard let date = TransactionDate(year: now.year, month: now.month, day: now.day)
        else {
            throw CommandFailure(
                .usage,
                "the machine's clock is outside 1950 to 2049; give the day with --date"
            )
        }
        let fields = [now.hour, now.minute, now.second]
        let time = fields.flatMap { PackedDigits.numeric(UInt64($0), byteCount: 1) ?? [0] }
        return Moment(date: date, time: atNoon ? noon : time)
    }
}
