import EMVData
import ISO7816
import Octets

/// The bytes of an answer to reset (ISO 7816-3, 8.2).
enum AnswerParts {
    /// Every byte with its name and what it says.
    static func parts(of answer: AnswerToReset) -> [DecodedPart] {
        var parts = head(answer.bytes)
        for byte in answer.interfaceBytes {
            parts.append(
                DecodedPart(
                    place: byte.name,
                    digits: [byte.value].hex,
                    text: meaning(of: byte, in: answer)
                )
            )
        }
        if !answer.historicalBytes.isEmpty {
            parts.append(
                DecodedPart(
                    place: "Historical",
                    digits: answer.historicalBytes.hex,
                    text: answer.historicalBytes.quotedText ?? ""
                )
            )
        }
        let count = 2 + answer.interfaceBytes.count + answer.historicalBytes.count
        if count < answer.bytes.count {
            parts.append(
                DecodedPart(place: "TCK", digits: [answer.bytes[count]].hex, text: "right")
            )
        }
        let protocols = answer.protocols.map { "T=\($0)" }.joined(separator: ", ")
        return parts + [
            DecodedPart(place: "Protocols", text: protocols),
            DecodedPart(place: "Card", text: card(answer.interface)),
        ]
    }

    /// What can be said of the beginning of a malformed one.
    static func readable(_ bytes: [UInt8]) -> [DecodedPart] {
        guard let first = bytes.first, first == 0x3B || first == 0x3F else { return [] }
        return head(bytes)
    }

    private static func head(_ bytes: [UInt8]) -> [DecodedPart] {
        var parts: [DecodedPart] = []
        if let first = bytes.first {
            let convention = first == 0x3B ? "direct convention" : "inverse convention"
            parts.append(DecodedPart(place: "TS", digits: [first].hex, text: convention))
        }
        if bytes.count > 1 {
            let count = bytes[1] & 0x0F
            let names = [("TA1", 0x10), ("TB1", 0x20), ("TC1", 0x40), ("TD1", 0x80)]
            let present = names.filter { bytes[1] & UInt8($0.1) != 0 }.map(\.0)
            let text = (present + ["\(count) historical bytes"]).joined(separator: ", ")
            parts.append(DecodedPart(place: "T0", digits: [bytes[1]].hex, text: text))
        }
        return parts
    }

    private static func meaning(
        of byte: AnswerToReset.InterfaceByte,
        in answer: AnswerToReset
    ) -> String {
        let low = byte.value & 0x0F
        if byte.name.hasPrefix("TD") {
            let level = (Int(byte.name.dropFirst(2)) ?? 0) + 1
            let names = [("TA", 0x10), ("TB", 0x20), ("TC", 0x40), ("TD", 0x80)]
            let present = names.filter { byte.value & UInt8($0.1) != 0 }.map { "\($0.0)\(level)" }
            return (["T=\(low)"] + present).joined(separator: ", ")
        }
        switch byte.name {
        case "TA1":
            guard let clock = clockRates[Int(byte.value >> 4)], let bit = bitRates[Int(low)] else {
                return "reserved"
            }
            return "Fi \(clock), Di \(bit): \(clock / bit) clock cycles a bit"
        case "TB1": return byte.value == 0 ? "no programming voltage" : "programming voltage"
        case "TC1":
            return byte.value == 0xFF ? "shortest guard time" : "extra guard time \(byte.value)"
        case "TA2":
            return "specific mode, T=\(low)" + (byte.value & 0x80 != 0 ? ", cannot change" : "")
        case "TC2": return "waiting time \(byte.value)"
        case "TA3" where answer.protocols.contains(1): return "IFSC \(byte.value)"
        case "TB3" where answer.protocols.contains(1):
            return "BWI \(byte.value >> 4), CWI \(low)"
        case "TC3" where answer.protocols.contains(1):
            return byte.value & 1 == 0 ? "LRC" : "CRC"
        default: return ""
        }
    }

    /// Fi by its four bits (ISO 7816-3, table 7).
    private static let clockRates: [Int: Int] = [
        0: 372, 1: 372, 2: 558, 3: 744, 4: 1116, 5: 1488, 6: 1860, 9: 512, 10: 768, 11: 1024,
        12: 1536, 13: 2048,
    ]
    /// Di by its four bits (ISO 7816-3, table 8).
    private static let bitRates: [Int: Int] = [
        1: 1, 2: 2, 3: 4, 4: 8, 5: 16, 6: 32, 7: 64, 8: 12, 9: 20,
    ]

    private static func card(_ interface: AnswerToReset.Interface) -> String {
        switch interface {
        case .contact: "with contacts"
        case .contactless: "contactless (ISO 14443-4), as a PC/SC reader shows it"
        case .contactlessStorage: "contactless without an operating system, such as MIFARE"
        }
    }
}

extension AnswerToReset.Failure {
    /// Where it is wrong.
    var offset: Int {
        switch self {
        case .truncated(let offset), .excessBytes(let offset): offset
        case .initialCharacter: 0
        case .checkCharacter: 1
        }
    }

    /// What is wrong, for people.
    var sentence: String {
        switch self {
        case .truncated: "the bytes end before all that T0 and TD announce"
        case .excessBytes: "there are more bytes than T0 and TD announce"
        case .initialCharacter(let byte): "an ATR begins with 3B or 3F, not \(byte.hex)"
        case .checkCharacter: "the check character TCK does not fit the bytes from here on"
        }
    }
}
