import BERTLV
import EMVData

/// The data objects a kernel works on: what the terminal has and what the card gave.
///
/// They are kept apart, so that nothing a card sends changes what the terminal decides by.
struct KernelDatabase: Sendable {
    /// Whose definitions of tags count.
    let kernel: KernelIdentifier
    /// What the terminal has.
    var terminal: [Tag: [UInt8]]
    /// What the card gave.
    private(set) var card: [Tag: [UInt8]] = [:]

    /// Starts with what the terminal has.
    init(kernel: KernelIdentifier, terminal: [Tag: [UInt8]]) {
        self.kernel = kernel
        self.terminal = terminal
    }

    /// The value a data object list is filled with; nil when nobody has one.
    func value(_ tag: Tag) -> [UInt8]? { terminal[tag] ?? card[tag] }

    /// The card's value, when it is there and not empty.
    func cardValue(_ tag: Tag) -> [UInt8]? {
        guard let value = card[tag], !value.isEmpty else { return nil }
        return value
    }

    /// The card's value.
    /// - Throws: `CardFault.missing` when it is not there or empty.
    func require(_ tag: Tag) throws(CardFault) -> [UInt8] {
        guard let value = cardValue(tag) else { throw .missing(tag) }
        return value
    }

    /// Reads the card's value; nil when it is not there.
    /// - Throws: `CardFault.wrong` when it is there and `parse` does not accept it.
    func read<Value>(_ tag: Tag, _ parse: ([UInt8]) -> Value?) throws(CardFault) -> Value? {
        guard let value = cardValue(tag) else { return nil }
        guard let parsed = parse(value) else { throw .wrong(tag) }
        return parsed
    }

    /// Stores what the card gave.
    /// - Throws: `CardFault.malformed` for an object that the card gave already, or with a length its
    ///   definition does not allow.
    mutating func store(_ objects: [TLV]) throws(CardFault) {
        for object in objects {
            let value = object.value
            guard card[object.tag, default: []].isEmpty,
                isLengthAllowed(value.count, of: object.tag)
            else { throw .malformed(object.tag) }
            card[object.tag] = value
        }
    }

    /// Whether a value may be that long; an empty one counts as absent, whatever its definition.
    private func isLengthAllowed(_ count: Int, of tag: Tag) -> Bool {
        // A CVM list of eight bytes has no rules, which both kernels accept (EMV Book C-2, CVM.9).
        guard count > 0, tag != .cvmList, let definition = definition(of: tag) else { return true }
        return definition.source != .card || definition.length.allows(count)
    }

    /// What a tag means to this kernel; nil for what only other kernels or nobody knows.
    ///
    /// Cards carry objects of their issuers under tags that other kernels define.
    private func definition(of tag: Tag) -> DataObjectDefinition? {
        guard let definition = DataObjectDefinition[tag, in: kernel],
            definition.kernel == nil || definition.kernel == kernel
        else { return nil }
        return definition
    }

    /// Replaces or adds a value of the card's that the kernel worked out itself.
    mutating func replace(_ tag: Tag, _ value: [UInt8]) { card[tag] = value }

    /// Everything, the terminal's values where both have one.
    var merged: [Tag: [UInt8]] { card.merging(terminal) { _, terminal in terminal } }

    /// The objects of `tags` that are there and not empty, in order, each from whoever it belongs to.
    func record(_ tags: [Tag]) -> [TLV] {
        tags.compactMap { tag in
            let belongsToCard = definition(of: tag)?.source == .card
            guard let value = belongsToCard ? card[tag] : terminal[tag], !value.isEmpty else {
                return nil
            }
            return TLV(tag, value)
        }
    }
}
