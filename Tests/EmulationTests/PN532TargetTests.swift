import Octets
import Testing

@testable import Emulation

/// The bytes that are compared here are those of a working emulation with an ACR122U as others have published it
/// (stackoverflow.com, question 24777810) and of the chip's manual (UM0701-02, 7.2 and 7.3).
@Suite("A PN532 as a card")
struct PN532TargetTests {
    private static let identity = PN532Identity(identifier: [0x12, 0x34, 0x56])

    /// A target, and what comes out of it as text.
    private struct Talk {
        var target = PN532Target(PN532TargetTests.identity)
        var action: PN532Target.Action

        init() { action = target.handle(.start) }

        mutating func answer(_ hex: String) throws {
            action = target.handle(.answer(try [UInt8](hex: hex)))
        }

        mutating func then(_ event: PN532Target.Event) { action = target.handle(event) }

        /// The bytes of an escape command.
        var sent: String {
            switch action {
            case .send(let bytes), .awaitTerminal(let bytes), .awaitCommand(let bytes): bytes.hex
            default: "\(action)"
            }
        }

        /// Sets the reader up and lets a terminal come.
        mutating func begin() throws {
            for answer in [
                "41435231323255323135", "9000", "9000", "D507070715 9000", "D5099000", "D5139000",
                "D58D08E0809000",
            ] {
                try self.answer(answer)
            }
            #expect(sent == "FF00000002D486")
        }
    }

    @Test("The reader is set up with the published bytes")
    func setUp() throws {
        var talk = Talk()
        let answers = [
            ("FF00480000", "41435231323255323135"), ("FF00410100", "9000"), ("FF00510000", "9000"),
            ("FF00000008D4066305630D6338", "D507070715 9000"),
            ("FF00000011D408 630280 630380 630507 630D07 633815", "D5099000"),
            ("FF00000003D41230", "D5139000"),
        ]
        for (command, answer) in answers {
            #expect(talk.sent == command.filter { $0 != " " })
            guard case .send = talk.action else {
                Issue.record("\(talk.action)")
                return
            }
            try talk.answer(answer)
        }
        let initialization = "FF00000027D48C0504001234562000" + String(repeating: "00", count: 29)
        #expect(talk.action == .awaitTerminal(try [UInt8](hex: initialization)))
        try talk.answer("D58D08E0809000")
        #expect(talk.action == .awaitCommand(try [UInt8](hex: "FF00000002D486")))
    }

    @Test("Only three bits of the registers are changed")
    func registers() throws {
        for (read, written) in [
            ("000000", ["04", "00", "00"]), ("FFFFFF", ["FF", "EF", "F7"]),
            ("031808", ["07", "08", "00"]),
        ] {
            var talk = Talk()
            for answer in ["41435231323255323135", "9000", "63 00", "D507\(read)9000"] {
                try talk.answer(answer)
            }
            let values = "6305\(written[0])630D\(written[1])6338\(written[2])"
            #expect(talk.sent == "FF00000011D408630280630380" + values)
        }
    }

    @Test("The historical bytes are part of what terminals see, cut to what the chip takes")
    func historicalBytes() throws {
        for count in [0, 1, 48, 49] {
            let identity = PN532Identity(
                identifier: [1, 2, 3],
                historicalBytes: [UInt8](repeating: 0x80, count: count)
            )
            let bytes = PN532Command.initAsTarget(identity).bytes
            #expect(bytes.count == 39 + min(count, 48))
            #expect(Int(bytes[38]) == min(count, 48))
        }
    }

    @Test("A command goes to the card and its response back, then the next is waited for")
    func exchange() throws {
        var talk = Talk()
        try talk.begin()
        try talk.answer("D58700 00A40400 9000")
        #expect(talk.action == .respond([0x00, 0xA4, 0x04, 0x00]))
        talk.then(.response([0x6A, 0x82]))
        #expect(talk.sent == "FF00000004D48E6A82")
        try talk.answer("D58F009000")
        #expect(talk.action == .responseSent)
        talk.then(.done)
        #expect(talk.sent == "FF00000002D486")
    }

    @Test("A command that comes in parts is put together; a block without contents is none")
    func commandInParts() throws {
        var talk = Talk()
        try talk.begin()
        try talk.answer("D587009000")
        #expect(talk.sent == "FF00000002D486")
        try talk.answer("D58740 00A4 9000")
        #expect(talk.sent == "FF00000002D486")
        try talk.answer("D587C0 04 9000")
        try talk.answer("D58700 00 9000")
        #expect(talk.action == .respond([0x00, 0xA4, 0x04, 0x00]))
    }

