import AirTime
import Profiles

/// `air-time`: how long frames are on the radio (ISO/IEC 14443-2 to -4), in periods of the carrier.
enum AirTimeFamily: VectorFamily {
    case exchange(ExchangeCase)
    case frame(byteCount: Int)
    case waitingTime(RadioLink)
    case activation(RadioActivation)

    static let name = "air-time"

    private enum Kind: String, CaseIterable { case exchange, frame, waitingTime, activation }

    /// A command and its response.
    struct ExchangeCase: Sendable {
        var link: RadioLink
        var commandCount: Int
        var responseCount: Int
        /// How long the card computes.
        var cardTime: CarrierCycles
        /// How long the reader waits before it sends.
        var readerTime: CarrierCycles
    }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        switch try parameters.choice("kind", of: Kind.self) {
        case .exchange:
            self = .exchange(
                ExchangeCase(
                    link: try RadioLink(&input),
                    commandCount: try input.count("commandCount", 0...0x10000),
                    responseCount: try input.count("responseCount", 0...0x10002),
                    cardTime: CarrierCycles(try input.count("cardCycles", 0...100_000_000)),
                    readerTime: CarrierCycles(try input.count("readerCycles", 0...100_000_000))
                )
            )
        case .frame: self = .frame(byteCount: try input.count("byteCount", 0...4096))
        case .waitingTime:
            self = .waitingTime(
                RadioLink(frameWaitingInteger: try input.count("fwi", 0...14))
            )
        case .activation:
            let identifierCount = try input.count("identifierCount", 4...10)
            guard [4, 7, 10].contains(identifierCount) else {
                throw ProfilesError(input.path(to: "identifierCount"), "must be 4, 7 or 10")
            }
            self = .activation(
                RadioActivation(
                    identifierCount: identifierCount,
                    answerToSelectCount: try input.count("answerToSelectCount", 1...254),
                    bitRate: try RadioLink.BitRate(&input)
                )
            )
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .exchange(let input):
            let exchange = RadioExchange(
                input.link,
                commandCount: input.commandCount,
                responseCount: input.responseCount,
                cardTime: input.cardTime,
                readerTime: input.readerTime
            )
            return [
                "frameByteCounts": .list(exchange.frames.map { .number($0.byteCount) }),
                "frameCycles": .list(exchange.frames.map { .number($0.length.rawValue) }),
                "delayCycles": .list(exchange.frames.map { .number($0.delay.rawValue) }),
                "totalCycles": .number(exchange.total.rawValue),
            ]
        case .frame(let byteCount):
            return ["microseconds": .number(RadioLink().frame(byteCount: byteCount).microseconds)]
        case .waitingTime(let link):
            return ["microseconds": .number(link.frameWaitingTime.microseconds)]
        case .activation(let activation):
            return ["totalCycles": .number(activation.total.rawValue)]
        }
    }
}

extension CarrierCycles {
    /// Whole microseconds, rounded.
    fileprivate var microseconds: Int { Int((duration / .microseconds(1)).rounded()) }
}

extension RadioLink {
    private enum TechnologyName: String, CaseIterable {
        case a = "A"
        case b = "B"
    }

    /// Reads how both sides speak.
    fileprivate init(_ input: inout JSONObject) throws(ProfilesError) {
        let isA = try input.choice("technology", of: TechnologyName.self) == .a
        let bitRate = try BitRate(&input)
        self.init(
            technology: isA ? .a : .b(extraGuardBits: try input.count("egt", 0...6)),
            bitRate: bitRate,
            readerFrameCount: try input.count("fsd", 16...4096),
            cardFrameCount: try input.count("fsc", 16...4096),
            frameWaitingInteger: try input.count("fwi", 0...14),
            waitingTimeMultiplier: try input.count("wtxm", 1...59)
        )
    }
}

extension RadioLink.BitRate {
    /// Reads the bit rate.
    fileprivate init(_ input: inout JSONObject) throws(ProfilesError) {
        guard let rate = Self(rawValue: try input.count("kbit", 0...1000)) else {
            throw ProfilesError(input.path(to: "kbit"), "must be 106, 212, 424 or 848")
        }
        self = rate
    }
}
