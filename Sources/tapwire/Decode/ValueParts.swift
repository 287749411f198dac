import BERTLV
import EMVData
import ISO7816
import Octets

/// What is in a value: set bits, entries of lists, fields.
enum ValueParts {
    /// The parts of a value.
    /// - Parameters:
    ///   - value: The value, masked.
    ///   - tag: Its tag.
    ///   - definition: What it is; nil for a tag nobody knows.
    ///   - decoder: What is known around it.
    /// - Returns: The parts; none where the value is all there is.
    static func parts(
        of value: [UInt8],
        _ tag: Tag,
        _ definition: DataObjectDefinition?,
        in decoder: ObjectDecoder
    ) -> [DecodedPart] {
        if tag == .cvmResults { return cvmResults(value, decoder.kernel) }
        if let parts = OutcomeParts.parts(of: value, tag) { return parts }
        let said = definition.map { Self.said(of: value, $0, decoder.kernel) } ?? []
        guard said.isEmpty else { return said }
        switch tag {
        case .applicationFileLocator: return fileLocator(value)
        case .cvmList: return cvmList(value, decoder.cardCurrency)
        case .track2EquivalentData, .track2Data: return track2(value, isOpen: decoder.isOpen)
        case .track1Data: return track1(value, isOpen: decoder.isOpen)
        case .issuerScriptCommand: return command(value)
        case .staticDataAuthenticationTagList: return tags(value, decoder)
        case _ where isList(tag, definition): return list(value, decoder)
        default: return []
        }
    }

    /// Whether an object is a list of tags and lengths: its name says so.
    static func isList(_ tag: Tag, _ definition: DataObjectDefinition?) -> Bool {
        guard let definition, definition.format == .binary else { return false }
        return definition.name.contains("DOL") || tag == .logFormat
    }

    // MARK: Bits

    /// What the parts of a value say, then the bits that are set, each with its place as the books count it.
    private static func said(
        of value: [UInt8],
        _ definition: DataObjectDefinition,
        _ kernel: KernelIdentifier?
    ) -> [DecodedPart] {
        definition.parts(of: value, in: kernel).map(part)
            + definition.explanation(of: value, in: kernel).filter(\.isSet).map { part($0.meaning) }
    }

    /// A line about a part, its name apart from what it says.
    private static func part(_ line: String) -> DecodedPart {
        let halves = line.split(separator: ": ", maxSplits: 1)
        guard halves.count == 2 else { return DecodedPart(place: "", text: line) }
        return DecodedPart(place: String(halves[0]), text: String(halves[1]))
    }

    /// All bits the book, or that of a kernel, gives a meaning.
    static func allBits(
        of definition: DataObjectDefinition,
        in kernel: KernelIdentifier?
    ) -> [DecodedPart] {
        let lengths = (1...32).lazy.filter(definition.length.allows)
        let explanation = lengths.map {
            definition.explanation(of: [UInt8](repeating: 0, count: $0), in: kernel)
        }
        return explanation.first { !$0.isEmpty }?.map { part($0.meaning) } ?? []
    }

    private static func part(_ meaning: BitMeaning) -> DecodedPart {
        let high = 8 - meaning.mask.leadingZeroBitCount
        let low = meaning.mask.trailingZeroBitCount + 1
        let place = high <= low ? "b\(low)" : "b\(high)-\(low)"
        let bits = meaning.mask == 0xFF ? "" : " \(place)"
        guard high > low, meaning.mask != 0 else {
            return DecodedPart(place: "B\(meaning.byte)\(bits)", text: meaning.text)
        }
        let digits = meaning.mask == 0xFF ? [meaning.value].hex : pattern(meaning, high, low)
        return DecodedPart(place: "B\(meaning.byte)\(bits)", digits: digits, text: meaning.text)
    }

    /// The bits of a group as they are when it means something: `01`, a point for one outside the group.
    private static func pattern(_ meaning: BitMeaning, _ high: Int, _ low: Int) -> String {
        (low...high).reversed().map { bit in
            let mask: UInt8 = 1 << UInt8(bit - 1)
            return meaning.mask & mask == 0 ? "." : meaning.value & mask == 0 ? "0" : "1"
        }.joined()
    }

    // MARK: Lists

    /// The objects a list asks for.
    static func list(_ value: [UInt8], _ decoder: ObjectDecoder) -> [DecodedPart] {
        list(DataObjectList(readable: value).entries, decoder)
    }

    /// The objects of a list's entries.
    static func list(
        _ entries: [DataObjectList.Entry],
        _ decoder: ObjectDecoder
    ) -> [DecodedPart] {
        entries.map { entry in
            let meanings = DataObjectDefinition.meanings(
                of: entry.tag,
                in: decoder.kernel,
                byteCount: entry.length
            )
            return DecodedPart(
                place: entry.tag.description,
                digits: String(entry.length),
                text: meanings.first?.name ?? "unknown"
            )
        }
    }

