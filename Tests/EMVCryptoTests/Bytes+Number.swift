import EMVCrypto
import Octets
import TestSupport
import Testing

extension HexBytes {
    /// The bytes as a number, most significant first.
    var number: UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

extension DoubleLengthKey {
    /// Reads a key from the bytes of a vector.
    init(_ bytes: HexBytes) {
        precondition(bytes.bytes.count == 16)
        let left = UInt64(bigEndian: bytes.bytes.span, at: 0)
        self.init(left: left, right: UInt64(bigEndian: bytes.bytes.span, at: 8))
    }

    /// The first bytes of a zero block enciphered with the key.
    func checkValue(byteCount: Int) -> [UInt8] {
        var cipher = TripleDES(key: self)
        let block = cipher.encrypt(0)
        return (0..<byteCount).map { UInt8(truncatingIfNeeded: block >> (56 - UInt64($0) * 8)) }
    }
}

/// Reads a PAN, one digit an element.
func panDigits(_ text: String?) throws -> [UInt8] {
    try #require(text.flatMap { PackedDigits.digits(of: $0) })
}
