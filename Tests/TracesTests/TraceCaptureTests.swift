import Foundation
import Octets
import Testing
import Traces
import Transport

/// The blocks of a capture file, as the pcapng specification has them.
private struct Blocks {
    var all: [(type: UInt32, body: ArraySlice<UInt8>)] = []

    init(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int(Self.number(rest.dropFirst(4)))
            try #require(count >= 12 && count % 4 == 0 && count <= rest.count)
            let block = rest.prefix(count)
            #expect(Int(Self.number(block.suffix(4))) == count)
            all.append((Self.number(block), block.dropFirst(8).dropLast(4)))
            rest = rest.dropFirst(count)
        }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The packets: their times in nanoseconds and their bytes.
    var packets: [(time: UInt64, bytes: [UInt8])] {
        all.filter { $0.type == 6 }.map { block in
            let high = UInt64(Self.number(block.body.dropFirst(4)))
            let low = UInt64(Self.number(block.body.dropFirst(8)))
            let count = Int(Self.number(block.body.dropFirst(12)))
            return (high << 32 | low, Array(block.body.dropFirst(20).prefix(count)))
        }
    }
}

@Suite("Capture file")
struct TraceCaptureTests {
    private static let trace = Trace(
        headers: [.init(.source, "a drawer")],
        exchanges: [
            Exchange([0, 0xA4, 4, 0], [0x6A, 0x82], elapsed: .nanoseconds(412_300)),
            Exchange(
                command: [0, 0xB2, 1, 0xC, 0],
                result: .failure(.timeout),
                elapsed: .seconds(5)
            ),
            Exchange([0x80, 0xCA, 0x9F, 0x36, 0], [0x9F, 0x36, 2, 0, 1, 0x90, 0]),
        ]
    )

    @Test("Commands and responses are packets with their times")
    func packets() throws {
        let capture = TraceCapture(Self.trace, startSeconds: 1_000)
        let blocks = try Blocks(capture.bytes)
        #expect(blocks.all.map(\.type) == [0x0A0D_0D0A, 1, 6, 6, 6, 6, 6])
        #expect(Blocks.number(blocks.all[0].body) == 0x1A2B_3C4D)
        #expect(Array(blocks.all[1].body.prefix(2)) == [252, 0])
        let start: UInt64 = 1_000_000_000_000
        #expect(
            blocks.packets.map(\.time) == [
                start, start + 412_300, start + 412_300, start + 5_000_412_300,
                start + 5_000_412_300,
            ]
        )
        let sent = try [UInt8](hex: "000C000869736F373831360000230004000000000000000000A40400")
        #expect(blocks.packets[0].bytes == sent)
        let received = try [UInt8](hex: "000C000869736F3738313600002300040000000100000000" + "6A82")
        #expect(blocks.packets[1].bytes == received)
    }

    @Test("Comments stand behind what they are about, however long")
    func comments() throws {
        let comments = [
            TraceCapture.Comment(command: "SELECT", response: "file not found"),
            TraceCapture.Comment(response: String(repeating: "é", count: 60_000)),
        ]
        let blocks = try Blocks(TraceCapture(Self.trace, startSeconds: 0, comments: comments).bytes)
        let texts = blocks.all.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(texts[0].contains("source: a drawer"))
        #expect(texts[2].contains("SELECT") && texts[3].contains("file not found"))
        #expect(texts[4].contains("no response: éé"))
        #expect(texts[4].utf8.count < 70_000)
    }

    @Test("The longest APDUs fit")
    func longest() throws {
        let body = [UInt8](repeating: 0xAA, count: 65_535)
        let exchange = Exchange([0, 0xD6, 0, 0, 0, 0xFF, 0xFF] + body, body + [0x90, 0])
        let blocks = try Blocks(
            TraceCapture(Trace(exchanges: [exchange]), startSeconds: .max).bytes
        )
        #expect(blocks.packets.map(\.bytes.count) == [24 + 7 + 65_535, 24 + 65_537])
    }

    @Test("A command that is not known to its end has no packet, and is told with its response")
    func partialCommands() throws {
        let trace = Trace(exchanges: [
            Exchange(
                command: [0, 0xA4],
                isCommandPartial: true,
                result: .success([0x90, 0]),
                elapsed: nil
            ),
            Exchange([0, 0xA4, 4, 0, 7, 0xA0], [0x67, 0]),
        ])
        let comments = [TraceCapture.Comment(command: "SELECT"), TraceCapture.Comment()]
        let blocks = try Blocks(TraceCapture(trace, startSeconds: 0, comments: comments).bytes)
        #expect(blocks.packets.map { $0.bytes.dropFirst(24) } == [[0x90, 0], [0x67, 0]])
        let texts = blocks.all.dropFirst(2).map { String(decoding: $0.body, as: UTF8.self) }
        #expect(texts[0].contains("SELECT\ncommand recorded in part only, no packet: 00A4"))
        #expect(texts[1].contains("no packet: 00A4040007A0"))
    }

    @Test("Headers of any length leave a file of whole blocks")
    func longHeader() throws {
        let note = Trace.Header(.note, String(repeating: "x", count: 200_000))
        let trace = Trace(headers: [note], exchanges: Self.trace.exchanges)
        #expect(try Blocks(TraceCapture(trace, startSeconds: 0).bytes).all.count == 7)
    }

    @Test("A comment that is cut ends with a whole character", arguments: ["", "x", "xx", "xxx"])
    func cutComment(start: String) throws {
        let text = start + String(repeating: "😀", count: 20_000)
        let comments = [TraceCapture.Comment(command: text)]
        let blocks = try Blocks(TraceCapture(Self.trace, startSeconds: 0, comments: comments).bytes)
        let body = blocks.all[2].body
        let option =
            try #require(body.indices.first { body[$0...].starts(with: "😀😀".utf8) })
            - start.utf8.count
        let count = Int(body[option - 2]) | Int(body[option - 1]) << 8
        let comment = try #require(String(validating: body[option..<option + count], as: UTF8.self))
        #expect(text.hasPrefix(comment) && count > 59_990)
    }
}
