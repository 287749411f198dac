/// What vpcd, the driver of a virtual reader, asks of a card.
///
/// A frame is two length bytes, most significant first, and that many bytes. One byte is a control code;
/// anything longer is a command APDU, so that an APDU of one byte cannot be told from a control code.
package enum VPCDRequest: Equatable {
    /// Power off (00); not answered.
    case powerOff
    /// Power on (01); not answered.
    case powerOn
    /// Reset (02); not answered.
    case reset
    /// Get the answer to reset (04); vpcd asks at every presence poll.
    case answerToReset
    /// A control code that vpcd does not document; not answered.
    case unknown(UInt8)
    /// A command APDU: all bytes of the frame.
    case command

    /// Sorts the bytes of a frame; nil for an empty frame.
    package init?(_ body: Span<UInt8>) {
        guard body.count > 0 else { return nil }
        guard body.count == 1 else {
            self = .command
            return
        }
        switch body[0] {
        case 0x00: self = .powerOff
        case 0x01: self = .powerOn
        case 0x02: self = .reset
        case 0x04: self = .answerToReset
        default: self = .unknown(body[0])
        }
    }
}

/// Gathers frames from whatever parts a stream arrives in, without allocating once created.
package struct VPCDFrameBuffer: ~Copyable {
    private var storage = [UInt8](repeating: 0, count: 2 + 65535)
    private var used = 0
    private var consumed = 0

    /// Begins with nothing received.
    package init() {}

    /// Passes the free part of the buffer to `fill`, which says how many bytes it wrote.
    package mutating func receive<Failure: Error>(
        _ fill: (inout MutableSpan<UInt8>) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        compact()
        let start = used
        var whole = storage.mutableSpan
        var free = whole._mutatingExtracting(droppingFirst: start)
        let count = try fill(&free)
        used += count
        return count
    }

    /// Takes the next whole frame; nil when none is there yet.
    ///
    /// Its bytes stay where they are until the next `receive`.
    package mutating func next() -> Frame? {
        let available = used - consumed
        guard available >= 2 else { return nil }
        let count = Int(storage[consumed]) << 8 | Int(storage[consumed + 1])
        guard available >= 2 + count else { return nil }
        let start = consumed + 2
        consumed = start + count
        return Frame(range: start..<start + count)
    }

    /// The bytes of a frame, without its length.
    @_lifetime(borrow self)
    package func body(of frame: Frame) -> Span<UInt8> { storage.span.extracting(frame.range) }

    /// Where a frame lies in the buffer.
    package struct Frame {
        fileprivate let range: Range<Int>
    }

    /// Whether the bytes at hand end inside a frame.
    package var isInsideFrame: Bool { used > consumed }

    /// Moves what is left to the front.
    private mutating func compact() {
        guard consumed > 0 else { return }
        for index in consumed..<used { storage[index - consumed] = storage[index] }
        used -= consumed
        consumed = 0
    }
}
