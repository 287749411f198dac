import BERTLV
import EMVData
import ISO7816
import Octets

/// The fields of a command.
enum CommandParts {
    /// Header, lengths and data, each with its meaning.
    /// - Parameters:
    ///   - command: The command.
    ///   - bytes: Its bytes.
    /// - Returns: The fields in order.
    static func parts(of command: CommandAPDU, _ bytes: [UInt8]) -> [DecodedPart] {
        guard bytes.count >= 4 else { return [] }
        let (first, second) = parameters(command)
        var parts = [
            DecodedPart(
                place: "CLA INS",
                digits: [bytes[0]].hex + " " + [bytes[1]].hex,
                text: command.code.name ?? "unknown"
            ),
            DecodedPart(
                place: "P1 P2",
                digits: [bytes[2]].hex + " " + [bytes[3]].hex,
                text: [first, second].filter { !$0.isEmpty }.joined(separator: ", ")
            ),
        ]
        if !command.body.isEmpty {
            parts.append(
                DecodedPart(
                    place: "Lc",
                    digits: lengthDigits(command.body.count, bytes),
                    text: "\(command.body.count.byteText) of data"
                )
            )
            parts.append(
                DecodedPart(place: "Data", digits: command.body.hex, text: data(of: command))
            )
        }
        if let expected = command.expectedLength {
            let isExtended = bytes.count > 5 && bytes[4] == 0
            parts.append(
                DecodedPart(
                    place: "Le",
                    digits: Array(bytes.suffix(isExtended ? 2 : 1)).hex,
                    text: "at most \(expected.byteText)"
                )
            )
        }
        return parts
    }

    private static func lengthDigits(_ count: Int, _ bytes: [UInt8]) -> String {
        bytes[4] == 0 ? Array(bytes[4..<7]).hex : [bytes[4]].hex
    }

    /// What P1 and P2 say.
    private static func parameters(_ command: CommandAPDU) -> (String, String) {
        let first = UInt8(command.parameters >> 8)
        let second = UInt8(command.parameters & 0xFF)
        switch command.code {
        case .select:
            return (
                first == 0x04 ? "by name" : "",
                second & 0x03 == 0 ? "first or only" : second & 0x03 == 2 ? "next" : ""
            )
        case .readRecord: return ("record \(first)", "SFI \(second >> 3)")
        case .generateAC:
            return (
                "\(CryptogramKind(rawValue: first))" + (first & 0x10 != 0 ? " with CDA" : ""), ""
            )
        case .getData, .putData, CommandCode(rawValue: 0x00CA):
            let tag = Tag(rawValue: UInt32(command.parameters))
            return (DataObjectDefinition[tag].map { "\(tag) \($0.name)" } ?? "\(tag)", "")
        case .verify:
            return ("", second == 0x80 ? "plaintext PIN" : second == 0x88 ? "enciphered PIN" : "")
        default: return ("", "")
        }
    }

    /// What the data are.
    private static func data(of command: CommandAPDU) -> String {
        switch command.code {
        case .select: ApplicationIdentifier.text(of: command.body) ?? ""
        case .verify: "PIN block"
        case .externalAuthenticate:
            command.body.count == 10 ? "ARPC and authorisation response code" : "ARPC and more"
        case _ where command.code.isIssuerScript: "data and MAC"
        default: ""
        }
    }
}
