import EMVCrypto
import EMVData
import Octets

extension DecodeCommand {
    /// Decodes a certificate or signature that stands alone.
    static func certificate(_ bytes: [UInt8], _ settings: DecodeSettings) -> Decoding {
        var decoding = Decoding(title: "Certificate", byteCount: bytes.count)
        var section = Decoding.Section(name: "fields")
        if let recovered = RecoveredCertificate(bytes, settings) {
            section.parts = recovered.parts(isOpen: settings.isOpen)
            decoding.isMasked = recovered.isMasked(isOpen: settings.isOpen)
        } else if let parts = ECCertificateParts.parts(of: bytes) {
            decoding.title = "Certificate, elliptic curve"
            section.parts = parts
        } else if !(RecoveredCertificate.byteCounts ~= bytes.count) {
            let counts = RecoveredCertificate.byteCounts
            decoding.faults = [
                Decoding.Fault(
                    offset: min(bytes.count, counts.upperBound),
                    sentence:
                        "a certificate is as long as a key, \(counts.lowerBound) to \(counts.upperBound) bytes"
                )
            ]
        } else {
            section.parts = [
                DecodedPart(
                    place: "RSA",
                    text:
                        "as long as a key of \(bytes.count * 8) bits; no key known here recovers it"
                ),
                DecodedPart(
                    place: "Try",
                    text:
                        "--ca-keys FILE for an issuer’s (90), --issuer-modulus for a card’s (9F46)"
                ),
            ]
        }
        decoding.sections = [section]
        return decoding
    }
}

/// A certificate or signature of RSA that a key known here recovers (EMV Book 2, 5 and 6).
struct RecoveredCertificate {
    /// How many bytes the keys of authorities, issuers and cards have.
    static let byteCounts = 64...248

    private let block: [UInt8]
    private let keyText: String
    private let keyName: String

    /// Tries the keys; nil when none gives a block of a known kind.
    init?(_ bytes: [UInt8], _ settings: DecodeSettings) {
        guard Self.byteCounts ~= bytes.count else { return nil }
        if let key = settings.issuerKey, let block = Self.block(bytes, key) {
            (self.block, keyName, keyText) = (block, "Issuer’s key", "\(bytes.count * 8) bits")
            return
        }
        for authority in settings.keys {
            guard let block = Self.block(bytes, authority.key), block[1] == 0x02 else { continue }
            (self.block, keyName) = (block, "CA key")
            keyText = "\(authority.rid.hex) \([authority.index].hex), \(bytes.count * 8) bits"
            return
        }
        return nil
    }

    private static func block(_ bytes: [UInt8], _ key: RSAPublicKey) -> [UInt8]? {
        guard let block = key.recover(bytes), block.first == 0x6A, block.last == 0xBC,
            2...5 ~= block[1]
        else { return nil }
        return block
    }

    /// Whether there is an account number that is not shown.
    func isMasked(isOpen: Bool) -> Bool { block[1] == 0x04 && !isOpen }

    /// The fields of the block; an account number is masked unless everything is open.
    func parts(isOpen: Bool) -> [DecodedPart] {
        let body = [DecodedPart(place: keyName, text: keyText)] + fields(isOpen: isOpen)
        let hash = DecodedPart(
            place: "Hash",
            digits: Array(block[(block.count - 21)..<(block.count - 1)]).hex,
            text: "not checked: " + hashed
        )
        return body + [hash]
    }

    private var hashed: String {
        switch block[1] {
        case 0x02: "it covers 92 and 9F32 as well"
        case 0x04: "it covers 9F48, 9F47 and the card’s static data as well"
        case 0x03: "it covers the card’s static data as well"
        default: "it covers the terminal’s data as well"
        }
    }

