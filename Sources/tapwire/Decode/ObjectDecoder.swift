import BERTLV
import EMVData
import Octets

/// Decodes data objects as those of one card.
struct ObjectDecoder {
    /// Whose objects they are; nil when it is not known.
    private(set) var kernel: KernelIdentifier?
    /// What the amounts of the transaction are in; nil when it is not known.
    private(set) var currency: Currency?
    /// What the amounts of the card are in; nil when it is not known.
    private(set) var cardCurrency: Currency?
    /// The lists the card has given.
    private(set) var lists: [Tag: DataObjectList] = [:]
    /// What is masked.
    private(set) var redaction: Redaction
    /// Whether something was masked.
    private(set) var hasMasked = false
    /// What keeps values from being read, from the start of all bytes.
    private var faults: [Decoding.Fault] = []

    /// Starts with what the command line says.
    init(kernel: KernelIdentifier?, currency: Currency?, redaction: Redaction) {
        self.kernel = kernel
        self.currency = currency
        cardCurrency = currency
        self.redaction = redaction
    }

    /// Whether nothing is masked.
    var isOpen: Bool { redaction.extent == .nothing }

    // MARK: Learning

    /// Learns from objects what others mean and what must not be shown.
    mutating func learn(_ objects: [TLVSurvey.Object]) {
        learnContext(objects)
        learnSecrets(objects)
    }

    private mutating func learnContext(_ objects: [TLVSurvey.Object]) {
        let all = objects.flatMap(\.primitives).filter(\.isWhole)
        let names = all.filter { Self.names.contains($0.tag) }.compactMap {
            ApplicationIdentifier(bytes: $0.value)
        }
        let kernels = Set(names.map { KernelIdentifier.default(forRID: $0.rid) })
            .subtracting([.any])
        if kernel == nil, kernels.count == 1 { kernel = kernels.first }
        for object in all {
            switch object.tag {
            case .transactionCurrencyCode: currency = currency ?? Currency(bytes: object.value)
            case .applicationCurrencyCode:
                cardCurrency = cardCurrency ?? Currency(bytes: object.value)
            case .processingOptionsList, .cardRiskManagementList1, .cardRiskManagementList2:
                lists[object.tag] = try? DataObjectList(parsing: object.value)
            default: break
            }
        }
        cardCurrency = cardCurrency ?? currency
    }

    private static let names: Set<Tag> = [
        .applicationIdentifier, .dedicatedFileName, .terminalApplicationIdentifier,
    ]

    private mutating func learnSecrets(_ objects: [TLVSurvey.Object]) {
        for object in objects.flatMap(\.primitives) {
            _ = redaction.mask(object.value, of: object.tag)
        }
    }

    /// Masks the value of an object.
    mutating func mask(_ value: [UInt8], of tag: Tag) -> [UInt8] {
        noted(redaction.mask(value, of: tag), for: value)
    }

    /// Masks a command.
    mutating func mask(command: [UInt8]) -> [UInt8] {
        noted(redaction.mask(command: command), for: command)
    }

    /// Masks bytes whose structure is not known, which are blanked whole.
    mutating func blank(_ bytes: [UInt8]) -> [UInt8] {
        guard !isOpen else { return bytes }
        return noted([UInt8](repeating: 0, count: bytes.count), for: bytes)
    }

    private mutating func noted(_ masked: [UInt8], for value: [UInt8]) -> [UInt8] {
        if masked != value { hasMasked = true }
        return masked
    }

    /// Hands over what keeps the values decoded until now from being read.
    mutating func takeFaults() -> [Decoding.Fault] {
        defer { faults = [] }
        return faults
    }

    // MARK: Decoding

    /// Decodes everything a survey found.
    /// - Parameters:
    ///   - survey: The survey.
    ///   - base: Where the surveyed bytes lie in all of them.
    /// - Returns: The objects and what lies between them.
    mutating func rows(_ survey: TLVSurvey, base: Int = 0) -> [DecodedRow] {
        learn(survey.objects)
        let padding = survey.padding.map { padding in
            DecodedRow(
                offset: base + padding.offset,
                name: "padding with \([padding.byte].hex)",
                length: padding.count,
                presentCount: padding.count
            )
        }
        return survey.objects.map { row($0, base: base) } + padding
    }

