import BERTLV
import EMVData
import Octets
import TerminalKernels
import VirtualPOS

/// What a kernel says to its reader, in the words in which `tap` tells an outcome.
enum OutcomeParts {
    /// The parts of an Outcome Parameter Set, an Error Indication or User Interface Request Data; nil for other objects.
    static func parts(of value: [UInt8], _ tag: Tag) -> [DecodedPart]? {
        switch (tag, value.count) {
        case (.outcomeParameterSet, 8), (.kernel8OutcomeParameterSet, 8): parameterSet(value)
        case (.errorIndication, 6), (.kernel8ErrorIndication, 6): errorIndication(value)
        case (.userInterfaceRequestData, 22): request(value) + shownValue(value)
        case (.userInterfaceRequestData1, 13), (.userInterfaceRequestData2, 13): request(value)
        default: nil
        }
    }

    private static func part(_ place: String, _ bytes: [UInt8], _ text: String?) -> DecodedPart {
        DecodedPart(place: place, digits: bytes.hex, text: text ?? "reserved")
    }

    /// EMV Book C-2, A.1.108.
    private static func parameterSet(_ value: [UInt8]) -> [DecodedPart] {
        let none: UInt8 = 0xF0
        let response: String? =
            switch value[2] {
            case 0x10: "EMV data"
            case 0x20: "any"
            case none: "none"
            default: nil
            }
        let presence = [
            (UInt8(0x80), "message on the outcome"), (0x40, "message on the restart"),
            (0x20, "data record"), (0x10, "discretionary data"), (0x08, "receipt"),
        ].filter { value[4] & $0.0 != 0 }.map(\.1)
        return [
            part("Status", [value[0]], Outcome.Status(rawValue: value[0])?.text),
            part(
                "Start",
                [value[1]],
                value[1] == none ? "none" : Outcome.Start(rawValue: value[1])?.word
            ),
            part("Online response data", [value[2]], response),
            part(
                "CVM",
                [value[3]],
                value[3] == none ? "none applies" : Outcome.CVM(rawValue: value[3])?.text
            ),
            part(
                "Present",
                [value[4]],
                presence.isEmpty ? "nothing" : presence.joined(separator: ", ")
            ),
            part(
                "Other interface",
                [value[5]],
                value[5] == none ? "none" : Outcome.AlternateInterface(rawValue: value[5])?.text
            ),
            part("Field off", [value[6]], value[6] == 0xFF ? "no" : "\(Int(value[6]) * 100) ms"),
            part(
                "Removal within",
                [value[7]],
                value[7] == 0 ? "no limit" : "\(Int(value[7]) * 100) ms"
            ),
        ]
    }

    /// EMV Book C-2, A.1.64.
    private static func errorIndication(_ value: [UInt8]) -> [DecodedPart] {
        let statusWord = UInt16(value[3]) << 8 | UInt16(value[4])
        // Each level alone, so that its words are its own.
        let first = L1Error(rawValue: value[0]).map { ErrorIndication(l1: $0).text }
        let second = ErrorIndication(
            l2: ErrorIndication.L2(rawValue: value[1]),
            statusWord: statusWord
        ).text
        let third = ErrorIndication.L3(rawValue: value[2]).map { ErrorIndication(l3: $0).text }
        let message = UserInterfaceRequest.Message(rawValue: value[5])
        return [
            part("L1, radio", [value[0]], value[0] == 0 ? "no error" : first ?? nil),
            part("L2, application", [value[1]], second ?? "no error"),
            part("L3, terminal", [value[2]], value[2] == 0 ? "no error" : third ?? nil),
            part("Status word", Array(value[3...4]), statusWord == 0 ? "none" : ""),
            part("Message", [value[5]], text(of: message)),
        ]
    }

    /// EMV Book C-2, A.1.195, and the shorter object of EMV Book C-8.
    private static func request(_ value: [UInt8]) -> [DecodedPart] {
        let holdTime = PackedDigits.number(value[2..<5]).map { "\($0 * 100) ms" }
        let language = value[5..<13].prefix { $0 != 0 }
        let languages = Language.list(Array(language))?.map(\.description).joined(separator: ", ")
        return [
            part("Message", [value[0]], text(of: UserInterfaceRequest.Message(rawValue: value[0]))),
            part("Status", [value[1]], UserInterfaceRequest.Status(rawValue: value[1])?.text),
            part("Hold time", Array(value[2..<5]), holdTime),
            part(
                "Languages",
                Array(value[5..<13]),
                language.isEmpty ? "the reader's own" : languages
            ),
        ]
    }

    /// The amount that a request shows; sources write its kind in the high nibble or as a plain number.
    private static func shownValue(_ value: [UInt8]) -> [DecodedPart] {
        let kind: String? =
            switch value[13] {
            case 0x00: "no value"
            case 0x01, 0x10: "amount"
            case 0x02, 0x20: "balance"
            default: nil
            }
        let currency = Currency(bytes: Array(value[20..<22]))
        let amount = currency.flatMap { Amount(numeric: Array(value[14..<20]), currency: $0) }
        return [
            part("Kind of value", [value[13]], kind),
            part("Value", Array(value[14..<20]), amount?.description ?? ""),
            part("Currency", Array(value[20..<22]), currency?.alphabetic ?? ""),
        ]
    }

    private static func text(of message: UserInterfaceRequest.Message) -> String {
        switch message {
        case .none: "no message"
        case .clearDisplay: "clear the display"
        default: message.text
        }
    }
}
