/// What may happen to a reader.
public enum PCSCReaderChange: Hashable, Sendable {
    /// The reader was connected.
    case readerArrived
    /// The reader is gone.
    case readerLeft
    /// A card came into it.
    case cardArrived
    /// Its card left.
    case cardLeft
}

/// The readers that are known, and what differs from them in what is seen.
struct PCSCReaderList {
    /// What is known, in the order of arrival.
    private(set) var readers: [PCSCReaderState] = []

    /// Takes over which readers there are.
    mutating func update(names: [String]) -> [(PCSCReaderChange, PCSCReaderState)] {
        var changes: [(PCSCReaderChange, PCSCReaderState)] = []
        for reader in readers where !names.contains(reader.name) {
            if reader.flags.isCardPresent { changes.append((.cardLeft, reader)) }
            changes.append((.readerLeft, reader))
        }
        readers.removeAll { !names.contains($0.name) }
        for name in names where !readers.contains(where: { $0.name == name }) {
            readers.append(PCSCReaderState(name: name))
            changes.append((.readerArrived, readers[readers.count - 1]))
        }
        return changes
    }

    /// Takes over what was seen of the readers, in the order of `readers`.
    ///
    /// Another number of card events says that a card left and one came, even if none was missed.
    mutating func update(
        states: some Sequence<PCSCReaderState>
    ) -> [(PCSCReaderChange, PCSCReaderState)] {
        var changes: [(PCSCReaderChange, PCSCReaderState)] = []
        for (index, now) in states.enumerated() where readers.indices.contains(index) {
            let before = readers[index].flags
            let isOther = before.cardEventCount != now.flags.cardEventCount
            let (was, isPresent) = (before.isCardPresent, now.flags.isCardPresent)
            if was, isOther || !isPresent { changes.append((.cardLeft, now)) }
            if isPresent, isOther || !was { changes.append((.cardArrived, now)) }
            readers[index] = now
        }
        return changes
    }
}
