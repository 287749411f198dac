#if !hasFeature(Embedded)
import Octets

/// A day as EMV writes it, YYMMDD in three bytes (9A, 5F24, 5F25).
///
/// Years 00 to 49 are of this century, 50 to 99 of the last. EMV Book 4, 6.7.3.
public struct TransactionDate: Hashable, Sendable {
    /// The year, 1950 to 2049.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day, 1 to 31; cards may give 31 for the end of any month.
    public let day: Int

    /// Creates a day of the calendar; nil when it does not exist or lies outside 1950 to 2049.
    public init?(year: Int, month: Int, day: Int) {
        guard 1950...2049 ~= year, 1...12 ~= month, 1...Self.dayCount(year, month) ~= day else {
            return nil
        }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads the three bytes; nil when they are not digits of a month and a day up to 31.
    public init?(bytes: [UInt8]) {
        let digits = PackedDigits.nibbles(bytes).map(Int.init)
        guard digits.count == 6, digits.allSatisfy({ $0 <= 9 }) else { return nil }
        let shortYear = digits[0] * 10 + digits[1]
        year = shortYear < 50 ? 2000 + shortYear : 1900 + shortYear
        month = digits[2] * 10 + digits[3]
        day = digits[4] * 10 + digits[5]
        guard 1...12 ~= month, 1...31 ~= day else { return nil }
    }

    /// Reads a day of the calendar written as `2026-11-30`; nil when the text is anything else.
    public init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2] else { return nil }
        let numbers = parts.compactMap { part in
            PackedDigits.digits(of: part)?.reduce(0) { $0 * 10 + Int($1) }
        }
        guard numbers.count == 3 else { return nil }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// Whether the month has such a day; cards may give 31 for the end of any month.
    public var isInCalendar: Bool { day <= Self.dayCount(year, month) }

    /// The three bytes.
    public var bytes: [UInt8] {
        [year % 100, month, day].map { UInt8(($0 / 10) << 4 | $0 % 10) }
    }

    /// How many days a month has.
    private static func dayCount(_ year: Int, _ month: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        // The one century in range, 2000, was a leap year.
        case 2: year.isMultiple(of: 4) ? 29 : 28
        default: 31
        }
    }
}

extension TransactionDate: Comparable {
    /// Orders by calendar.
    public static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension TransactionDate: CustomStringConvertible {
    /// The day as `2026-11-30`.
    public var description: String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(padded(month))-\(padded(day))"
    }
}

#endif
