import BERTLV
import EMVData
import ISO7816
import Octets

extension DecodeCommand {
    /// Decodes bytes as one kind.
    static func decode(
        _ bytes: [UInt8],
        as kind: DataKind,
        _ settings: DecodeSettings
    ) -> Decoding {
        switch kind {
        case .objects: objects(bytes, settings)
        case .issuerData: issuerData(bytes, settings)
        case .list: list(bytes, settings)
        case .command: command(bytes, settings)
        case .response: exchanges([(command: [], response: bytes)], settings)
        case .statusWord: statusWord(bytes)
        case .fileLocator: fileLocator(bytes)
        case .cvmList: cvmList(bytes, settings)
        case .track1: track(bytes, .track1Data, "Track 1", settings)
        case .track2: track(bytes, .track2EquivalentData, "Track 2", settings)
        case .answerToReset: answerToReset(bytes)
        case .applicationIdentifier: applicationIdentifier(bytes)
        case .certificate: certificate(bytes, settings)
        case .tag: Tag(bytes: bytes).map { definition(of: $0, settings) } ?? list(bytes, settings)
        }
    }

    // MARK: Objects

    private static func objects(_ bytes: [UInt8], _ settings: DecodeSettings) -> Decoding {
        var decoder = settings.decoder
        var decoding = Decoding(title: "BER-TLV", byteCount: bytes.count)
        add(bytes, base: 0, to: &decoding, &decoder, settings)
        decoding.isMasked = decoder.hasMasked
        return decoding
    }

    private static func issuerData(_ bytes: [UInt8], _ settings: DecodeSettings) -> Decoding {
        var decoder = settings.decoder
        var decoding = Decoding(title: "DE 55, chip data for an issuer", byteCount: bytes.count)
        let prefixCount = DataKind.issuerDataPrefixCount(bytes)
        if prefixCount > 0 {
            let prefix = DecodedPart(
                place: "Length",
                digits: Array(bytes.prefix(prefixCount)).hex,
                text: "\(bytes.count - prefixCount) bytes follow"
            )
            decoding.sections.append(Decoding.Section(name: "length", parts: [prefix]))
        }
        let objects = Array(bytes.dropFirst(prefixCount))
        add(objects, base: prefixCount, to: &decoding, &decoder, settings)
        decoding.isMasked = decoder.hasMasked
        return decoding
    }

    /// Adds objects, the certificates among them, and what is wrong with them.
    static func add(
        _ bytes: [UInt8],
        base: Int,
        to decoding: inout Decoding,
        _ decoder: inout ObjectDecoder,
        _ settings: DecodeSettings
    ) {
        let survey = TLVSurvey(bytes)
        let rows = decoder.rows(survey, base: base)
        decoding.sections.append(Decoding.Section(name: "objects", rows: rows))
        decoding.sections += certificates(survey.objects, settings)
        decoding.add(faults(of: survey, bytes, base: base), decoder.takeFaults())
        if survey.end < bytes.count { decoding.isCutShort = true }
    }

    /// What is wrong with objects, with the numbers that show it.
    static func faults(
        of survey: TLVSurvey,
        _ bytes: [UInt8],
        base: Int,
        in place: String = ""
    ) -> [Decoding.Fault] {
        survey.faults.map { fault in
            var sentence = fault.reason.sentence
            switch fault.reason {
            case .unsupportedLength where fault.offset < bytes.count:
                let byte = bytes[fault.offset]
                sentence =
                    byte == 0x80
                    ? "80 is the indefinite length, which EMV does not have"
                    : "\(byte.hex) is a length of \(Int(byte & 0x7F).byteText); EMV has at most three, 83"
            case .truncatedValue, .pastTemplate:
                guard let cut = survey.objects.compactMap({ $0.cut(at: fault.offset) }).first else {
                    break
                }
                sentence =
                    fault.reason == .truncatedValue
                    ? "\(cut.tag) ends after \(cut.value.count) of its \(cut.length.byteText)"
                    : "\(cut.tag) has \(cut.length.byteText), and its template only room for \(cut.value.count)"
            default: break
            }
            return Decoding.Fault(offset: base + fault.offset, sentence: place + sentence)
        }
    }

    /// Decodes one object that was named.
    static func object(_ tag: Tag, _ value: [UInt8], _ settings: DecodeSettings) -> Decoding {
        var decoder = settings.decoder
        var decoding = Decoding(title: "Value of \(tag)", byteCount: value.count)
        if tag.isConstructed {
            add(value, base: 0, to: &decoding, &decoder, settings)
        } else {
            _ = decoder.row(tag, value)
            _ = decoder.takeFaults()
            let row = decoder.row(tag, value)
            decoding.sections = [Decoding.Section(name: "objects", rows: [row])]
            decoding.faults = decoder.takeFaults()
        }
        decoding.isMasked = decoder.hasMasked
        return decoding
    }