    @Test("A command without end is let go of")
    func endlessCommand() throws {
        var talk = Talk()
        try talk.begin()
        let part = "D58740" + String(repeating: "00", count: 252) + "9000"
        var parts = 0
        while talk.sent == "FF00000002D486" {
            try talk.answer(part)
            parts += 1
        }
        #expect(talk.action == .fieldOff)
        #expect(parts == PN532Target.maximumCommandCount / 252 + 1)
    }

    @Test(
        "A response longer than a frame goes in parts",
        arguments: [(0, []), (2, []), (253, []), (254, [253]), (506, [253]), (507, [253, 253])]
            as [(Int, [Int])]
    )
    func responseInParts(count: Int, parts: [Int]) throws {
        var talk = Talk()
        try talk.begin()
        try talk.answer("D5870000A404009000")
        let response = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        talk.then(.response(response))
        var sent: [UInt8] = []
        for (index, size) in (parts + [count - parts.reduce(0, +)]).enumerated() {
            guard case .send(let bytes) = talk.action else {
                Issue.record("\(talk.action)")
                return
            }
            #expect(bytes.count == 5 + 2 + size)
            #expect(bytes[4] == UInt8(2 + size))
            #expect(Array(bytes[5..<7]) == [0xD4, index < parts.count ? 0x94 : 0x8E])
            sent += bytes.dropFirst(7)
            try talk.answer(index < parts.count ? "D595009000" : "D58F009000")
        }
        #expect(sent == response)
        #expect(talk.action == .responseSent)
    }

    @Test(
        "Whatever ends a tap takes the field away and waits for the next terminal",
        arguments: [
            "D587299000", "D587259000", "D587019000", "D5870A9000", "D587279000", "D587FF9000",
            "6301", "",
        ]
    )
    func released(answer: String) throws {
        var talk = Talk()
        try talk.begin()
        try talk.answer(answer)
        #expect(talk.action == .fieldOff)
        talk.then(.done)
        guard case .awaitTerminal = talk.action else {
            Issue.record("\(talk.action)")
            return
        }
    }

    @Test(
        "A terminal that is gone before it has the response ends the tap",
        arguments: [
            "D58F299000", "D58F0A9000", "D58F279000", "6300", "",
        ]
    )
    func releasedWhileSending(answer: String) throws {
        var talk = Talk()
        try talk.begin()
        try talk.answer("D5870000A404009000")
        talk.then(.response([0x90, 0x00]))
        try talk.answer(answer)
        #expect(talk.action == .fieldOff)
    }

    @Test("Where nobody comes, or no terminal of the right kind, it is waited for again")
    func nobody() throws {
        for answer in ["", "6300", "6301", "D58D04E0809000", "D58D009000"] {
            var talk = Talk()
            try talk.begin()
            try talk.answer("D587299000")
            talk.then(.done)
            let initialization = talk.action
            talk.then(.nobody)
            #expect(talk.action == initialization)
            try talk.answer(answer)
            #expect(talk.action == .pause, "\(answer)")
            talk.then(.done)
            #expect(talk.action == initialization)
        }
    }

    @Test("A terminal that says nothing for as long as the driver waits has gone")
    func silence() throws {
        var talk = Talk()
        try talk.begin()
        talk.then(.nobody)
        #expect(talk.action == .fieldOff)
    }

    @Test("A reader of another kind is refused by its firmware")
    func otherReader() throws {
        for answer in ["", "6300", "4F4D4E494B4559", "4143523132"] {
            var talk = Talk()
            try talk.answer(answer)
            #expect(talk.action == .end(.otherReader(firmware: try [UInt8](hex: answer))))
        }
    }

    /// What each command is answered with, in the order of a tap.
    private static let dialogue: [(answer: String, event: PN532Target.Event?)] = [
        ("9000", nil), ("9000", nil), ("D5070707159000", nil), ("D5099000", nil),
        ("D5139000", nil), ("D58D08E0809000", nil),
        ("D5870000A404009000", .response([0x90, 0x00])),
        ("D58F009000", .done),
    ]

    @Test("No prefix of an answer, and no answer with one byte too many, is taken for an answer")
    func damage() throws {
        for position in Self.dialogue.indices {
            let whole = try [UInt8](hex: Self.dialogue[position].answer)
            // Polling off is not known to all firmware; an answer without status is a prefix of one with it.
            for damaged in (1..<whole.count).map({ Array(whole.prefix($0)) }) + [whole + [0x00]]
            where position != 1 {
                var talk = Talk()
                try talk.answer("41435231323255323135")
                for (answer, event) in Self.dialogue[..<position] {
                    try talk.answer(answer)
                    if let event { talk.then(event) }
                }
                talk.then(.answer(damaged))
                guard case .end(.refused(_, damaged)) = talk.action else {
                    Issue.record("\(damaged.hex) gave \(talk.action)")
                    continue
                }
            }
        }
    }
}
