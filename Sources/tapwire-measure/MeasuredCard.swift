import CAllocationCounter
import CardEngine
import Transport

/// A card in a reader that notes what each answer costs.
struct MeasuredCard: Transport, ~Copyable {
    var card: Card
    var figures: Figures
    /// What all commands since it was last reset have cost.
    var sum = Cost.nothing
    private var response: [UInt8] = []

    init(_ card: consuming Card, figures: Figures) {
        self.card = card
        self.figures = figures
        response.reserveCapacity(Card.maximumResponseCount)
    }

    mutating func fieldOn() throws(TransportError) { card.fieldOn() }

    mutating func fieldOff() { card.fieldOff() }

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        let cost = measure(command)
        figures.add(cost, for: name(of: command))
        sum += cost
        return response + []
    }

    /// Lets the card answer and counts; never inlined, so that nothing the caller does is counted.
    @inline(never)
    private mutating func measure(_ command: [UInt8]) -> Cost {
        response.removeAll(keepingCapacity: true)
        let clock = ContinuousClock()
        let start = clock.now
        let before = (alloc_count_total(), alloc_count_library())
        response.append(addingCapacity: Card.maximumResponseCount) { output in
            card.respond(to: command.span, into: &output)
        }
        let after = (alloc_count_total(), alloc_count_library())
        return Cost(
            allocations: after.0 - before.0,
            libraryAllocations: after.1 - before.1,
            duration: start.duration(to: clock.now)
        )
    }

    /// What a command is called in the table; signing and refusing count apart.
    private func name(of command: [UInt8]) -> String {
        guard response.suffix(2) == [0x90, 0x00] else { return "refused commands" }
        let isSigned = response.indices.dropLast().contains {
            response[$0] == 0x9F && response[$0 + 1] == 0x4B
        }
        switch command[1] {
        case 0xA4: return "SELECT"
        case 0xA8: return isSigned ? "GET PROCESSING OPTIONS, signed" : "GET PROCESSING OPTIONS"
        case 0xB2: return "READ RECORD"
        case 0xAE: return isSigned ? "GENERATE AC, signed" : "GENERATE AC"
        default: return "GET DATA, UID"
        }
    }
}
