/// How reader and card speak on the radio, once activation has settled it (ISO/IEC 14443-3 and -4; EMV Contactless
/// Interface Specification, Annex A).
///
/// The model is the shortest time the standards allow: both sides wait as little as they may, every frame arrives, and
/// higher bit rates shorten every part of a frame alike.
public struct RadioLink: Hashable, Sendable {
    /// The kind of modulation and framing.
    public enum Technology: Hashable, Sendable {
        /// Type A.
        case a
        /// Type B, with an extra guard time behind each character in units of its bits, 0 to 6.
        case b(extraGuardBits: Int)
    }

    /// A bit rate, both ways alike.
    public enum BitRate: Int, CaseIterable, Hashable, Sendable {
        /// 106 kbit/s, which every reader and card has.
        case kbit106 = 106
        /// 212 kbit/s.
        case kbit212 = 212
        /// 424 kbit/s.
        case kbit424 = 424
        /// 848 kbit/s.
        case kbit848 = 848

        /// One elementary time unit, the time of a bit: 128/fc at 106 kbit/s, half of it at twice the rate.
        public var bit: CarrierCycles {
            switch self {
            case .kbit106: CarrierCycles(128)
            case .kbit212: CarrierCycles(64)
            case .kbit424: CarrierCycles(32)
            case .kbit848: CarrierCycles(16)
            }
        }
    }

    /// Type A or B.
    public var technology: Technology
    /// The bit rate.
    public var bitRate: BitRate
    /// FSD, how many bytes the reader takes in a frame, framing bytes included.
    public var readerFrameCount: Int
    /// FSC, how many bytes the card takes in a frame.
    public var cardFrameCount: Int
    /// FWI, 0 to 14: the card answers within 4096/fc · 2^FWI, or asks for more time.
    public var frameWaitingInteger: Int
    /// WTXM, 1 to 59: how many of these times the card asks for.
    public var waitingTimeMultiplier: Int

    /// Collects the parts; by default what every EMV reader and card can do.
    public init(
        technology: Technology = .a,
        bitRate: BitRate = .kbit106,
        readerFrameCount: Int = 256,
        cardFrameCount: Int = 256,
        frameWaitingInteger: Int = 7,
        waitingTimeMultiplier: Int = 1
    ) {
        precondition(readerFrameCount > Self.blockOverhead && cardFrameCount > Self.blockOverhead)
        precondition(0...14 ~= frameWaitingInteger && 1...59 ~= waitingTimeMultiplier)
        self.technology = technology
        self.bitRate = bitRate
        self.readerFrameCount = readerFrameCount
        self.cardFrameCount = cardFrameCount
        self.frameWaitingInteger = frameWaitingInteger
        self.waitingTimeMultiplier = waitingTimeMultiplier
    }

    /// The frame sizes there are (FSDI and FSCI 0 to C; ISO/IEC 14443-4, 5.1).
    public static let frameCounts = [
        16, 24, 32, 40, 48, 64, 96, 128, 256, 512, 1024, 2048, 4096,
    ]
    /// What a block has beside its contents: a control byte and two of CRC; EMV uses neither CID nor NAD.
    public static let blockOverhead = 3

    // MARK: Times

    /// A frame, CRC and all.
    ///
    /// Type A: a start bit, nine for each byte with its parity, an end bit. Type B: start of frame 12 bits, ten for each byte
    /// and the extra guard time, end of frame 10 bits.
    public func frame(byteCount: Int) -> CarrierCycles {
        switch technology {
        case .a: bitRate.bit * (9 * byteCount + 2)
        case .b(let extraGuardBits): bitRate.bit * ((10 + extraGuardBits) * byteCount + 22)
        }
    }

    /// The shortest time from the end of a reader's frame to the card's (FDT PICC, or TR0 and TR1 for type B).
    public var cardDelay: CarrierCycles {
        switch technology {
        case .a: CarrierCycles(1116)
        case .b: CarrierCycles(1024 + 1280)
        }
    }

    /// The shortest time from the end of a card's frame to the reader's next (FDT PCD), 0.5 ms.
    public static let readerDelay = CarrierCycles(6780)

    /// FWT: how long the card may stay silent before it has to ask for more time.
    public var frameWaitingTime: CarrierCycles {
        CarrierCycles(4096 << frameWaitingInteger)
    }

    /// How long the card may stay silent after it has asked for more time; never more than FWI 14 means.
    public var extendedWaitingTime: CarrierCycles {
        min(frameWaitingTime * waitingTimeMultiplier, CarrierCycles(4096 << 14))
    }
}
