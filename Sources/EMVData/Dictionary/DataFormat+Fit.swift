#if !hasFeature(Embedded)
import Octets

extension DataFormat {
    /// Whether a value is written as the format demands (EMV Book 3, 4.3).
    ///
    /// Characters above 7F may be of any part of ISO 8859, which another object names (9F11).
    public func fits(_ value: [UInt8]) -> Bool {
        switch self {
        case .binary, .variable: true
        case .numeric: PackedDigits.nibbles(value).allSatisfy { $0 <= 9 }
        case .compressedNumeric:
            PackedDigits.nibbles(value).drop { $0 <= 9 }.allSatisfy { $0 == 0x0F }
        case .alphabetic: value.allSatisfy(\.isLetter)
        case .alphanumeric: value.allSatisfy { $0.isLetter || $0.isDigit }
        case .alphanumericSpecial: value.allSatisfy { 0x20...0x7E ~= $0 || $0 >= 0xA0 }
        }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self
    }

    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

#endif
