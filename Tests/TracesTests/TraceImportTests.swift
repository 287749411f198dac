import Foundation
import Octets
import TestSupport
import Testing
import Traces
import Transport

/// A text that a program has written.
private func log(_ name: String) throws -> String {
    let file = RepositoryFile.root.appending(path: "Vectors/logs/\(name).txt")
    return try String(contentsOf: file, encoding: .utf8)
}

extension Exchange {
    /// Command and response in one line.
    fileprivate var line: String {
        let response =
            switch result {
            case .success(let bytes): bytes.hex
            case .failure(let error): "\(error)"
            }
        return command.hex + (isCommandPartial ? "?" : "") + " " + response
    }
}

@Suite("Import of other programs' texts")
struct TraceImportTests {
    private static let selection =
        "00A4040007A000000004101000 6F1F8407A0000000041010A514500A4D4153544552434152448701015F2D02656E9000"
    private static let directory =
        "00A404000E325041592E5359532E444446303100 6F33840E325041592E5359532E4444463031A521BF0C1E611C4F07"
        + "A0000000041010500A4D4153544552434152448701019F2A01029000"

    @Test("A whole log of pcscd, with its times")
    func pcscd() throws {
        let text = try log("pcscd")
        let found = try TraceImport(parsing: text)
        #expect(found.origin == .pcscd)
        #expect(found.unansweredLines.isEmpty)
        // Read once more, by nothing of ours.
        let expected = text.split(separator: "\n").compactMap { line -> String? in
            guard let match = line.firstMatch(of: #/^\d{8} (APDU|SW): (.*)$/#) else { return nil }
            return String(match.2.filter { $0 != " " })
        }
        #expect(expected.count == 14)
        let lines = found.trace.exchanges.flatMap { $0.line.split(separator: " ").map(String.init) }
        #expect(lines == expected)
        #expect(found.trace.exchanges[0].elapsed == .microseconds(163))
        #expect(found.trace.exchanges[6].elapsed == .microseconds(722))
        #expect(try Trace(parsing: found.trace.text) == found.trace)
    }

    @Test(
        "What others print",
        arguments: [
            ("opensc-tool", TraceImport.Origin.openSC, [directory, selection, "00B2011400 6985"]),
            ("scriptor", .marked, [directory, selection, "00B2011400 6985"]),
            ("scriptor-file", .marked, [selection, "00B2011400 6985", "00B2021400 6985"]),
            ("pyscard", .marked, [selection, "00B2011400 6985", "00B2091400 6985"]),
            (
                "opensc-debug", .openSC,
                [
                    "00A4040007627601FF000000 6700", "00A4040006A00000000101 6700",
                    "00A404000BE82B0601040181C31F020100 6A82",
                ]
            ),
        ]
    )
    func programs(name: String, origin: TraceImport.Origin, lines: [String]) throws {
        let found = try TraceImport(parsing: log(name))
        #expect(found.origin == origin)
        #expect(found.trace.exchanges.map(\.line) == lines)
    }

    @Test("Versions of pcscd write their lines in other ways")
    func versions() throws {
        let texts = [
            // 1.8.11, from a reader's driver that tells what it does.
            """
            00000002 winscard.c:1587:SCardTransmit() Send Protocol: T=1
            00000003 APDU: A0 A4 00 00 02 7F 10\u{20}
            00000002 -> 000000 6F 07 00 00 00 00 0F 00 00 00 A0 A4 00 00 02 7F 10\u{20}
            00005363 <- 000000 80 00 00 00 00 00 0F 00 FE 00\u{20}
            00000030 SW: 9F 17\u{20}
            """,
            // 2.x, the thread and the folders in it, spaces at the end lost.
            """
            00000003 [140017007589056] ../src/winscard.c:1597:SCardTransmit() Send Protocol: T=1
            00000005 [140017007589056] APDU: A0 A4 00 00 02 7F 10
            00005395 [140017007589056] SW: 9F 17
            """,
            // The system's journal.
            "Nov 30 11:22:16 host pcscd[48]: APDU: A0 A4 00 00 02 7F 10\nNov 30 11:22:16 host pcscd[48]: SW: 9F 17",
            "Nov 30 11:22:16 host pcscd[48]: 00000003 [7] APDU: A0 A4 00 00 02 7F 10\n"
                + "Nov 30 11:22:16 host pcscd[48]: 00005395 [7] SW: 9F 17",
            // On a terminal, coloured, and with line ends of another system.
            "\u{1B}[35m00000003 \u{1B}[0m[7] \u{1B}[34mAPDU: A0 A4 00 00 02 7F 10 \u{1B}[0m\r\n"
                + "00005395 [7] SW: 9F 17 \r\n",
        ]
        for text in texts {
            let found = try TraceImport(parsing: text)
            #expect(found.origin == .pcscd)
            #expect(found.trace.exchanges.map(\.line) == ["A0A40000027F10 9F17"])
            let elapsed = found.trace.exchanges[0].elapsed
            #expect(elapsed == (text.contains("000") ? .microseconds(5395) : nil))
        }
    }

    @Test(
        "A last line without an end is noticed, since bytes may be missing",
        arguments: [
            "00A40400\n9000", "-> 00A40400\n<- 9000",
            "00000001 APDU: 00 A4 04 00\n00000001 SW: 90 00",
            "-> 00A40400\n<- 9000\nreader clo",
        ]
    )
    func lastLine(text: String) throws {
        #expect(try TraceImport(parsing: text).isLastLineOpen)
        for end in ["\n", "\r\n", "\n\n  "] {
            #expect(try !TraceImport(parsing: text + end).isLastLineOpen)
        }
    }

    @Test(
        "A time is one that a trace can have, or there is none",
        arguments: [(2_147_483_647, true), (2_147_483_648, false), (8_200_001_302, false)]
    )
    func times(microseconds: Int64, isKept: Bool) throws {
        let text = "00000001 APDU: 00 A4 04 00\n00\(microseconds) SW: 90 00\n"
        let trace = try TraceImport(parsing: text).trace
        #expect(trace.exchanges.map(\.elapsed) == [isKept ? .microseconds(microseconds) : nil])
        #expect(try Trace(parsing: trace.text) == trace)
    }

    @Test("Two readers at once are kept apart by their threads")
    func threads() throws {
        let text = """
            00000001 [11] APDU: 00 A4 04 00
            00000001 [12] APDU: 00 B2 01 0C 00
            00000010 [12] SW: 6A 83
            00000005 [11] SW: 90 00
            """
        let exchanges = try TraceImport(parsing: text).trace.exchanges
        #expect(exchanges.map(\.line) == ["00A40400 9000", "00B2010C00 6A83"])
        #expect(exchanges.map(\.elapsed) == [.microseconds(16), .microseconds(10)])
    }

    @Test("A command that got nothing back, and one that the log has not whole")
    func failures() throws {
        let text = """
            00000001 APDU: 84 AA 00 00
            00000027 SW: \n00000001 APDU: 00 47 81 00 ...
            00000027 SW: 6A 88
            """
        let exchanges = try TraceImport(parsing: text).trace.exchanges
        #expect(exchanges[0].result == .failure(.reader(code: 0x8010_0016)))
        #expect(exchanges[1].line == "00478100? 6A88")
        #expect(throws: TraceError(.cutShort, line: 2)) {
            try TraceImport(parsing: "00000001 APDU: 00 B0 00 00\n00000001 SW: 6F 01 ...")
        }
    }

