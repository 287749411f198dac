import CardEngine

/// Answers one connection to vpcd until it ends.
struct VPCDServer: ~Copyable {
    private let socket: Socket
    private let slot: CardSlot
    private let answerToReset: [UInt8]
    /// Whether vpcd has asked for anything.
    private(set) var hasServed = false
    /// Whether the connection is to end because there is no card.
    ///
    /// vpcd 3.3 takes an answer without bytes for a card that has gone, but waits for ever for the bytes of it, and pcscd
    /// with it.
    private(set) var isWithoutCard = false

    init(_ socket: consuming Socket, _ slot: CardSlot, _ answerToReset: [UInt8]) {
        self.socket = socket
        self.slot = slot
        self.answerToReset = answerToReset
    }

    /// Serves until vpcd closes the connection, says half a frame and no more, or asks for a card that is not there.
    /// - Parameters:
    ///   - patienceMilliseconds: How long vpcd may stay silent at first, and inside a frame; it asks several times a
    ///     second for its card.
    ///   - tell: Told when vpcd stays silent longer, and of the first bytes that are not its protocol.
    /// - Throws: `SocketError` when the connection breaks.
    mutating func serve(
        patienceMilliseconds: Int32,
        _ tell: (LinkEvent) -> Void
    ) throws(SocketError) {
        var isFaultTold = false
        // Whatever floods the link with faults is told once.
        func tellFault(_ fault: String) {
            if !isFaultTold { tell(.protocolFault(fault)) }
            isFaultTold = true
        }
        var frames = VPCDFrameBuffer()
        var answer = VPCDAnswer()
        if try !socket.waitUntilReadable(milliseconds: patienceMilliseconds) { tell(.unasked) }
        while true {
            if frames.isInsideFrame,
                try !socket.waitUntilReadable(milliseconds: patienceMilliseconds)
            {
                return tellFault("a frame is not sent to its end")
            }
            let count = try frames.receive { (free) throws(SocketError) in
                try socket.receive(into: &free)
            }
            guard count > 0 else {
                if frames.isInsideFrame {
                    tellFault("the connection ended inside a frame")
                }
                return
            }
            while let frame = frames.next() {
                hasServed = true
                try serve(frames.body(of: frame), &answer) { tellFault($0) }
                if isWithoutCard { return }
            }
        }
    }

    private mutating func serve(
        _ body: Span<UInt8>,
        _ answer: inout VPCDAnswer,
        _ fault: (String) -> Void
    ) throws(SocketError) {
        switch VPCDRequest(body) {
        // A reset is a field that was gone for a moment.
        case .powerOn, .powerOff, .reset: slot.drop()
        case .answerToReset:
            isWithoutCard = !isCardPresent
            guard !isWithoutCard else { return }
            answer.begin()
            answer.append(answerToReset)
            try answer.send(over: socket)
        case .command:
            answer.begin()
            answer.appendResponse(to: body, of: slot)
            isWithoutCard = answer.isEmpty
            guard !isWithoutCard else { return }
            try answer.send(over: socket)
            slot.responseSent()
        case .unknown(let code): fault("control code \(code) is not known")
        case nil: fault("a frame is empty")
        }
    }

    /// Whether vpcd shall see a card: one that watches as well, and for a second after the last one was withdrawn.
    ///
    /// pcscd has no field but that of a card it sees, so without one nothing could be told to whoever watches.
    /// A wallet that pays again and again withdraws and shows its card in turn; a reader that looked in
    /// between would see the card removed in the middle of its work.
    private var isCardPresent: Bool {
        slot.isWatched || slot.timeSinceCard.map { $0 < .seconds(1) } ?? false
    }
}

/// An answer with its two length bytes, sent as one piece; its storage is used again and again.
struct VPCDAnswer: ~Copyable {
    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(2 + Card.maximumResponseCount) }

    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(0)
        bytes.append(0)
    }

    /// Whether there is nothing behind the length.
    var isEmpty: Bool { bytes.count == 2 }

    mutating func append(_ contents: [UInt8]) { bytes.append(contentsOf: contents) }

    mutating func appendResponse(to command: Span<UInt8>, of slot: CardSlot) {
        bytes.append(addingCapacity: Card.maximumResponseCount) { output in
            slot.answer(command, into: &output)
        }
    }

    mutating func send(over socket: borrowing Socket) throws(SocketError) {
        let count = bytes.count - 2
        bytes[0] = UInt8(truncatingIfNeeded: count >> 8)
        bytes[1] = UInt8(truncatingIfNeeded: count)
        try socket.send(bytes.span)
    }
}
