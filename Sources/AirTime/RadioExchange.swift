/// What one command and its response are on the radio, frame after frame.
public struct RadioExchange: Hashable, Sendable {
    /// Who sends.
    public enum Sender: Hashable, Sendable {
        /// The reader (PCD).
        case reader
        /// The card (PICC).
        case card
    }

    /// What a frame is for (ISO/IEC 14443-4, 7.1).
    public enum Block: Hashable, Sendable {
        /// An I-block that holds a part of an APDU; more follow where it is chained.
        case information(isChained: Bool)
        /// An R(ACK), which asks for the next I-block.
        case acknowledgement
        /// An S(WTX), with which the card asks for time and the reader grants it.
        case waitingTime
    }

    /// A frame, and what is waited for before it begins.
    public struct Frame: Hashable, Sendable {
        /// Who sends it.
        public var sender: Sender
        /// What it is for.
        public var block: Block
        /// How many bytes it has, CRC included.
        public var byteCount: Int
        /// From the end of the frame before until its beginning.
        public var delay: CarrierCycles
        /// From its beginning to its end.
        public var length: CarrierCycles
    }

    /// The frames, in order.
    public private(set) var frames: [Frame] = []
    /// How long the card thinks about the response.
    public let cardTime: CarrierCycles
    private let link: RadioLink

    /// Works out the frames.
    /// - Parameters:
    ///   - link: How both sides speak.
    ///   - commandCount: The command APDU's bytes.
    ///   - responseCount: The response APDU's bytes.
    ///   - cardTime: How long the card thinks.
    ///   - readerTime: How long the terminal has thought about the command since the response before.
    public init(
        _ link: RadioLink,
        commandCount: Int,
        responseCount: Int,
        cardTime: CarrierCycles = .zero,
        readerTime: CarrierCycles = .zero
    ) {
        self.link = link
        self.cardTime = cardTime
        let commands = Self.blocks(commandCount, link.cardFrameCount)
        for (index, count) in commands.enumerated() {
            let isChained = index + 1 < commands.count
            let delay = index == 0 ? max(RadioLink.readerDelay, readerTime) : RadioLink.readerDelay
            append(.reader, .information(isChained: isChained), count, after: delay)
            if isChained { append(.card, .acknowledgement, 0, after: link.cardDelay) }
        }
        let thinking = appendWaitingTimes()
        let responses = Self.blocks(responseCount, link.readerFrameCount)
        for (index, count) in responses.enumerated() {
            if index > 0 { append(.reader, .acknowledgement, 0, after: RadioLink.readerDelay) }
            append(
                .card,
                .information(isChained: index + 1 < responses.count),
                count,
                after: index == 0 ? max(link.cardDelay, thinking) : link.cardDelay
            )
        }
    }

    /// From the end of the response before until the end of this one.
    public var total: CarrierCycles { frames.reduce(.zero) { $0 + $1.delay + $1.length } }

    /// What of it is not the card's thinking: frames, and the waits between them.
    public var onAir: CarrierCycles { total - cardTime }

    /// How often the card asks for more time.
    public var extensionCount: Int { frames.count { $0.block == .waitingTime } / 2 }

    private mutating func append(
        _ sender: Sender,
        _ block: Block,
        _ contentCount: Int,
        after delay: CarrierCycles
    ) {
        let byteCount = contentCount + RadioLink.blockOverhead
        frames.append(
            Frame(
                sender: sender,
                block: block,
                byteCount: byteCount,
                delay: delay,
                length: link.frame(byteCount: byteCount)
            )
        )
    }

    /// Lets the card ask for more time at the end of each waiting time, as it does not think meanwhile.
    /// - Returns: How long it thinks behind the last grant.
    private mutating func appendWaitingTimes() -> CarrierCycles {
        var rest = cardTime
        var limit = link.frameWaitingTime
        while rest > limit {
            append(.card, .waitingTime, 1, after: limit)
            append(.reader, .waitingTime, 1, after: RadioLink.readerDelay)
            rest = rest - limit
            limit = link.extendedWaitingTime
        }
        return rest
    }

    /// The contents of the blocks an APDU is cut into.
    private static func blocks(_ count: Int, _ frameCount: Int) -> [Int] {
        let room = frameCount - RadioLink.blockOverhead
        let whole = [Int](repeating: room, count: max(0, (count - 1) / room))
        return whole + [count - whole.count * room]
    }
}
