import Foundation
import Octets
import TestSupport
import Testing
import Transport

/// Card scripts: what they say, what they refuse, and what a card answers under one.
@Suite struct CardScriptTests {
    private static let head = "# tapwire card script 1\n"

    /// A card that echoes, and notes what it got.
    private struct Echo: Transport {
        var got: [[UInt8]] = []
        var isOff = false

        mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
            got.append(command)
            return command + [0x90, 0x00]
        }

        mutating func fieldOff() { isOff = true }
    }

    /// Plays commands; each answer as hexadecimal digits, or the failure.
    private func play(_ script: String, _ commands: [String]) throws -> [String] {
        var card = ScriptedTransport(Echo(), try CardScript(parsing: Self.head + script)) { _ in }
        return try commands.map { text in
            if text == "tap" {
                try card.fieldOn()
                return "tap"
            }
            let command = try [UInt8](hex: text)
            do throws(TransportError) {
                return try card.transmit(command).hex
            } catch {
                return "\(error)"
            }
        }
    }

    @Test func `a rule answers once, and then the card does`() throws {
        #expect(
            try play("> 80AE ?\n< 6985", ["80AE8000", "80AE8000", "00B2010C"])
                == ["6985", "80AE80009000", "00B2010C9000"]
        )
    }

    @Test(arguments: [
        ("> 80AE8000", "80AE8000", true), ("> 80AE8000", "80AE800000", false),
        ("> 80AE8000", "80AE80", false), ("> 80AE ?", "80AE80", true),
        ("> 80AE ?", "80", false), ("> 80 .. 80 00", "80AE8000", true),
        ("> ..B2 ?", "00B2010C", true),
        ("> 8. .E ?", "81FE", true), ("> 8. .E ?", "91FE", false), ("> 8. .E ?", "81FF", false),
        ("> ?", "00", true), (">80ae?", "80AE80", true),
    ])
    func `a pattern fits some commands`(_ rule: String, _ command: String, _ fits: Bool) throws {
        let answer = try play(rule + "\n< 6A82", [command])
        #expect(answer == [fits ? "6A82" : command + "9000"])
    }

    @Test func `answers come one after the other, as often as they shall`() throws {
        let script = """
            > 00B2 ?
            times 2
            < card
            < 6A83
            wait 1 s
            times all
            < 6F00
            """
        #expect(
            try play(script, ["00B2", "00B2", "00B2", "00B2", "00B2", "tap", "00B2"])
                == ["00B29000", "00B29000", "6A83", "6F00", "6F00", "tap", "6F00"]
        )
    }

    @Test func `a rule waits for the one above it`() throws {
        let script = """
            > 00A4 ?
            times 2
            < card
            > 00B2 ?   # only behind two selections
            then
            < 6A83
            """
        #expect(
            try play(script, ["00B2", "00A4", "00B2", "00A4", "00B2", "00B2"])
                == ["00B29000", "00A49000", "00B29000", "00A49000", "6A83", "00B29000"]
        )
    }

    @Test func `a rule begins anew with each tap where it shall`() throws {
        let script = "> 80AE ?\neach tap\n< 6985\n> 00B2 ?\n< 6A83\n"
        #expect(
            try play(script, ["tap", "80AE", "80AE", "00B2", "tap", "80AE", "00B2"])
                == ["tap", "6985", "80AE9000", "6A83", "tap", "6985", "00B29000"]
        )
    }

    @Test func `an answer is put together from command and card`() throws {
        let command = "00D6 0102 03 AABBCC"
        for (answer, expected) in [
            ("[data] 9000", "AABBCC9000"), ("[2-3] [6] 9000", "0102BB9000"),
            ("[7-200] 9000", "CC9000"), ("[100] 9000", "9000"),
            ("[card] 6283", "00D6010203AABBCC6283"),
            ("77 [status]", "779000"), ("[100-101]", "6F00"),
            ("[card][status]", "00D6010203AABBCC9000"),
        ] {
            #expect(try play("> 00D6 ?\n< \(answer)", [command]) == [expected], "\(answer)")
        }
        // What is too long loses what stands before its status word.
        let long = try play("> ?\n< [card] [card] 6300", [String(repeating: "AB", count: 200)])
        #expect(long[0].count == 2 * 258)
        #expect(long[0].hasSuffix("AB6300"))
    }

    @Test func `the card gets a command unless the script answers instead`() throws {
        let script = try CardScript(
            parsing: Self.head
                + "> 01 ?\ninstead\n< 6985\n> 02 ?\n< 6985\n> 03 ?\n! removed\n> 04 ?\n! timeout"
        )
        var waits: [Duration] = []
        var card = ScriptedTransport(Echo(), script) { waits.append($0) }
        #expect(try card.transmit([1, 0]) == [0x69, 0x85])
        #expect(try card.transmit([2, 0]) == [0x69, 0x85])
        #expect(throws: TransportError.cardRemoved) { try card.transmit([3, 0]) }
        #expect(card.base.isOff)
        #expect(throws: TransportError.timeout) { try card.transmit([4, 0]) }
        #expect(card.base.got == [[2, 0], [3, 0], [4, 0]])
        #expect(waits.isEmpty)
    }

    @Test func `a delay is waited for once`() throws {
        let script = try CardScript(
            parsing: Self.head + "> ?\nwait 800 ms\n< card\nwait 60 s\n< card\n< card"
        )
        var waits: [Duration] = []
        var card = ScriptedTransport(Echo(), script) { waits.append($0) }
        for _ in 0..<4 { _ = try card.transmit([0, 0]) }
        #expect(waits == [.milliseconds(800), .seconds(60)])
    }

    @Test(arguments: [
        ("", 1, "a script begins with the line “# tapwire card script 1”"),
        ("# tapwire trace 1\n> ?\n< 9000", 1, "a script begins with"),
        (head, 2, "a script has 1 to 1000 rules"),
        (head + "< 9000", 2, "no “>” stands above it"),
        (head + "wait 5 ms", 2, "no “>” stands above it"),
        (head + "then", 2, "no “>” stands above it"),
        (head + "> ?\n< 9000\n\nhello", 5, "a line is “> COMMAND”"),
        (head + "> ?", 2, "an answer is missing"),
        (head + "> ?\n< 9000\nwait 1 s", 4, "an answer is missing"),
        (head + "> ?\n> 00", 3, "an answer is missing"),
        (head + "> 0\n< 9000", 2, "“0” is no byte"),
        (head + "> 0G\n< 9000", 2, "“0G” is no byte"),
        (head + "> 00?00\n< 9000", 2, "“?0” is no byte"),
        (head + ">\n< 9000", 2, "a command has 4 to 261 bytes"),
        (head + "> 80AE80\n< 9000", 2, "or “?” at the end for whatever follows"),
        (
            head + "> " + String(repeating: "00", count: 262) + "\n< 9000", 2,
            "a command has 4 to 261"
        ),
        (head + "> ?\nthen\n< 9000", 3, "no rule above"),
        (head + "> ?\n< 9000\ninstead", 4, "stands above the rule's first answer"),
        (head + "> ?\nwait 1 s\neach tap\n< 9000", 4, "stands above the rule's first answer"),
        (head + "> ?\nwait\n< 9000", 3, "up to 60 s"),
        (head + "> ?\nwait 61 s\n< 9000", 3, "up to 60 s"),
        (head + "> ?\nwait 60001 ms\n< 9000", 3, "up to 60 s"),
        (head + "> ?\nwait -1 s\n< 9000", 3, "up to 60 s"),
        (head + "> ?\nwait 5\n< 9000", 3, "up to 60 s"),
        (head + "> ?\nwait 1 s\nwait 1 s\n< 9000", 4, "stands above already for the next answer"),
        (head + "> ?\ntimes 2\ntimes 2\n< 9000", 4, "stands above already for the next answer"),
        (head + "> ?\ntimes 0\n< 9000", 3, "1 to 1000000"),
        (head + "> ?\ntimes 1000001\n< 9000", 3, "1 to 1000000"),
        (head + "> ?\ntimes all\n< 9000\n< 9000", 5, "the answer above it is always given"),
        (head + "> ?\n<", 3, "an answer has 2 to 258 bytes"),
        (head + "> ?\n< 90", 3, "an answer has 2 to 258 bytes"),
        (head + "> ?\n< " + String(repeating: "00", count: 259), 3, "an answer has 2 to 258 bytes"),
        (head + "> ?\n< 900", 3, "“900” is no byte"),
        (head + "> ?\n< [atc] 9000", 3, "“[atc]” is no part of an answer"),
        (head + "> ?\n< [8-5] 9000", 3, "“[8-5]” is no part of an answer"),
        (head + "> ?\n< [1000] 9000", 3, "“[1000]” is no part"),
        (head + "> ?\n< [261] 9000", 3, "no command has a byte [261]; the last one is [260]"),
        (head + "> ?\n< [300] 9000", 3, "no command has a byte [300]"),
        (head + "> ?\n< [5-261] 9000", 3, "no command has a byte [261]"),
        (head + "> ?\n< [", 3, "“[]” is no part"),
        (head + "> ?\ninstead\n< card", 4, "does not get the command"),
        (head + "> ?\ninstead\n< [status]", 4, "does not get the command"),
        (head + "> ?\n! exploded", 3, "a line is “> COMMAND”"),
        (head + String(repeating: "#", count: 1 << 20), 1, "at most 1048576 bytes"),
    ])
    func `a fault is told with its line`(_ text: String, _ line: Int, _ reason: String) throws {
        let error = #expect(throws: CardScriptError.self) { try CardScript(parsing: text) }
        #expect(error?.line == line)
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("> ?", "> 00B2010C", true), ("> 00B2 ?", "> 00B2 ?", true),
        ("> .. B2 ?", "> 00B2 ?", true),
        ("> 00B2 ?", "> .. B2 ?", false), ("> 00B2 ?", "> 00 ?", false),
        ("> 00B2010C", "> 00B2 ?", false),
        ("> 00B2010C", "> 00B2010C", true), ("> 00B201..", "> 00B2010C", true),
        ("> 00B2010C", "> 00B2010C00", false), ("> 00B2010.", "> 00B2011C", false),
        ("> 00B2 ?", "> 80 ?", false),
    ])
    func `a rule behind one that always answers its commands is refused`(
        _ first: String,
        _ second: String,
        _ isShadowed: Bool
    ) throws {
        let text = Self.head + "\(first)\n< 6A82\ntimes all\n< 6A83\n\n\(second)\n< 9000\n"
        guard isShadowed else {
            _ = try CardScript(parsing: text)
            return
        }
        let error = #expect(throws: CardScriptError.self) { try CardScript(parsing: text) }
        #expect(error == CardScriptError(.shadowed(line: 2), line: 7))
        // With an end it lets the other one answer.
        _ = try CardScript(parsing: text.replacing("times all", with: "times 7"))
    }

    @Test(
        arguments: [
            // Until the first rule has ended, the third may answer.
            ("> 00A4 ?\n< card\n> ?\nthen\ntimes all\n< 6A82\n> 00B2 ?\n< 6A83", nil),
            // Nothing of the third one's is left by the first.
            (
                "> 00B2 ?\n< card\n> ?\nthen\ntimes all\n< 6A82\n> 00B2 ?\n< 6A83",
                CardScriptError(.shadowed(line: 4), line: 8)
            ),
            (
                "> 00A4 ?\ntimes all\n< card\n> 00B2 ?\nthen\n< 6A83",
                CardScriptError(.neverBegins, line: 5)
            ),
            (
                "> 00A4 ?\neach tap\n< 6A82\ntimes all\n< card\n> 00A40400 ?\neach tap\n< 6A83",
                CardScriptError(.shadowed(line: 2), line: 7)
            ),
        ] as [(String, CardScriptError?)]
    )
    func `a rule that waits is out of reach where what it waits for never lets it`(
        _ rules: String,
        _ error: CardScriptError?
    ) throws {
        let parse = { try CardScript(parsing: Self.head + rules) }
        guard let error else {
            _ = try parse()
            return
        }
        #expect(throws: error) { try parse() }
    }

    @Test func `the script of the repository is one, and each beginning of it is or is refused`()
        throws
    {
        let path = RepositoryFile.root.appending(path: "Vectors/scripts/three-faults.script")
        let text = try String(contentsOf: path, encoding: .utf8)
        let script = try CardScript(parsing: text)
        #expect(script.rules.count == 3)
        for end in text.indices { _ = try? CardScript(parsing: String(text[..<end])) }
        // Windows and old editors end lines otherwise.
        #expect(try CardScript(parsing: text.replacing("\n", with: "\r\n")) == script)
    }

    @Test func `as many rules as there may be, and one more`() throws {
        let rules = String(repeating: "> ?\n< 9000\n", count: 1000)
        #expect(try CardScript(parsing: Self.head + rules).rules.count == 1000)
        let error = #expect(throws: CardScriptError.self) {
            try CardScript(parsing: Self.head + rules + "> ?\n< 9000")
        }
        #expect(error == CardScriptError(.ruleCount, line: 2002))
    }
}
