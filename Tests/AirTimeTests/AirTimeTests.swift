import AirTime
import TestSupport
import Testing

private struct Kind: Decodable { var kind: String }

private struct Input: Decodable, Sendable {
    var technology: String?
    var egt: Int?
    var kbit: Int?
    var fsd: Int?
    var fsc: Int?
    var fwi: Int?
    var wtxm: Int?
    var commandCount: Int?
    var responseCount: Int?
    var cardCycles: Int?
    var readerCycles: Int?

    /// How both sides speak.
    func link() throws -> RadioLink {
        RadioLink(
            technology: technology == "B" ? .b(extraGuardBits: try #require(egt)) : .a,
            bitRate: try #require(RadioLink.BitRate(rawValue: kbit ?? 106)),
            readerFrameCount: fsd ?? 256,
            cardFrameCount: fsc ?? 256,
            frameWaitingInteger: fwi ?? 7,
            waitingTimeMultiplier: wtxm ?? 1
        )
    }
}

private struct Nothing: Decodable, Sendable {}

private func cases() throws -> [VectorCase<Input, Nothing>] {
    try VectorFile<Kind, Input, Nothing>.load("air-time").groups
        .filter { $0.parameters.kind == "exchange" }.flatMap(\.cases)
}

@Suite("The radio (ISO/IEC 14443-3 and -4)")
struct AirTimeTests {
    @Test("What is not the card's time is on air", arguments: try cases())
    fileprivate func exchange(_ vector: VectorCase<Input, Nothing>) throws {
        let input = vector.input
        let cardTime = CarrierCycles(try #require(input.cardCycles))
        let exchange = RadioExchange(
            try input.link(),
            commandCount: try #require(input.commandCount),
            responseCount: try #require(input.responseCount),
            cardTime: cardTime,
            readerTime: CarrierCycles(try #require(input.readerCycles))
        )
        #expect(exchange.onAir + cardTime == exchange.total)
        let requests = exchange.frames.count { $0.byteCount == 4 && $0.block == .waitingTime }
        #expect(exchange.extensionCount * 2 == requests)
    }

    @Test("Every byte of an APDU is in exactly one block", arguments: RadioLink.frameCounts)
    func nothingIsLost(frameCount: Int) {
        let link = RadioLink(readerFrameCount: frameCount, cardFrameCount: frameCount)
        for count in [0, 1, 2, 12, 13, 14, 61, 62, 253, 254, 255, 256, 258, 65_538] {
            let exchange = RadioExchange(link, commandCount: count, responseCount: count)
            for sender in [RadioExchange.Sender.reader, .card] {
                let blocks = exchange.frames.filter {
                    if case .information = $0.block { $0.sender == sender } else { false }
                }
                #expect(blocks.reduce(0) { $0 + $1.byteCount - 3 } == count)
                #expect(blocks.allSatisfy { $0.byteCount <= frameCount })
                #expect(blocks.last?.block == .information(isChained: false))
                #expect(blocks.dropLast().allSatisfy { $0.block == .information(isChained: true) })
            }
        }
    }

    @Test("An extended waiting time ends where FWI 14 does")
    func longestWait() {
        let link = RadioLink(frameWaitingInteger: 14, waitingTimeMultiplier: 59)
        #expect(link.extendedWaitingTime == link.frameWaitingTime)
    }

    @Test("Cycles and durations are the same time")
    func durations() {
        #expect(CarrierCycles(.seconds(1)).rawValue == 13_560_000)
        #expect(CarrierCycles(.seconds(-1)) == .zero)
        #expect(CarrierCycles(.seconds(10_000_000)).duration == .seconds(86_400))
        #expect(CarrierCycles(6780).duration == .microseconds(500))
        #expect(CarrierCycles(13_560_001).duration == .seconds(1) + .nanoseconds(73))
    }
}