    @Test("A log that begins and ends in the middle")
    func middle() throws {
        let text = "< 9000\n> 00A40400\n> 00B2010C00\n< 6A83\n> 00B2020C00\n"
        let found = try TraceImport(parsing: text)
        #expect(found.trace.exchanges.map(\.line) == ["00B2010C00 6A83"])
        #expect(found.unansweredLines == [2, 5])
    }

    @Test(
        "Marks and ways to write bytes",
        arguments: [
            ("-> 00A4040007A000000003101000", "<- 6A82"),
            ("--> 00 A4 04 00 07 A0 00 00 00 03 10 10 00", "<-- 6A 82"),
            (">> 00a4040007a000000003101000", "<< 6a82"),
            ("=> 00A4040007A000000003101000", "<= 6A82"),
            ("> 00A4040007A000000003101000", "< 6A82"),
            ("C-APDU: 00A4040007A000000003101000", "R-APDU: 6A82"),
            ("c-apdu = 00:A4:04:00:07:A0:00:00:00:03:10:10:00", "r-apdu = 6A:82"),
            (
                "Command APDU (13 bytes): 00A40400 07 A0000000031010 00",
                "Response APDU (2 bytes): 6A82"
            ),
            ("APDU: 00 A4 04 00 07 A0 00 00 00 03 10 10 00", "SW: 6A 82"),
            ("Sending: 00 A4 04 00 07 A0 00 00 00 03 10 10 00", "Received: 6A 82 "),
            (
                "Send: 0x00 0xA4 0x04 0x00 0x07 0xA0 0x00 0x00 0x00 0x03 0x10 0x10 0x00",
                "Recv: 0x6A 0x82"
            ),
            ("TX: 00-A4-04-00-07-A0-00-00-00-03-10-10-00", "RX: 6A-82"),
            (
                "[12:01:02.003] DEBUG >> 00A4040007A000000003101000",
                "[12:01:02.013] DEBUG << 6A82  # not found"
            ),
            ("[+] >>> 00 A4 04 00 07 A0 00 00 00 03 10 10 00", "[+] <<< 6A 82 | file not found"),
            ("A>> T=1 (4+0007) 00A40400 07 A0000000031010 00", "A<< (0000+2) (12ms) 6A82"),
            ("> 00 A4 04 00 07 A0 00 00 00 03 10 10 00", "<  [] 6A 82"),
            ("> 00A4040007A000000003101000 # by name", "< 6A82 : File not found."),
            ("00A4040007A000000003101000", "6A82"),
            ("00 A4 04 00 07 A0 00 00 00 03 10 10 00", "6A 82 // not found"),
        ]
    )
    func marks(command: String, response: String) throws {
        let found = try TraceImport(parsing: "\(command)\n\(response)\n")
        #expect(found.trace.exchanges.map(\.line) == ["00A4040007A000000003101000 6A82"])
        let isTimed = response.contains("ms)")
        #expect(found.trace.exchanges[0].elapsed == (isTimed ? .milliseconds(12) : nil))
        // What is no APDU is passed over, where there are marks.
        guard found.origin == .marked else { return }
        let text =
            "Reader: ACS\n> RESET\n< OK\n# 1: 00A4\n\(command)\nwaits\n\(response)\n\ndone: yes\n"
        #expect(try TraceImport(parsing: text).trace == found.trace)
    }