    private func fields(isOpen: Bool) -> [DecodedPart] {
        let end = block.count - 21
        func field(_ place: String, _ range: Range<Int>, _ text: String = "") -> DecodedPart {
            DecodedPart(
                place: place,
                digits: Array(block[range.clamped(to: 0..<end)]).hex,
                text: text
            )
        }
        switch block[1] {
        case 0x02:
            return [
                field("Format", 1..<2, "an issuer’s certificate"),
                field("Issuer identifier", 2..<6),
            ]
                + key(at: 6)
        case 0x04:
            let digits = PackedDigits.nibbles(block[2..<12]).prefix { $0 <= 9 }
            let number = PrimaryAccountNumber(digits: Array(digits))
            let text = isOpen ? number?.text : number?.masked
            return [
                field("Format", 1..<2, "a card’s certificate"),
                DecodedPart(place: "PAN", digits: text ?? "", text: number == nil ? "none" : ""),
            ] + key(at: 12)
        case 0x03:
            return [
                field("Format", 1..<2, "signed static data (93)"), field("Hash algorithm", 2..<3),
                field("Authentication code", 3..<5),
            ]
        default:
            let count = Int(block[3])
            return [
                field("Format", 1..<2, "signed dynamic data (9F4B)"),
                field("Hash algorithm", 2..<3), field("Dynamic data", 4..<(4 + count)),
            ]
        }
    }

    /// The fields that both certificates end with.
    private func key(at start: Int) -> [DecodedPart] {
        let end = block.count - 21
        let expiry = CertificateExpiry(bytes: Array(block[start..<start + 2]))
        let count = Int(block[start + 7])
        let room = end - start - 9
        let rest = count > room ? "\(count - room) bytes more in the remainder" : ""
        func field(_ place: String, _ range: Range<Int>, _ text: String = "") -> DecodedPart {
            DecodedPart(place: place, digits: Array(block[range]).hex, text: text)
        }
        return [
            field(
                "Good until",
                start..<start + 2,
                expiry.map { "\($0.month < 10 ? "0" : "")\($0.month)/\($0.year)" } ?? "no month"
            ),
            field("Serial number", start + 2..<start + 5),
            field(
                "Hash algorithm",
                start + 5..<start + 6,
                block[start + 5] == 1 ? "SHA-1" : "unknown"
            ),
            field(
                "Key algorithm",
                start + 6..<start + 7,
                block[start + 6] == 1 ? "RSA" : "unknown"
            ),
            field("Key length", start + 7..<start + 8, count.byteText),
            field("Exponent length", start + 8..<start + 9, Int(block[start + 8]).byteText),
            field("Key", start + 9..<start + 9 + min(count, room), rest),
        ]
    }
}

/// The fields of an elliptic curve certificate (Book E, 5.3).
private enum ECCertificateParts {
    static func parts(of bytes: [UInt8]) -> [DecodedPart]? {
        guard bytes.count > 21 else { return nil }
        let isIssuers = bytes.starts(with: [0x12, 0x00])
        guard isIssuers || bytes.starts(with: [0x14, 0x00, 0x00]) else { return nil }
        let keyCount = isIssuers ? SignatureSuite(rawValue: bytes[7]).fieldByteCount : 32
        let keyStart = isIssuers ? 21 : 49
        guard let keyCount, bytes.count > keyStart + keyCount else { return nil }
        func field(_ place: String, _ range: Range<Int>, _ text: String = "") -> DecodedPart {
            DecodedPart(place: place, digits: Array(bytes[range]).hex, text: text)
        }
        let head =
            isIssuers
            ? [
                field("Format", 0..<1, "an issuer’s certificate"),
                field("Issuer identifier", 2..<7),
                field("Suite", 7..<8, keyCount == 32 ? "P-256, SHA-256" : "P-521, SHA-512"),
                field("Good until", 8..<12, day(bytes[8..<12])), field("Serial number", 12..<15),
                field("RID", 15..<20), field("CA key index", 20..<21),
            ]
            : [
                field("Format", 0..<1, "a card’s certificate"), field("Suite", 2..<3),
                field("Good until", 3..<9, day(bytes[3..<9])), field("Serial number", 9..<15),
                field("Hash algorithm", 16..<17), field("Hash of static data", 17..<49),
            ]
        return head + [
            field("Key", keyStart..<keyStart + keyCount),
            field(
                "Signature",
                keyStart + keyCount..<bytes.count,
                "not checked: tapwire crypto certificate does, with --ca-x or --issuer-x"
            ),
        ]
    }

    /// A day, and with two bytes more the minute, as people write them.
    private static func day(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array(Array(bytes).hex)
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        let day = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
        return digits.count < 12 ? day : day + "T\(part(8..<10)):\(part(10..<12))"
    }
}