    private static func tags(_ value: [UInt8], _ decoder: ObjectDecoder) -> [DecodedPart] {
        var reader = TLVReader(value.span)
        var parts: [DecodedPart] = []
        while reader.offset < value.count, let tag = try? reader.readTag() {
            let name = DataObjectDefinition[tag, in: decoder.kernel]?.name
            parts.append(DecodedPart(place: tag.description, text: name ?? "unknown"))
        }
        return parts
    }

    /// The ranges of records.
    static func fileLocator(_ value: [UInt8]) -> [DecodedPart] {
        ApplicationFileLocator(readable: value).entries.map { entry in
            DecodedPart(place: entry.bytes.hex, text: entry.text)
        }
    }

    /// The amounts and rules of a CVM list.
    static func cvmList(_ value: [UInt8], _ currency: Currency?) -> [DecodedPart] {
        guard let list = CVMList(readable: value) else { return [] }
        func amount(_ number: UInt32) -> String {
            let amount = currency.flatMap {
                Amount(minorUnits: UInt64(number), currency: $0)?.description
            }
            return amount ?? (number == 0 ? "0" : "\(number) of the smallest unit")
        }
        return [
            DecodedPart(
                place: "X",
                digits: Array(value[..<4]).hex,
                text: amount(list.amountX)
            ),
            DecodedPart(
                place: "Y",
                digits: Array(value[4..<8]).hex,
                text: amount(list.amountY)
            ),
        ]
            + list.rules.enumerated().map { index, rule in
                DecodedPart(
                    place: "\(index + 1)",
                    digits: [rule.code.rawValue, rule.condition.rawValue].hex,
                    text: "\(rule.code); \(rule.condition)"
                )
            }
    }

    private static func cvmResults(
        _ value: [UInt8],
        _ kernel: KernelIdentifier?
    ) -> [DecodedPart] {
        guard let results = CVMResults(bytes: value) else { return [] }
        return [
            DecodedPart(place: "B1", digits: [value[0]].hex, text: results.methodText(in: kernel)),
            DecodedPart(place: "B2", digits: [value[1]].hex, text: "\(results.condition)"),
            DecodedPart(
                place: "B3",
                digits: [value[2]].hex,
                text: results.result == .failed
                    ? "failed" : results.result == .successful ? "successful" : "unknown"
            ),
        ]
    }

    // MARK: Tracks

    /// The fields of track 2.
    static func track2(_ value: [UInt8], isOpen: Bool) -> [DecodedPart] {
        guard let track = try? Track2(parsing: value) else { return [] }
        let end = PackedDigits.nibbles(value).last == 0x0F ? "F" : ""
        return account(track.accountNumber, isOpen)
            + expiry(track.expiryYear, track.expiryMonth)
            + service(track.serviceCode)
            + [
                DecodedPart(
                    place: "Discretionary",
                    digits: digits(track.discretionaryData) + end,
                    text: ""
                )
            ]
    }

    /// The fields of track 1.
    static func track1(_ value: [UInt8], isOpen: Bool) -> [DecodedPart] {
        guard let track = try? Track1(parsing: value) else { return [] }
        let name = String(decoding: track.name, as: UTF8.self)
        let rest = String(decoding: track.discretionaryData, as: UTF8.self)
        return account(track.accountNumber, isOpen)
            + [DecodedPart(place: "Name", digits: name, text: "")]
            + expiry(track.expiryYear, track.expiryMonth)
            + service(track.serviceCode)
            + [DecodedPart(place: "Discretionary", digits: rest, text: "")]
    }

    private static func account(_ number: PrimaryAccountNumber, _ isOpen: Bool) -> [DecodedPart] {
        let text = isOpen ? number.text : number.masked
        // What is masked has lost its check digit's meaning.
        let isWrong = isOpen && !number.hasValidCheckDigit
        return [
            DecodedPart(
                place: "PAN",
                digits: text,
                text: isWrong ? "the check digit is wrong" : "\(number.digits.count) digits"
            )
        ]
    }

    private static func expiry(_ year: UInt8, _ month: UInt8) -> [DecodedPart] {
        let digits = Self.digits([year / 10, year % 10, month / 10, month % 10])
        let date = TransactionDate(bytes: [
            (year / 10) << 4 | year % 10, (month / 10) << 4 | month % 10, 1,
        ])
        let text = date.map { String($0.description.dropLast(3)) } ?? "no month"
        return [DecodedPart(place: "Expiry", digits: digits, text: text)]
    }

    private static func service(_ code: [UInt8]) -> [DecodedPart] {
        [
            DecodedPart(
                place: "Service code",
                digits: digits(code),
                text: ServiceCode(digits: code)?.description ?? ""
            )
        ]
    }

    private static func digits(_ digits: [UInt8]) -> String {
        digits.map(String.init).joined()
    }

    // MARK: Others

    /// A command inside an issuer's script.
    private static func command(_ value: [UInt8]) -> [DecodedPart] {
        guard let command = try? CommandAPDU(parsing: value) else { return [] }
        return CommandParts.parts(of: command, value)
    }
}