    @Test("The last digit of a status word may be missing, or the word stand apart")
    func statusWords() throws {
        for response in ["< 6F 00 90 0", "< 6F00 SW: 9000", "< 6F 00 (SW=9000)", "< 6F 00 90 00"] {
            let found = try TraceImport(parsing: "> 00 A4 04 00\n\(response)\n")
            #expect(found.trace.exchanges.map(\.line) == ["00A40400 6F009000"], "\(response)")
        }
    }

    @Test("A trace stays one, with its headers")
    func trace() throws {
        let text = "# tapwire trace 1\n# source: a drawer\n> 00A40400\n< 9000\n"
        let found = try TraceImport(parsing: text)
        #expect(found.origin == .trace)
        #expect(found.trace.text == text)
    }

    @Test(
        "What cannot be read is told with its line",
        arguments: [
            ("", TraceError(.noAPDU)), ("nothing here\n", TraceError(.noAPDU)),
            ("> 00A4040\n< 9000\n", TraceError(.badHex(offset: 7), line: 1)),
            ("-> 00A4ZZ04\n<- 9000\n", TraceError(.badHex(offset: 4), line: 1)),
            ("> 00A404\n< 9000\n", TraceError(.tooShort, line: 1)),
            ("> 00A40400\n< 90\n", TraceError(.tooShort, line: 2)),
            ("00A40400\n9000\nhello\n", TraceError(.noBytes, line: 3)),
            ("Outgoing APDU (5 bytes):\n00 A4 04\n", TraceError(.cutShort, line: 1)),
        ]
    )
    func faults(text: String, error: TraceError) {
        #expect(throws: error) { try TraceImport(parsing: text) }
    }

    @Test("Too many exchanges are an error and no lack of memory")
    func limits() {
        let text = String(repeating: "> 00A40400\n< 9000\n", count: 50_001)
        #expect(throws: TraceError(.longText, line: 100_001)) { try TraceImport(parsing: text) }
    }

    @Test("An APDU longer than any is an error, however it is written")
    func longAPDUs() throws {
        let line = String(repeating: "AA ", count: 16) + "\n"
        let many = String(repeating: line, count: 4_200)
        for (text, number) in [
            ("> 00A40400\n< " + many, 4_099), ("Received (SW1=0x90, SW2=0x00):\n" + many, 4_099),
            ("> " + many.filter { $0 != "\n" }, 1),
            ("> 00A40400\n< " + many.filter { $0 != "\n" }, 2),
        ] {
            let error = #expect(throws: TraceError.self) { try TraceImport(parsing: text) }
            #expect(error?.reason == .longAPDU)
            #expect(error?.line == number)
        }
        let longest = String(repeating: line, count: 4_096).dropLast(4)
        let found = try TraceImport(
            parsing: "> 00A40400\n< " + longest + "\n90 00\n> 00A40400\n< 9000\n"
        )
        #expect(try found.trace.exchanges[0].result.get().count == 65_535)
    }

    @Test(
        "Each beginning of a text is read or refused",
        arguments: ["pcscd", "opensc-tool", "opensc-debug", "scriptor", "scriptor-file", "pyscard"]
    )
    func prefixes(name: String) throws {
        let text = Array(try log(name).utf8)
        let whole = try TraceImport(parsing: String(decoding: text, as: UTF8.self)).trace.exchanges
        // The logs are long, and most of their lines say the same.
        let step = text.count < 1000 ? 1 : 17
        for count in stride(from: 0, to: text.count, by: step) {
            let part = String(decoding: text.prefix(count), as: UTF8.self)
            guard let found = try? TraceImport(parsing: part) else { continue }
            // All but the last are the same, which may be cut.
            #expect(
                found.trace.exchanges.dropLast() == whole.prefix(found.trace.exchanges.count - 1)
            )
        }
    }
}