    /// What keeps bytes from being read as a value of a tag.
    private static func faults(in bytes: [UInt8], of tag: Tag) -> [Decoding.Fault] {
        [Decoding.Fault(in: bytes, of: tag, DataObjectDefinition[tag])].compactMap(\.self)
    }

    // MARK: Lists

    private static func list(_ bytes: [UInt8], _ settings: DecodeSettings) -> Decoding {
        var decoding = Decoding(title: "Data object list", byteCount: bytes.count)
        let list = DataObjectList(readable: bytes)
        decoding.faults = faults(in: bytes, of: .processingOptionsList)
        let parts = ValueParts.list(list.entries, settings.decoder)
        let total = DecodedPart(
            place: "together",
            digits: String(list.count),
            text: "bytes answer it"
        )
        decoding.sections = [Decoding.Section(name: "entries", parts: parts + [total])]
        return decoding
    }

    /// Decodes a list and the values that answer it.
    static func filledList(
        _ listBytes: [UInt8],
        _ values: [UInt8],
        _ settings: DecodeSettings
    ) -> Decoding {
        var decoder = settings.decoder
        var decoding = Decoding(
            title: "Data object list of \(listBytes.count) bytes and what answers it",
            byteCount: values.count
        )
        let list = DataObjectList(readable: listBytes)
        decoding.faults = faults(in: listBytes, of: .processingOptionsList)
        let isWhole = decoding.faults.isEmpty
        decoding.sections = [
            Decoding.Section(name: "objects", rows: rows(of: list, values, base: 0, &decoder))
        ]
        decoding.faults += decoder.takeFaults()
        if isWhole, list.count != values.count {
            decoding.faults.append(
                Decoding.Fault(
                    offset: min(list.count, values.count),
                    sentence:
                        "the list asks for \(list.count.byteText), and \(values.count) are there"
                )
            )
        }
        decoding.isMasked = decoder.hasMasked
        return decoding
    }

    /// The objects of a list with as many of their values as are there.
    static func rows(
        of list: DataObjectList,
        _ values: [UInt8],
        base: Int,
        _ decoder: inout ObjectDecoder
    ) -> [DecodedRow] {
        var offset = 0
        var objects: [(entry: DataObjectList.Entry, offset: Int, value: [UInt8])] = []
        for entry in list.entries where offset < values.count || entry.length == 0 {
            let value = Array(values[offset..<min(offset + entry.length, values.count)])
            objects.append((entry, offset, value))
            offset += entry.length
            if offset > values.count { break }
        }
        // The currency may stand behind the amount.
        decoder.learn(
            objects.map { entry, _, value in
                TLVSurvey(TLV(entry.tag, value).encoded).objects
            }.flatMap { $0 }
        )
        return objects.map { entry, offset, value in
            decoder.row(entry.tag, value, offset: base + offset, length: entry.length)
        }
    }

    private static func fileLocator(_ bytes: [UInt8]) -> Decoding {
        var decoding = Decoding(title: "Application File Locator (AFL)", byteCount: bytes.count)
        decoding.faults = faults(in: bytes, of: .applicationFileLocator)
        let parts = ValueParts.fileLocator(bytes)
        decoding.sections = [Decoding.Section(name: "records", parts: parts)]
        return decoding
    }

    private static func cvmList(_ bytes: [UInt8], _ settings: DecodeSettings) -> Decoding {
        var decoding = Decoding(
            title: "Cardholder Verification Method (CVM) List",
            byteCount: bytes.count
        )
        decoding.faults = faults(in: bytes, of: .cvmList)
        let parts = ValueParts.cvmList(bytes, settings.currency)
        decoding.sections = [Decoding.Section(name: "rules", parts: parts)]
        return decoding
    }

    // MARK: Others

    private static func track(
        _ bytes: [UInt8],
        _ tag: Tag,
        _ title: String,
        _ settings: DecodeSettings
    ) -> Decoding {
        var decoder = settings.decoder
        let masked = decoder.mask(bytes, of: tag)
        let parts =
            tag == .track1Data
            ? ValueParts.track1(masked, isOpen: decoder.isOpen)
            : ValueParts.track2(masked, isOpen: decoder.isOpen)
        var decoding = Decoding(title: title, byteCount: bytes.count)
        decoding.sections = [Decoding.Section(name: "fields", parts: parts)]
        decoding.faults = faults(in: bytes, of: tag)
        decoding.isMasked = decoder.hasMasked
        return decoding
    }

