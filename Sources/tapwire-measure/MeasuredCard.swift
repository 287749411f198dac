import CAllocationCounter
import CMeasuredCalls
import CardEngine
import Transport

/// A card in a reader that notes what each answer costs.
struct MeasuredCard: Transport, ~Copyable {
    var card: Card
    private(set) var figures = Figures()
    /// Whether the card will sign its answer to GET PROCESSING OPTIONS.
    var signsProcessingOptions = false
    /// Whether costs are noted: what is done once is not what a command costs.
    var isMeasuring = false
    /// Whether every answer allocates once, to see that it is noticed.
    var isPlanted = false
    private var command: [UInt8] = []
    private var response: [UInt8] = []

    init(_ card: consuming Card) {
        self.card = card
        response.reserveCapacity(Card.maximumResponseCount)
    }

    mutating func fieldOn() throws(TransportError) { card.fieldOn() }

    mutating func fieldOff() { card.fieldOff() }

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        transmit(command, as: CommandKind(command, isSigned: signsProcessingOptions))
        return response + []
    }

    /// Lets the card answer, and notes what it costs.
    mutating func transmit(_ command: [UInt8], as kind: CommandKind) {
        self.command = command
        guard isMeasuring else { return answer() }
        let cost = measure(kind)
        figures.add(cost, for: kind)
    }

    /// Counts; never inlined, so that nothing the caller does is counted.
    @inline(never)
    private mutating func measure(_ kind: CommandKind) -> Cost {
        unsafe withUnsafeMutablePointer(to: &self) { card in
            let before = (alloc_count_total(), alloc_count_library())
            if unsafe card.pointee.isPlanted {
                unsafe kind.call(
                    {
                        measured_allocation()
                        unsafe $0?.assumingMemoryBound(to: MeasuredCard.self).pointee.answer()
                    },
                    card
                )
            } else {
                unsafe kind.call(
                    { unsafe $0?.assumingMemoryBound(to: MeasuredCard.self).pointee.answer() },
                    card
                )
            }
            let after = (alloc_count_total(), alloc_count_library())
            return Cost(
                allocations: after.0 - before.0,
                libraryAllocations: after.1 - before.1
            )
        }
    }

    private mutating func answer() {
        let command = command
        response.removeAll(keepingCapacity: true)
        response.append(addingCapacity: Card.maximumResponseCount) { output in
            card.respond(to: command.span, into: &output)
        }
    }
}
