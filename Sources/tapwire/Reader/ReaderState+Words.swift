import CommandLineKit
import ISO7816
import Octets
import PCSC

// What is in a reader: `text` for people, `json` for programs.

extension PCSCReaderState {
    /// What is in the reader, for people.
    var text: String {
        guard flags.isCardPresent else {
            return flags.isUnknown || flags.isUnavailable ? "not available" : "empty"
        }
        var parts: [String] = []
        if flags.isMute {
            parts.append("a card that does not answer")
        } else if let answer = try? AnswerToReset(parsing: answerToReset) {
            parts.append(answer.interface.text)
            parts.append("ATR \(answer.bytes.hex)")
            parts.append(answer.protocolText)
            if !answer.historicalBytes.isEmpty {
                parts.append("historical bytes \(answer.historicalBytes.hex)")
            }
        } else {
            parts.append("a card, ATR \(answerToReset.hex) is not valid")
        }
        if flags.isExclusive {
            parts.append("used by another program alone")
        } else if flags.isInUse {
            parts.append("in use")
        }
        return parts.joined(separator: ", ")
    }

    /// The reader and what is in it, for programs.
    var json: [JSONValue.Member] {
        let answer = try? AnswerToReset(parsing: answerToReset)
        return [
            JSONValue.Member("name", .string(name)),
            JSONValue.Member("cardPresent", .bool(flags.isCardPresent)),
            JSONValue.Member("mute", .bool(flags.isMute)),
            JSONValue.Member("inUse", .bool(flags.isInUse)),
            JSONValue.Member("exclusive", .bool(flags.isExclusive)),
            JSONValue.Member("atr", answerToReset.isEmpty ? .null : .string(answerToReset.hex)),
            JSONValue.Member("interface", answer.map { .string($0.interface.word) } ?? .null),
            JSONValue.Member(
                "protocols",
                .array(answer?.protocols.map { .integer(Int64($0)) } ?? [])
            ),
            JSONValue.Member(
                "historicalBytes",
                answer.map { .string($0.historicalBytes.hex) } ?? .null
            ),
        ]
    }
}

extension AnswerToReset.Interface {
    /// The kind of card, for people.
    var text: String {
        switch self {
        case .contact: "a card with contacts"
        case .contactless: "a contactless card"
        case .contactlessStorage: "a contactless storage card, which cannot pay"
        }
    }

    /// The kind of card, for programs.
    var word: String {
        switch self {
        case .contact: "contact"
        case .contactless: "contactless"
        case .contactlessStorage: "contactlessStorage"
        }
    }
}

extension AnswerToReset {
    /// The protocols, for people: `T=0 and T=1`.
    fileprivate var protocolText: String {
        protocols.map { "T=\($0)" }.joined(separator: " and ")
    }
}
