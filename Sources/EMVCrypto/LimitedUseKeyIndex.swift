#if !hasFeature(Embedded)
import Octets

/// What a Visa limited use key (LUK) is derived for: the hour it was made in, and a counter.
///
/// The digits are the last of the year, the hour since its beginning, and the keys made in that hour before:
/// YHHHHCC. Visa's cloud-based payments specification is not public; what is here agrees with captures of a
/// commercial calculator, which also takes two digits of the year.
public struct LimitedUseKeyIndex: Hashable, Sendable {
    /// Seven digits, or eight with two of the year.
    public let digits: [UInt8]

    /// Wraps seven or eight digits; nil when there are others or more, or when no year has such an hour.
    public init?(digits: [UInt8]) {
        guard 7...8 ~= digits.count, digits.allSatisfy({ $0 <= 9 }) else { return nil }
        let hour = digits.dropLast(2).suffix(4).reduce(0) { $0 * 10 + Int($1) }
        // Of a year with one digit it is only known that an odd one is no leap year.
        let years = digits.count == 8 ? Int(digits[0] * 10 + digits[1]) : Int(digits[0] % 2)
        guard 1...Self.hourCount(ofYear: 2000 + years) ~= hour else { return nil }
        self.digits = digits
    }

    /// How much of the year stands in front.
    public enum YearForm: Int, Hashable, Sendable, CaseIterable {
        /// Its last digit, as cards carry it.
        case oneDigit = 1
        /// Its last two digits.
        case twoDigits = 2
    }

    /// Puts an index together; nil when a number is out of range.
    /// - Parameters:
    ///   - year: With its century.
    ///   - hour: Hours since the year began, 1 to 8760, in a leap year to 8784.
    ///   - counter: Keys made in the same hour before, 0 to 99.
    ///   - yearForm: How many digits of the year to take.
    public init?(year: Int, hour: Int, counter: Int, yearForm: YearForm = .oneDigit) {
        guard year >= 0, 1...Self.hourCount(ofYear: year) ~= hour, 0...99 ~= counter else {
            return nil
        }
        let yearDigits = [year / 10 % 10, year % 10].suffix(yearForm.rawValue)
        let rest = [
            hour / 1000, hour / 100 % 10, hour / 10 % 10, hour % 10, counter / 10, counter % 10,
        ]
        digits = (yearDigits + rest).map { UInt8($0) }
    }

    /// How many hours a year has.
    public static func hourCount(ofYear year: Int) -> Int {
        let isLeap =
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return isLeap ? 8784 : 8760
    }

    /// Reads the four bytes in which Visa Issuer Application Data of format 2 or 4 carries the index.
    public init?(derivationData bytes: [UInt8]) {
        let nibbles = PackedDigits.nibbles(bytes)
        guard nibbles.count == 8, nibbles[0] == 0 else { return nil }
        self.init(digits: [UInt8](nibbles[1...]))
    }

    /// The four bytes in which Issuer Application Data carries an index with one digit of the year: 0YHHHHCC.
    public var derivationData: UInt32 { digits.suffix(7).reduce(0) { $0 << 4 | UInt32($1) } }

    /// The block whose encipherment is the first or second half of the key.
    public func block(_ number: UInt8) -> UInt64 {
        let nibbles = [number] + digits + [8]
        let padded = nibbles + [UInt8](repeating: 0, count: 16 - nibbles.count)
        return padded.reduce(0) { $0 << 4 | UInt64($1) }
    }
}

extension TripleDES {
    /// Derives a limited use key from the loaded card key; its parity is not adjusted.
    public mutating func limitedUseKey(_ index: LimitedUseKeyIndex) -> DoubleLengthKey {
        DoubleLengthKey(
            encrypting: index.block(1),
            index.block(2),
            with: cipher,
            adjustsParity: false
        )
    }

    /// Computes the three digits by which a magnetic stripe transaction proves the loaded limited use key.
    /// - Parameters:
    ///   - counter: Application Transaction Counter (9F36).
    ///   - deviceType: The 48 bits behind the counter, 1 unless the scheme says otherwise.
    /// - Returns: Three digits.
    public mutating func magneticStripeVerificationValue(
        counter: UInt16,
        deviceType: UInt64 = 1
    ) -> [UInt8] {
        precondition(deviceType >> 48 == 0)
        let block = encrypt(UInt64(counter) << 48 | deviceType)
        return decimalDigits(of: block.bigEndianBytes, count: 3)
    }
}

/// Makes digits of bytes: the decimal nibbles, then the others with A to F read as 0 to 5.
func decimalDigits(of bytes: [UInt8], count: Int) -> [UInt8] {
    let nibbles = PackedDigits.nibbles(bytes)
    let digits = nibbles.filter { $0 <= 9 } + nibbles.filter { $0 > 9 }.map { $0 - 10 }
    return [UInt8](digits.prefix(count))
}

#endif
