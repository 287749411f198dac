import EMVCrypto
import EMVData
import Octets
import Profiles

/// How many bytes a member may have where nothing else limits it.
private let anyCount = 0...4096

extension JSONObject {
    /// Bytes of any count.
    mutating func hex(_ name: String) throws(ProfilesError) -> [UInt8] { try hex(name, anyCount) }

    /// Bytes of any count; nil when the member is not there.
    mutating func optionalHex(_ name: String) throws(ProfilesError) -> [UInt8]? {
        try optionalHex(name, anyCount)
    }

    /// A list of bytes.
    mutating func hexList(
        _ name: String,
        _ counts: ClosedRange<Int>
    ) throws(ProfilesError) -> [[UInt8]] {
        var list: [[UInt8]] = []
        for element in try elements(name) {
            list.append(try Self.hex(element.value, element.path, counts))
        }
        return list
    }

    /// A number in as many bytes as its type has, most significant first.
    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ name: String,
        as type: Number.Type = Number.self
    ) throws(ProfilesError) -> Number {
        let count = Number.bitWidth / 8
        return try hex(name, count...count).reduce(0) { $0 << 8 | Number($1) }
    }

    /// A number in as many bytes as its type has; nil when the member is not there.
    mutating func optionalNumber<Number: FixedWidthInteger & UnsignedInteger>(
        _ name: String,
        as type: Number.Type = Number.self
    ) throws(ProfilesError) -> Number? {
        has(name) ? try number(name, as: type) : nil
    }

    /// A DES key of two halves, 16 bytes.
    mutating func desKey(_ name: String) throws(ProfilesError) -> [UInt8] { try hex(name, 16...16) }

    /// The digits of an account number, one an element.
    mutating func accountNumber(_ name: String) throws(ProfilesError) -> [UInt8] {
        try digits(name, 0...30)
    }

    /// A day as a terminal gives it (9A), three bytes; nil when the member is not there.
    mutating func optionalDate(_ name: String) throws(ProfilesError) -> TransactionDate? {
        guard let bytes = try optionalHex(name, 3...3) else { return nil }
        guard let date = TransactionDate(bytes: bytes), date.isInCalendar else {
            throw ProfilesError(path(to: name), "must be a day, YYMMDD, not \"\(bytes.hex)\"")
        }
        return date
    }

    /// A whole number that is not negative.
    mutating func count(
        _ name: String,
        _ range: ClosedRange<Int>
    ) throws(ProfilesError) -> Int {
        Int(try integer(name, in: UInt64(range.lowerBound)...UInt64(range.upperBound)))
    }

    /// A value by the name it has in Swift.
    mutating func named<Value>(_ name: String, among values: [Value]) throws(ProfilesError) -> Value
    {
        let text = try string(name)
        guard let value = values.first(where: { "\($0)" == text }) else {
            let names = values.map { "\"\($0)\"" }.joined(separator: ", ")
            throw ProfilesError(path(to: name), "must be one of \(names), not \"\(text)\"")
        }
        return value
    }
}

extension DoubleLengthKey {
    /// Reads a key of a case, which has 16 bytes.
    init(_ bytes: [UInt8]) {
        guard let key = DoubleLengthKey(bytes.span) else { preconditionFailure("\(bytes.count)") }
        self = key
    }

    /// The first bytes of a zero block enciphered with the key, of which sources give some.
    var longCheckValue: [UInt8] {
        var cipher = TripleDES(key: self)
        return cipher.encrypt(0).bigEndianBytes
    }
}
