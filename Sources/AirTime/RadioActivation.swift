/// What comes before the first command: the reader finds a card of type A and activates it (ISO/IEC 14443-3, 6;
/// ISO/IEC 14443-4, 5).
///
/// Finding is one turn of an EMV reader's polling: it wakes up type A, stops it again, asks for type B, and comes back. The
/// frames are at 106 kbit/s whatever follows; a higher bit rate is agreed on at the end (PPS), which EMV readers do not do.
public struct RadioActivation: Hashable, Sendable {
    /// UID of the card, 4, 7 or 10 bytes: the number of anticollision levels.
    public var identifierCount: Int
    /// How many bytes the answer to select (ATS) has, without CRC.
    public var answerToSelectCount: Int
    /// The bit rate of what follows.
    public var bitRate: RadioLink.BitRate

    /// Collects the parts.
    public init(
        identifierCount: Int = 4,
        answerToSelectCount: Int = 6,
        bitRate: RadioLink.BitRate = .kbit106
    ) {
        precondition([4, 7, 10].contains(identifierCount))
        self.identifierCount = identifierCount
        self.answerToSelectCount = answerToSelectCount
        self.bitRate = bitRate
    }

    /// EMV's guard time before the first frame of a technology, 5.1 ms.
    public static let guardTime = CarrierCycles(69_156)
    /// From a reader's frame to the card's at 106 kbit/s in initialisation, where the last bit was 1.
    public static let initialDelay = CarrierCycles(1236)

    /// From the field's beginning to the end of the answer to select, or to the protocol and parameter selection (PPS).
    public var total: CarrierCycles {
        let link = RadioLink()
        let bit = link.bitRate.bit
        let wakeUp = bit * 9
        let answer = link.frame(byteCount: 2)
        // Polling: type A answers and is halted, nobody of type B does, and type A is woken up again.
        var total = Self.guardTime + wakeUp + Self.initialDelay + answer
        total = total + RadioLink.readerDelay + link.frame(byteCount: 4)
        total =
            total + Self.guardTime
            + RadioLink(technology: .b(extraGuardBits: 0)).frame(byteCount: 5)
        total = total + Self.guardTime + wakeUp + Self.initialDelay + answer
        for _ in 0..<(identifierCount - 1) / 3 {
            // Anticollision, five bytes of UID and their check byte; then SELECT and SAK.
            total = total + RadioLink.readerDelay + link.frame(byteCount: 2)
            total = total + Self.initialDelay + link.frame(byteCount: 5)
            total = total + RadioLink.readerDelay + link.frame(byteCount: 9)
            total = total + Self.initialDelay + link.frame(byteCount: 3)
        }
        // RATS and ATS.
        total = total + RadioLink.readerDelay + link.frame(byteCount: 4)
        total = total + Self.initialDelay + link.frame(byteCount: answerToSelectCount + 2)
        guard bitRate != .kbit106 else { return total }
        // PPSS, PPS0 and PPS1; PPSS back.
        total = total + RadioLink.readerDelay + link.frame(byteCount: 5)
        return total + Self.initialDelay + link.frame(byteCount: 3)
    }
}