    private static func statusWord(_ bytes: [UInt8]) -> Decoding {
        var decoding = Decoding(title: "Status word", byteCount: bytes.count)
        guard let response = try? ResponseAPDU(parsing: bytes), bytes.count == 2 else {
            decoding.faults = [
                Decoding.Fault(offset: min(bytes.count, 2), sentence: "a status word has two bytes")
            ]
            return decoding
        }
        var parts = [part(response.status, to: nil)]
        let commands: [[UInt8]] = [
            [0x00, 0xA4, 0x04, 0x00], [0x80, 0xA8, 0x00, 0x00], [0x00, 0xB2, 0x01, 0x0C],
            [0x80, 0xAE, 0x80, 0x00], [0x80, 0xCA, 0x9F, 0x36], [0x00, 0x82, 0x00, 0x00],
            [0x00, 0x20, 0x00, 0x80], [0x80, 0xD0, 0x80, 0x00], [0x84, 0x24, 0x00, 0x00],
        ]
        let general = response.status.meaning(to: nil)
        for bytes in commands {
            guard let command = try? CommandAPDU(parsing: bytes),
                let meaning = response.status.meaning(to: command), meaning != general
            else { continue }
            let name = command.code.isIssuerScript ? "an issuer's script" : command.code.name ?? ""
            parts.append(DecodedPart(place: "to \(name)", text: meaning))
        }
        decoding.sections = [Decoding.Section(name: "status", parts: parts)]
        return decoding
    }

    /// A status word and what it says to a command.
    static func part(_ status: StatusWord, to command: CommandAPDU?) -> DecodedPart {
        DecodedPart(
            place: "SW1 SW2",
            digits: [UInt8(status.rawValue >> 8)].hex + " " + [UInt8(status.rawValue & 0xFF)].hex,
            text: status.meaning(to: command) ?? "unknown"
        )
    }

    private static func answerToReset(_ bytes: [UInt8]) -> Decoding {
        var decoding = Decoding(title: "Answer To Reset (ATR)", byteCount: bytes.count)
        do throws(AnswerToReset.Failure) {
            let answer = try AnswerToReset(parsing: bytes)
            decoding.sections = [
                Decoding.Section(name: "fields", parts: AnswerParts.parts(of: answer))
            ]
        } catch {
            decoding.faults = [Decoding.Fault(offset: error.offset, sentence: error.sentence)]
            decoding.sections = [
                Decoding.Section(name: "fields", parts: AnswerParts.readable(bytes))
            ]
        }
        return decoding
    }

    private static func applicationIdentifier(_ bytes: [UInt8]) -> Decoding {
        var decoding = Decoding(title: "Application identifier (AID)", byteCount: bytes.count)
        guard let identifier = ApplicationIdentifier(bytes: bytes) else {
            decoding.faults = [
                Decoding.Fault(
                    offset: min(bytes.count, 16),
                    sentence: "an application identifier has 5 to 16 bytes"
                )
            ]
            return decoding
        }
        var parts = [
            DecodedPart(
                place: "RID",
                digits: identifier.rid.hex,
                text: identifier.providerName ?? "a provider not known here"
            )
        ]
        if bytes.count > identifier.rid.count {
            parts.append(
                DecodedPart(
                    place: "PIX",
                    digits: Array(bytes.dropFirst(identifier.rid.count)).hex,
                    text: "the provider's name for the application"
                )
            )
        }
        decoding.sections = [Decoding.Section(name: "fields", parts: parts)]
        return decoding
    }
}

extension TLVSurvey.Object {
    /// The object whose length, at `offset`, says more than is there: this one or one in it.
    fileprivate func cut(at offset: Int) -> TLVSurvey.Object? {
        if !isWhole, self.offset < offset, offset < valueOffset { return self }
        return objects.lazy.compactMap { $0.cut(at: offset) }.first
    }
}

extension Decoding.Fault {
    /// A fault of an object that is no TLV.
    init(_ error: EMVDataError) {
        self.init(offset: error.offset, sentence: error.reason.sentence)
    }
}

extension EMVDataError.Reason {
    /// What is wrong, for people.
    var sentence: String {
        switch self {
        case .wrongLength: "the length is not one the book allows"
        case .truncated: "the bytes end too early"
        case .malformedList: "an entry of the list is cut or malformed"
        case .invalidFileIdentifier: "a short file identifier is 1 to 30, in the high five bits"
        case .invalidRecordRange:
            "the range of records starts at 0, runs backwards or signs too many"
        case .notADigit: "a digit is not decimal"
        case .missingSeparator: "the field separator is missing"
        case .invalidAccountNumber: "an account number has 8 to 19 digits"
        case .invalidDate: "the month does not exist"
        case .notAnAmount: "not an amount"
        case .tooManyDecimals: "too many decimals"
        case .amountTooLarge: "the amount has more than twelve digits"
        }
    }
}
