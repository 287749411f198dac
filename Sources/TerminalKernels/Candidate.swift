import EMVData

/// An application of the card that a combination of the reader can serve (EMV Book B, 3.3.2.5).
struct Candidate: Hashable {
    /// The directory entry.
    var entry: PaymentDirectory.Entry
    /// The combination's place in the reader's list.
    var combination: Int

    /// The candidates of a card, the one to select first in front.
    ///
    /// Priority comes first, then the order in the directory, then the order of the reader's combinations.
    static func list(
        _ entries: [PaymentDirectory.Entry],
        _ combinations: [(index: Int, combination: Combination)]
    ) -> [Candidate] {
        let found = entries.flatMap { entry in
            combinations.filter { matches(entry, $0.combination) }
                .map { Candidate(entry: entry, combination: $0.index) }
        }
        // A stable order: Swift's sort promises none.
        return found.enumerated()
            .sorted {
                ($0.element.entry.priority, $0.offset) < ($1.element.entry.priority, $1.offset)
            }
            .map(\.element)
    }

    /// Whether name and kernel agree (steps B to D).
    private static func matches(
        _ entry: PaymentDirectory.Entry,
        _ combination: Combination
    ) -> Bool {
        guard entry.applicationIdentifier.hasPrefix(combination.applicationIdentifier),
            let requested = KernelIdentifier(
                requestedBy: entry.kernelIdentifier,
                of: entry.applicationIdentifier
            )
        else { return false }
        return requested == .any || requested == combination.kernelIdentifier
    }
}