    private mutating func row(_ object: TLVSurvey.Object, base: Int) -> DecodedRow {
        guard object.tag.isConstructed else {
            return row(
                object.tag,
                object.value,
                offset: base + object.offset,
                valueOffset: base + object.valueOffset,
                length: object.length
            )
        }
        let name = DataObjectDefinition[object.tag, in: kernel]?.name
        var row = DecodedRow(
            offset: base + object.offset,
            tag: object.tag,
            name: name,
            length: object.length,
            presentCount: object.value.count
        )
        row.rows = object.objects.map { self.row($0, base: base) }
        return row
    }

    /// Decodes one object that is no template.
    /// - Parameters:
    ///   - tag: Its tag.
    ///   - original: As many bytes of its value as are there.
    ///   - offset: Where it starts; nil for one that was named.
    ///   - valueOffset: Where its value starts; there where it starts itself without.
    ///   - length: How many bytes it should have; as many as there are without.
    /// - Returns: The object.
    mutating func row(
        _ tag: Tag,
        _ original: [UInt8],
        offset: Int? = nil,
        valueOffset: Int? = nil,
        length: Int? = nil
    ) -> DecodedRow {
        let length = length ?? original.count
        let value = mask(original, of: tag)
        let meanings = DataObjectDefinition.meanings(of: tag, in: kernel, byteCount: length)
        let definition = meanings.first
        var row = DecodedRow(
            offset: offset,
            tag: tag,
            name: definition?.name,
            format: definition?.format,
            length: length,
            presentCount: original.count,
            value: value,
            isMasked: value != original
        )
        if let owner = definition?.kernel, owner != kernel {
            if kernel != nil { row.remarks.append("as kernel \(owner.rawValue) has it") }
            row.otherNames = meanings.dropFirst().filter { $0.length.allows(length) }.map {
                "\($0.name)" + ($0.kernel.map { " (kernel \($0.rawValue))" } ?? "")
            }
        }
        guard original.count == length else { return row }
        if var fault = Decoding.Fault(in: original, of: tag, definition) {
            fault.offset += valueOffset ?? offset ?? 0
            faults.append(fault)
        }
        row.text = text(value, original, definition)
        row.parts = ValueParts.parts(of: value, tag, definition, in: self)
        if let fault = definition?.fault(of: original), let definition {
            row.remarks.append(fault.sentence(of: definition, byteCount: length))
        }
        if tag == .applicationPAN,
            let number = try? PrimaryAccountNumber(parsing: original), !number.hasValidCheckDigit
        {
            row.remarks.append("the check digit is wrong")
        }
        return row
    }

    private func text(
        _ value: [UInt8],
        _ original: [UInt8],
        _ definition: DataObjectDefinition?
    ) -> String? {
        if definition?.tag == .applicationPAN {
            return (try? PrimaryAccountNumber(parsing: original)).map { isOpen ? nil : $0.masked }
                ?? nil
        }
        return definition?.text(of: value, in: currency, kernel: kernel)
    }
}

extension DataObjectFault {
    /// What is wrong with a value, for people.
    fileprivate func sentence(of definition: DataObjectDefinition, byteCount: Int) -> String {
        switch self {
        case .wrongLength: "the book has \(definition.length.text), not \(byteCount)"
        case .wrongFormat: "not written in format \(definition.format.rawValue)"
        case .noDate: "the calendar has no such day"
        case .noTime: "no clock shows such a time"
        }
    }
}

extension TLVSurvey.Object {
    /// The objects in it that are no templates, or the object itself.
    var primitives: [TLVSurvey.Object] {
        tag.isConstructed ? objects.flatMap(\.primitives) : [self]
    }
}

extension DataLength {
    /// The lengths in words: `5 to 16 bytes`.
    var text: String {
        switch self {
        case .exactly(let length): length.byteText
        case .between(let least, let most): "\(least) to \(most) bytes"
        case .upTo(let most): "at most \(most.byteText)"
        case .atLeast(let least): "at least \(least) bytes"
        case .oneOf(let lengths):
            lengths.dropLast().map(String.init).joined(separator: ", ")
                + " or \(lengths.last ?? 0) bytes"
        case .any: "any number of bytes"
        }
    }
}
