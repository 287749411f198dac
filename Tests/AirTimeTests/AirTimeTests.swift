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
    var byteCount: Int?
    var identifierCount: Int?
    var answerToSelectCount: Int?

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

private struct Expected: Decodable, Sendable {
    var frameByteCounts: [Int]?
    var frameCycles: [Int]?
    var delayCycles: [Int]?
    var totalCycles: Int?
    var microseconds: Int?
}

private func cases(_ kind: String) throws -> [VectorCase<Input, Expected>] {
    let groups = try VectorFile<Kind, Input, Expected>.load("air-time").groups
    return groups.filter { $0.parameters.kind == kind }.flatMap(\.cases)
}

extension CarrierCycles {
    /// Whole microseconds, rounded.
    fileprivate var microseconds: Int { Int((duration / .microseconds(1)).rounded()) }
}

@Suite("The radio (ISO/IEC 14443-3 and -4)")
struct AirTimeTests {
    @Test("An exchange has the frames worked out by hand", arguments: try cases("exchange"))
    fileprivate func exchange(_ vector: VectorCase<Input, Expected>) throws {
        let input = vector.input
        let cardTime = CarrierCycles(try #require(input.cardCycles))
        let exchange = RadioExchange(
            try input.link(),
            commandCount: try #require(input.commandCount),
            responseCount: try #require(input.responseCount),
            cardTime: cardTime,
            readerTime: CarrierCycles(try #require(input.readerCycles))
        )
        #expect(exchange.frames.map(\.byteCount) == vector.expected.frameByteCounts)
        #expect(exchange.frames.map(\.length.rawValue) == vector.expected.frameCycles)
        #expect(exchange.frames.map(\.delay.rawValue) == vector.expected.delayCycles)
        #expect(exchange.total.rawValue == vector.expected.totalCycles)
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

    @Test("A frame takes what its bits take", arguments: try cases("frame"))
    fileprivate func frame(_ vector: VectorCase<Input, Expected>) throws {
        let length = RadioLink().frame(byteCount: try #require(vector.input.byteCount))
        #expect(length.microseconds == vector.expected.microseconds)
    }

    @Test("The frame waiting time is the published one", arguments: try cases("waitingTime"))
    fileprivate func waitingTime(_ vector: VectorCase<Input, Expected>) throws {
        #expect(
            try vector.input.link().frameWaitingTime.microseconds == vector.expected.microseconds
        )
    }

    @Test("Activation takes what its frames take", arguments: try cases("activation"))
    fileprivate func activation(_ vector: VectorCase<Input, Expected>) throws {
        let activation = RadioActivation(
            identifierCount: try #require(vector.input.identifierCount),
            answerToSelectCount: try #require(vector.input.answerToSelectCount)
        )
        #expect(activation.total.rawValue == vector.expected.totalCycles)
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
