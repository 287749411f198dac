public import BERTLV
import EMVData
import ISO7816
public import Transport

/// Compares a tap with a recorded one, exchange after exchange.
///
/// The bytes are taken apart into data objects, since some of those are another each time a card is tapped. A
/// command carries only values; their tags come from the lists (DOL) that the card gave before.
public struct ExchangeComparison: Sendable {
    /// The data objects that may be otherwise than recorded; empty where every byte has to be the recorded one.
    public let changing: Set<Tag>
    private var lists: [Tag: DataObjectList] = [:]
    private var kernel: KernelIdentifier?

    /// What is another each time: the terminal's random number and clock, the card's counter and what it computes.
    public static let changing: Set<Tag> = [
        .unpredictableNumber, .transactionDate, .transactionTime, .transactionSequenceCounter,
        .terminalRelayResistanceEntropy,
        .applicationTransactionCounter, .applicationCryptogram, .issuerApplicationData,
        .signedDynamicApplicationData, .iccDynamicNumber, .cardAuthenticationRelatedData,
        .cvc3Track1, .cvc3Track2, .deviceRelayResistanceEntropy,
    ]

    /// Starts before the first exchange.
    public init(changing: Set<Tag> = Self.changing) { self.changing = changing }

    /// Compares a command with the recorded one; nothing where they are the same.
    public func command(_ recorded: Exchange, _ sent: [UInt8]) -> [Difference] {
        let expected = recorded.command
        guard !recorded.isCommandPartial else {
            return sent.starts(with: expected) ? [] : [whole(expected, sent)]
        }
        guard expected != sent else { return [] }
        guard !changing.isEmpty, let old = try? CommandAPDU(parsing: expected),
            let new = try? CommandAPDU(parsing: sent), old.code == new.code,
            old.parameters == new.parameters, old.expectedLength == new.expectedLength,
            let oldObjects = objects(of: old), let newObjects = objects(of: new),
            oldObjects.map(\.tag) == newObjects.map(\.tag)
        else { return [whole(expected, sent)] }
        return zip(oldObjects, newObjects).filter { $0 != $1 }.map { old, new in
            difference(old.tag, old.value, new.value)
        }
    }

    /// Compares a response with the recorded one, and learns from the recorded one what the next command means.
    /// - Returns: What is otherwise; nothing where they are the same.
    public mutating func response(_ recorded: Exchange, _ got: [UInt8]) -> [Difference] {
        guard case .success(let expected) = recorded.result else { return [] }
        let code = (try? CommandAPDU(parsing: recorded.command))?.code
        let old = try? ResponseAPDU(parsing: expected)
        if let old { learn(old.objects(to: code), from: code) }
        guard expected != got else { return [] }
        guard !changing.isEmpty, let old, let new = try? ResponseAPDU(parsing: got) else {
            return [whole(expected, got)]
        }
        var differences: [Difference] = []
        if old.status != new.status {
            differences.append(
                Difference(
                    .status,
                    expected: Array(expected.suffix(2)),
                    got: Array(got.suffix(2))
                )
            )
        }
        guard old.body != new.body else { return differences }
        let oldObjects = old.objects(to: code).flatMap(\.primitives)
        let newObjects = new.objects(to: code).flatMap(\.primitives)
        let areObjects =
            (oldObjects.isEmpty ? old.body.isEmpty : true)
            && (newObjects.isEmpty ? new.body.isEmpty : true)
        let found = areObjects ? compare(oldObjects, newObjects) : []
        // The same objects in another order, or with lengths written otherwise.
        if found.isEmpty { return [whole(expected, got)] }
        return differences + found
    }

    /// Compares objects by their tags.
    private func compare(_ old: [TLV], _ new: [TLV]) -> [Difference] {
        var rest = new
        var differences: [Difference] = []
        for object in old {
            guard let index = rest.firstIndex(where: { $0.tag == object.tag }) else {
                differences.append(
                    Difference(.object(object.tag), expected: object.value, got: nil)
                )
                continue
            }
            let other = rest.remove(at: index)
            if other.value != object.value {
                differences.append(difference(object.tag, object.value, other.value))
            }
        }
        return differences
            + rest.map { Difference(.object($0.tag), expected: nil, got: $0.value) }
    }

    private func difference(_ tag: Tag, _ old: [UInt8], _ new: [UInt8]) -> Difference {
        // 9F69 is data of the card's for Visa, and for Mastercard a list that stays.
        let isFixed = tag == .udol && kernel == .kernel2
        return Difference(
            .object(tag),
            expected: old,
            got: new,
            isAllowed: changing.contains(tag) && !isFixed
        )
    }

    private func whole(_ expected: [UInt8], _ got: [UInt8]) -> Difference {
        Difference(.whole, expected: expected, got: got)
    }

    // MARK: Lists

    private mutating func learn(_ objects: [TLV], from code: CommandCode?) {
        if code == .select {
            lists = [:]
            let name = TLV.first(.dedicatedFileName, in: objects)?.value
            kernel = name.flatMap { ApplicationIdentifier(bytes: $0) }
                .map { KernelIdentifier.default(forRID: $0.rid) }
        }
        for tag in [Tag.processingOptionsList, .cardRiskManagementList1, .udol] {
            guard let value = TLV.first(tag, in: objects)?.value else { continue }
            lists[tag] = try? DataObjectList(parsing: value)
        }
        if let value = TLV.first(.dynamicDataAuthenticationList, in: objects)?.value {
            lists[.dynamicDataAuthenticationList] = try? DataObjectList(parsing: value)
        }
    }

    /// What a command's values stand for; nil where that is not known.
    private func objects(of command: CommandAPDU) -> [TLV]? {
        switch command.code {
        case .getProcessingOptions:
            guard let template = try? TLV.parseOne(command.body), template.tag == .commandTemplate
            else { return nil }
            return lists[.processingOptionsList]?.split(template.value)
        case .generateAC:
            guard let list = lists[.cardRiskManagementList1], list.count <= command.body.count
            else { return nil }
            // A card that stores data asks for more behind CDOL1 (DSDOL).
            let rest = TLV(.dsdol, Array(command.body.dropFirst(list.count)))
            return list.split(Array(command.body.prefix(list.count))).map { $0 + [rest] }
        case .internalAuthenticate: return split(command.body, .dynamicDataAuthenticationList)
        case .computeCryptographicChecksum: return split(command.body, .udol)
        case .exchangeRelayResistanceData:
            return [TLV(.terminalRelayResistanceEntropy, command.body)]
        default: return nil
        }
    }

    /// Splits values by a list; without one they are the unpredictable number alone, as both books have it.
    private func split(_ values: [UInt8], _ tag: Tag) -> [TLV]? {
        let list = lists[tag] ?? DataObjectList(entries: [.init(.unpredictableNumber, 4)])
        return list.split(values)
    }
}

extension TLV {
    /// The objects in it that are no templates, or the object itself.
    fileprivate var primitives: [TLV] {
        tag.isConstructed ? objects.flatMap(\.primitives) : [self]
    }
}
