import Glibc
import ISO7816
import NFCWallet
import Synchronization
import Testing

@testable import Emulation

/// The field against a vpcd that the test plays, over loopback sockets.
@Suite(.timeLimit(.minutes(5))) struct VPCDFieldTests {
    private static let answer = AnswerToReset(contactlessHistoricalBytes: [])

    /// A field without pauses, for a test that says when it has had enough.
    private func field(
        _ port: UInt16,
        patienceMilliseconds: Int32 = 3000,
        prepare: @escaping @Sendable () -> Void = {}
    ) -> VPCDField {
        VPCDField(
            host: "127.0.0.1",
            port: port,
            answerToReset: Self.answer,
            patienceMilliseconds: patienceMilliseconds,
            prepare: prepare,
            pause: { _ in }
        )
    }

    @Test func `the answer to reset is there while a card is shown`() throws {
        let vpcd = try FakeVPCD()
        let field = field(vpcd.port)
        field.start()
        defer { field.stop() }
        let card = ScribeCard()
        field.present(card)
        let link = try vpcd.accept()
        #expect(try link.exchange("0001 04") == "00053B80800101")
        // Nobody sees a card that comes back within a second leave.
        field.withdraw(card)
        #expect(try link.exchange("0001 04") == "00053B80800101")
    }

    @Test func `a card that only watches is seen, and told of the reader's first command`()
        async throws
    {
        let vpcd = try FakeVPCD()
        let field = field(vpcd.port)
        let card = ScribeCard()
        field.watch(card)
        field.start()
        defer { field.stop() }
        let link = try vpcd.accept()
        #expect(try link.exchange("0001 04") == "00053B80800101")
        #expect(card.told.isEmpty)
        // Nobody shows it in the second that the command waits.
        #expect(try link.exchange("0001 01  0005 00A4040000") == "00026985")
        #expect(card.told == ["on"])
        // vpcd would wait for ever for the bytes of an empty answer.
        field.withdraw(card)
        #expect(try link.exchange("0001 04") == "")
        // Nobody is told of a link that ends for want of a card, or of the next one.
        field.present(card)
        let next = try vpcd.accept()
        #expect(try next.exchange("0001 04") == "00053B80800101")
        field.stop()
        // A link that ended sooner would be told.
        _ = consume next
        var events: [LinkEvent] = []
        for await event in field.events { events.append(event) }
        #expect(events == [.connected])
    }

    @Test func `a host that is not known is told at once`() async throws {
        let field = VPCDField(
            host: "nowhere.invalid",
            port: 1,
            answerToReset: Self.answer,
            pause: { _ in }
        )
        field.present(ScribeCard())
        field.start()
        var events: [LinkEvent] = []
        for await event in field.events { events.append(event) }
        #expect(
            events == [
                .refused(
                    reason:
                        "the host nowhere.invalid is not known; check the name, or give an address"
                )
            ]
        )
    }

    @Test func `without a card nothing is connected`() async throws {
        let vpcd = try FakeVPCD()
        let tries = Mutex(0)
        let field = field(vpcd.port, prepare: { tries.withLock { $0 += 1 } })
        field.start()
        field.stop()
        for await event in field.events { Issue.record("\(event)") }
        #expect(tries.withLock { $0 } == 0)
    }

    @Test func `a card that leaves instead of answering ends the link`() async throws {
        let vpcd = try FakeVPCD()
        let field = field(vpcd.port)
        let card = LeavingCard()
        field.present(card)
        field.start()
        #expect(try vpcd.accept().exchange("0005 00A4040000") == "")
        let next = try vpcd.accept()
        #expect(try next.exchange("0001 04") == "00053B80800101")
        field.stop()
        // A link that ended sooner would be told.
        _ = consume next
        var events: [LinkEvent] = []
        for await event in field.events { events.append(event) }
        #expect(events == [.connected])
    }

    /// A card that leaves at the first command.
    private final class LeavingCard: EmulatedCard {
        func fieldOn() {}
        func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>) {}
        func responseSent() {}
        func fieldOff() -> Bool { true }
    }

    @Test func `a command is answered in one piece, and the card told of the field`() throws {
        let vpcd = try FakeVPCD()
        let field = field(vpcd.port)
        let card = ScribeCard()
        field.present(card)
        field.start()
        defer { field.stop() }
        let link = try vpcd.accept()
        #expect(try link.exchange("0001 01  0005 00A4040000") == "000700A40400009000")
        #expect(try link.exchange("0005 00B2010C00") == "000700B2010C009000")
        // The answer to the poll is behind the power off, so the card has heard of it.
        #expect(try link.exchange("0001 00  0001 04") == "00053B80800101")
        #expect(card.told == ["on", "command", "sent", "command", "sent", "off"])
    }

    @Test func `a reset is a field that was gone`() throws {
        let vpcd = try FakeVPCD()
        let field = field(vpcd.port)
        let card = ScribeCard()
        field.present(card)
        field.start()
        defer { field.stop() }
        let link = try vpcd.accept()
        _ = try link.exchange("0002 0102")
        _ = try link.exchange("0001 02  0002 0304")
        // The card is told that the answer is sent after it was; the next answer is behind that.
        _ = try link.exchange("0001 04")
        #expect(card.told == ["on", "command", "sent", "off", "on", "command", "sent"])
    }

    @Test func `frames in any pieces are put together`() throws {
        let vpcd = try FakeVPCD()
        let field = field(vpcd.port)
        field.present(ScribeCard())
        field.start()
        defer { field.stop() }
        let link = try vpcd.accept()
        for byte: UInt8 in [0x00, 0x04, 0x01, 0x02, 0x03] { try link.send([byte]) }
        #expect(try link.exchange("04") == "0006010203049000")
    }

    @Test func `the field comes back after each end of the link`() async throws {
        let vpcd = try FakeVPCD()
        let tries = Mutex(0)
        let field = field(vpcd.port, prepare: { tries.withLock { $0 += 1 } })
        let card = ScribeCard()
        field.present(card)
        field.start()
        for _ in 0..<3 {
            let link = try vpcd.accept()
            _ = try link.exchange("0002 0102")
        }
        let link = try vpcd.accept()
        _ = try link.exchange("0001 04")
        field.stop()
        var events: [LinkEvent] = []
        for await event in field.events { events.append(event) }
        let closed = LinkEvent.disconnected(reason: "vpcd has closed the connection")
        #expect(events == [.connected, closed, .connected, closed, .connected, closed, .connected])
        #expect(tries.withLock { $0 } == 4)
        // A link that ends takes the field away.
        let tap = ["on", "command", "sent", "off"]
        #expect(card.told == tap + tap + tap)
        #expect(try link.receive().isEmpty)
    }

    @Test func `a link that is cut is one that vpcd has closed`() async throws {
        let vpcd = try FakeVPCD()
        let pauses = Mutex<[Double]>([])
        let field = VPCDField(
            host: "127.0.0.1",
            port: vpcd.port,
            answerToReset: Self.answer,
            pause: { seconds in pauses.withLock { $0.append(seconds) } }
        )
        field.present(ScribeCard())
        field.start()
        let first = try vpcd.accept()
        _ = try first.exchange("0001 04")
        first.reset()
        let link = try vpcd.accept()
        _ = try link.exchange("0001 04")
        field.stop()
        var events: [LinkEvent] = []
        for await event in field.events { events.append(event) }
        let closed = LinkEvent.disconnected(reason: "vpcd has closed the connection")
        #expect(events == [.connected, closed, .connected])
        // pcscd looks for the card every 0.4 s, and has to see that it was away.
        #expect(pauses.withLock { $0.prefix(2) } == [0.5, 1])
    }

    @Test(arguments: [
        ("0000", "a frame is empty"), ("0001 07", "control code 7 is not known"),
        ("00", "the connection ended inside a frame"),
        ("0005 00A4", "the connection ended inside a frame"),
    ])
    func `what is not the protocol is told and passed over`(
        _ bytes: String,
        _ fault: String
    ) async throws {
        let vpcd = try FakeVPCD()
        let field = field(vpcd.port)
        let card = ScribeCard()
        field.present(card)
        field.start()
        do {
            let link = try vpcd.accept()
            try link.send(bytes)
        }
        let link = try vpcd.accept()
        #expect(try link.exchange("0001 04") == "00053B80800101")
        field.stop()
        var events: [LinkEvent] = []
        for await event in field.events { events.append(event) }
        #expect(events.contains(.protocolFault(fault)))
        #expect(card.told.isEmpty)
    }

    @Test func `a frame that is cut by the end of the field is no fault`() async throws {
        let vpcd = try FakeVPCD()
        let field = field(vpcd.port)
        field.present(ScribeCard())
        field.start()
        let link = try vpcd.accept()
        // Once the first frame is answered, the half behind it has been received too.
        #expect(try link.exchange("0001 04  0001") == "00053B80800101")
        field.stop()
        var events: [LinkEvent] = []
        for await event in field.events { events.append(event) }
        #expect(events == [.connected])
    }

    @Test func `of a flood of faults one is told`() async throws {
        let vpcd = try FakeVPCD()
        let field = field(vpcd.port)
        field.present(ScribeCard())
        field.start()
        let flood = try vpcd.accept()
        for _ in 0..<100 { try flood.send("0000 0001 55") }
        #expect(try flood.exchange("0001 04") == "00053B80800101")
        field.stop()
        var events: [LinkEvent] = []
        for await event in field.events { events.append(event) }
        #expect(events == [.connected, .protocolFault("a frame is empty")])
    }

    @Test func `half a frame and then nothing is given up`() async throws {
        let vpcd = try FakeVPCD()
        let field = field(vpcd.port, patienceMilliseconds: 0)
        field.present(ScribeCard())
        field.start()
        let half = try vpcd.accept()
        try half.send("0005 00A4")
        #expect(try half.receive().isEmpty)
        let link = try vpcd.accept()
        #expect(try link.exchange("0001 04") == "00053B80800101")
        field.stop()
        var events: [LinkEvent] = []
        for await event in field.events { events.append(event) }
        #expect(events.contains(.protocolFault("a frame is not sent to its end")))
    }

    @Test func `an IPv6 address stands in brackets`() {
        #expect(VPCDField.address(host: "::1", port: 1) == "[::1]:1")
        #expect(VPCDField.address(host: "localhost", port: 65535) == "localhost:65535")
    }

    @Test func `the longest frame is a command like any other`() throws {
        let vpcd = try FakeVPCD()
        let field = field(vpcd.port)
        field.present(RefusingCard())
        field.start()
        defer { field.stop() }
        let link = try vpcd.accept()
        try link.send([0xFF, 0xFF] + [UInt8](repeating: 0, count: 65535))
        #expect(try link.receive() == [0x00, 0x02, 0x67, 0x00])
    }

    @Test func `tries that fail are further and further apart`() async throws {
        // A port that was free a moment ago, on which nobody listens.
        let port = try FakeVPCD().port
        let pauses = Mutex<[Double]>([])
        let field = Mutex<VPCDField?>(nil)
        let made = VPCDField(
            host: "127.0.0.1",
            port: port,
            answerToReset: Self.answer,
            pause: { seconds in
                let count = pauses.withLock { pauses in
                    pauses.append(seconds)
                    return pauses.count
                }
                if count == 9 { field.withLock { $0?.stop() } }
            }
        )
        field.withLock { $0 = made }
        made.present(RefusingCard())
        made.start()
        var events: [LinkEvent] = []
        for await event in made.events { events.append(event) }
        // First so long that pcscd has noticed the end of a card that was there before.
        #expect(pauses.withLock { $0 } == [0.5, 0.1, 0.2, 0.4, 0.8, 1.6, 2, 2, 2])
        let refused = LinkEvent.disconnected(
            reason: "vpcd at 127.0.0.1:\(port): connection refused"
        )
        #expect(events == [LinkEvent](repeating: refused, count: 8))
    }

    @Test func `a link that is never asked for the card is told`() async throws {
        let vpcd = try FakeVPCD()
        let field = field(vpcd.port, patienceMilliseconds: 0)
        field.present(ScribeCard())
        field.start()
        var events = field.events.makeAsyncIterator()
        #expect(await events.next() == .connected)
        #expect(await events.next() == .unasked)
        // It is served all the same when its turn comes.
        let link = try vpcd.accept()
        #expect(try link.exchange("0001 04") == "00053B80800101")
        field.stop()
        #expect(await events.next() == nil)
    }

    @Test func `a socket that leads to itself is known`() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let port = try FakeVPCD.bind(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(code == 0)
        let isItself = Socket(descriptor: descriptor).isConnectedToItself
        #expect(isItself)

        let vpcd = try FakeVPCD()
        let other = try Socket(host: "127.0.0.1", port: vpcd.port, timeoutSeconds: 5)
        let isOther = other.isConnectedToItself
        #expect(!isOther)
    }
}

/// A card that finds every command too long.
private final class RefusingCard: EmulatedCard {
    func fieldOn() {}
    func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>) {
        response.append(0x67)
        response.append(0x00)
    }
    func responseSent() {}
    func fieldOff() -> Bool { true }
}
