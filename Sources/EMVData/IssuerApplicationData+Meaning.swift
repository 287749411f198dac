#if !hasFeature(Embedded)
import Octets

extension IssuerApplicationData {
    /// What the value says beside the bits of its results, part by part.
    public var parts: [String] {
        ["Format: \(name)", "Derivation key index: \([derivationKeyIndex].hex)", version] + rest
    }

    /// What the bits of the results mean, their bytes counted within the whole value.
    public var explanation: [(meaning: BitMeaning, isSet: Bool)] {
        let results = cardVerificationResults
        let explanation: [(meaning: BitMeaning, isSet: Bool)] =
            switch format {
            case .visa: CardVerificationResults.Visa(bytes: results)?.explanation ?? []
            case .visaDevice:
                CardVerificationResults.VisaDevice(bytes: results)?.explanation ?? []
            case .mchip: CardVerificationResults.MChip(bytes: results)?.explanation ?? []
            case .commonCore:
                CardVerificationResults.CommonCore(bytes: results)?.explanation ?? []
            case .lengthFirst: []
            }
        return explanation.map { ($0.meaning.moved(by: resultsRange.lowerBound), $0.isSet) }
    }

    private var name: String {
        switch format {
        case .visa(let number): "Visa, format \(number)"
        case .visaDevice(let number): "Visa, format \(number), for devices"
        case .mchip: bytes.count == 18 ? "M/Chip 4 or Advance" : "M/Chip Advance"
        case .commonCore: "Common Core Definitions"
        case .lengthFirst: "length, key index, version, results"
        }
    }

    /// The version as its scheme names it: Visa counts the first two formats in decimal, the others as the byte.
    private var version: String {
        let byte = [cryptogramVersion].hex
        return switch format {
        case .visa(0...1): "Cryptogram version: \(cryptogramVersion) (byte \(byte))"
        case .visa, .visaDevice, .lengthFirst: "Cryptogram version: \(byte)"
        case .mchip: "Cryptogram version: \(byte), \(sessionKey), \(countersUse)"
        case .commonCore: "Cryptogram version: \(byte), \(commonCoreCipher)"
        }
    }

    private var sessionKey: String {
        switch cryptogramVersion & 0x06 {
        case 0x00: "Mastercard's own session key"
        case 0x04: "EMV common session key"
        default: "unknown session key"
        }
    }

    private var countersUse: String {
        cryptogramVersion & 0x01 != 0
            ? "counters in the cryptogram" : "counters not in the cryptogram"
    }

    private var commonCoreCipher: String {
        switch cryptogramVersion {
        case 0xA5: "CCD 4.1 with triple DES"
        case 0xA6: "CCD 4.1 with AES"
        default: "unknown to CCD 4.1"
        }
    }

    /// What follows the results.
    private var rest: [String] {
        switch format {
        case .visa: return text("Issuer's data", 7..<bytes.count)
        case .lengthFirst:
            let end = Int(bytes[0]) + 1
            return text("Card Verification Results", resultsRange)
                + text("Behind the results", resultsRange.upperBound..<end)
                + text("Issuer's data", end..<bytes.count)
        case .visaDevice:
            return text("Wallet provider", 9..<13) + text("Derivation data", 13..<17)
                + text("Issuer's data", 17..<32)
        case .mchip:
            let counters = (bytes.count - 10) / 8 * 8
            return text("Authentication code or dynamic number", 8..<10)
                + text("Counters", 10..<10 + counters)
                + text("Last online counter", 10 + counters..<bytes.count)
        case .commonCore:
            return text("Counters", 8..<16) + text("Issuer's data", 17..<32)
        }
    }

    /// A part with its name; nothing where it has no bytes.
    private func text(_ name: String, _ range: Range<Int>) -> [String] {
        range.isEmpty ? [] : ["\(name): \(Array(bytes[range]).hex)"]
    }
}

#endif
