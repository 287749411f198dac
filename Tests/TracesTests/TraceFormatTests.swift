import Foundation
import TestSupport
import Testing
import Traces
import Transport

/// A trace with everything a trace may have.
private let whole = """
    # tapwire trace 1
    # source: a drawer
    # date: 2019-08-19
    # 9F35: 22
    > 00A4040000
    < 6A82  # 412.3 µs
    > 80CA9F3600
    ! timeout  # 5000.0 µs
    > 80CA9F3600
    < 9F360200019000

    """

@Suite("Trace format")
struct TraceFormatTests {
    @Test("What is read is written the same")
    func roundTrip() throws {
        let trace = try Trace(parsing: whole)
        #expect(trace[.source] == "a drawer")
        #expect(trace.headers.count == 3)
        #expect(trace.exchanges.count == 3)
        #expect(
            trace.exchanges[0]
                == Exchange([0, 0xA4, 4, 0, 0], [0x6A, 0x82], elapsed: .nanoseconds(412_300))
        )
        #expect(trace.exchanges[1].result == .failure(.timeout))
        #expect(trace.exchanges[2].elapsed == nil)
        #expect(trace.text == whole)
    }

    @Test(
        "Every failure survives",
        arguments: [
            TransportError.timeout, .cardRemoved, .protocolViolation, .reader(code: 0x8010_0069),
        ]
    )
    func failures(error: TransportError) throws {
        let trace = Trace(exchanges: [Exchange(command: [0, 1, 2, 3], result: .failure(error))])
        #expect(try Trace(parsing: trace.text) == trace)
    }

    @Test("Of a command less than the whole may be known")
    func partialCommands() throws {
        let text = "# tapwire trace 1\n> 80A80000 ?\n< 9000\n> ?\n! timeout\n"
        let trace = try Trace(parsing: text)
        #expect(trace.text == text)
        #expect(trace.exchanges.map(\.command) == [[0x80, 0xA8, 0, 0], []])
        #expect(trace.exchanges.map(\.isCommandPartial) == [true, true])
        let loose = try Trace(parsing: "# tapwire trace 1\n>80 a8?# why?\n< 9000\n")
        #expect(loose.exchanges[0].command == [0x80, 0xA8])
        for line in ["> ? 80A80000", "> 80A8 ? 00", "> 80A ?", "> 80A8??"] {
            #expect(throws: TraceError.self) {
                try Trace(parsing: "# tapwire trace 1\n\(line)\n< 9000")
            }
        }
    }

    @Test("Spaces, comments, empty lines and other line ends do no harm")
    func leniency() throws {
        let text =
            "# tapwire trace 1\r\n#\r\n# See https://example.org\r\n\r\n  > 00 a4 04 00 00 \r\n\t< 6a82 # 12 parsecs\r\n# done"
        let trace = try Trace(parsing: text)
        #expect(trace.exchanges == [Exchange([0, 0xA4, 4, 0, 0], [0x6A, 0x82])])
        #expect(trace.headers.isEmpty)
    }

    @Test(
        "A malformed trace names its line",
        arguments: [
            ("", TraceError(.notATrace, line: 1)),
            ("\n# tapwire trace 1", TraceError(.notATrace, line: 1)),
            ("{\"json\": 1}", TraceError(.notATrace, line: 1)),
            ("# tapwire trace 2", TraceError(.notATrace, line: 1)),
            ("# tapwire trace 1", TraceError(.empty, line: 1)),
            ("# tapwire trace 1\nhello", TraceError(.unknownLine, line: 2)),
            ("# tapwire trace 1\n# dat: 2019-08-19", TraceError(.unknownHeader("dat"), line: 2)),
            ("# tapwire trace 1\n# date: 2019-02-29", TraceError(.badHeader("date"), line: 2)),
            ("# tapwire trace 1\n# note:", TraceError(.badHeader("note"), line: 2)),
            ("# tapwire trace 1\n# 9F35: 2", TraceError(.badHeader("9F35"), line: 2)),
            ("# tapwire trace 1\n# 9F35:", TraceError(.badHeader("9F35"), line: 2)),
            ("# tapwire trace 1\n# 9F: 22", TraceError(.unknownHeader("9F"), line: 2)),
            (
                "# tapwire trace 1\n> 00A40400\n# date: 2019-08-19",
                TraceError(.lateHeader("date"), line: 3)
            ),
            ("# tapwire trace 1\n> 00A40400\n> 00A40400", TraceError(.unpaired, line: 3)),
            ("# tapwire trace 1\n< 9000", TraceError(.unpaired, line: 2)),
            ("# tapwire trace 1\n! timeout", TraceError(.unpaired, line: 2)),
            ("# tapwire trace 1\n> 00A40400", TraceError(.unpaired, line: 2)),
            ("# tapwire trace 1\n> 00A40400\n! lost", TraceError(.unknownFailure("lost"), line: 3)),
            (
                "# tapwire trace 1\n> 00A40400\n! reader",
                TraceError(.unknownFailure("reader"), line: 3)
            ),
            ("# tapwire trace 1\n> 00A404", TraceError(.tooShort, line: 2)),
            (
                "# tapwire trace 1\n> 00A40400\n< " + String(repeating: "90", count: 65_545),
                TraceError(.longAPDU, line: 3)
            ),
            ("# tapwire trace 1\n>", TraceError(.tooShort, line: 2)),
            ("# tapwire trace 1\n> 00A40400\n< 90", TraceError(.tooShort, line: 3)),
            ("# tapwire trace 1\n> 00A40400\n< 9000", TraceError(.openLine, line: 3)),
            ("# tapwire trace 1\n> 00A40400\n< 9000 ", TraceError(.openLine, line: 3)),
            ("# tapwire trace 1\n> 00A4040", TraceError(.badHex(offset: 9), line: 2)),
            ("# tapwire trace 1\n> 00A4x400", TraceError(.badHex(offset: 6), line: 2)),
        ]
    )
    func errors(text: String, error: TraceError) {
        #expect(throws: error) { try Trace(parsing: text) }
        #expect(error.message.hasPrefix("line \(error.line ?? 0): "))
    }

    @Test("A header stays one line, whatever is in it")
    func headers() throws {
        let value = "a reader\n> 00A40400\r\n< 9000\u{2028}\u{1B}[31m\u{202E}\tend"
        let trace = Trace(
            headers: [.init(.source, value)],
            exchanges: [Exchange([0, 0xA4, 4, 0], [0x90, 0x00])]
        )
        let read = try Trace(parsing: trace.text)
        #expect(read.exchanges == trace.exchanges)
        let place = "\u{FFFD}"
        #expect(
            read[.source]
                == "a reader\(place)> 00A40400\(place)\(place)< 9000\(place)\(place)[31m\(place)\tend"
        )
        #expect(try Trace(parsing: read.text) == read)
    }

    @Test("A file that is too long is not looked at")
    func tooLong() {
        let text = String(repeating: "x", count: Trace.maximumByteCount + 1)
        #expect(throws: TraceError(.tooLong, line: 1)) { try Trace(parsing: text) }
    }

    @Test("Every beginning of a trace is a trace or an error, never a trap")
    func prefixes() throws {
        let exchanges = try Trace(parsing: whole).exchanges
        var readable = 0
        for end in whole.indices {
            guard let trace = try? Trace(parsing: String(whole[..<end])) else { continue }
            readable += 1
            // Times may be cut, bytes never.
            #expect(
                trace.exchanges.map(\.command)
                    == exchanges.prefix(trace.exchanges.count).map(\.command)
            )
            #expect(
                trace.exchanges.map(\.result)
                    == exchanges.prefix(trace.exchanges.count).map(\.result)
            )
        }
        // From the comment behind the first response on, up to the second command, and so on.
        #expect(readable > 0)
    }

    @Test(
        "Times are written with one decimal",
        arguments: [
            (Duration.nanoseconds(49), "0.0"), (.nanoseconds(50), "0.1"),
            (.seconds(1), "1000000.0"), (.zero, "0.0"),
        ]
    )
    func times(duration: Duration, text: String) {
        #expect(duration.microsecondText == text)
    }
}
