import BERTLV
import EMVData
import ISO7816
import Octets

/// Reads what cards answer.
enum CardResponse {
    /// Reads the one template a response consists of.
    /// - Throws: `CardFault` when the response is not exactly one object with one of `tags`.
    static func template(_ body: [UInt8], _ tags: Tag...) throws(CardFault) -> TLV {
        guard let object = try? TLV.parseOne(body), tags.contains(object.tag) else {
            throw .malformed(tags.first)
        }
        return object
    }

    /// The primitive objects of a template and of the templates in it, in order.
    static func primitives(_ template: TLV) -> [TLV] {
        // Depth is bounded by the parser.
        template.objects.flatMap { $0.tag.isConstructed ? primitives($0) : [$0] }
    }

    /// The value of a response's template as the card wrote it, padding included.
    static func contents(_ body: [UInt8]) -> [UInt8] {
        var reader = TLVReader(body.span)
        guard let template = try? reader.next() else { return [] }
        return [UInt8](template.value)
    }

    /// The bytes of the objects directly inside a response's template, as the card wrote them.
    ///
    /// The transaction data hash of CDA is over these (EMV Book 2, 6.6.2), whatever form their lengths have.
    /// - Parameters:
    ///   - body: A response that `template` accepted.
    ///   - excluded: The object left out.
    /// - Returns: Tags, lengths and values one after another, without the padding between them.
    static func encodedObjects(_ body: [UInt8], without excluded: Tag) -> [UInt8] {
        var outer = TLVReader(body.span)
        guard let template = try? outer.next() else { return [] }
        var reader = TLVReader(template.value, base: template.valueOffset)
        var encoded: [UInt8] = []
        while let element = try? reader.next() {
            if element.tag != excluded { encoded += body[element.offset..<reader.offset] }
        }
        return encoded
    }
}

/// The commands kernels send.
extension CommandAPDU {
    /// SELECT by name, first occurrence (EMV Book 1, 11.3).
    static func select(_ name: [UInt8]) -> CommandAPDU {
        CommandAPDU(.select, parameters: 0x0400, body: name, expectedLength: 256)
    }

    /// GET PROCESSING OPTIONS with the PDOL's values (EMV Book 3, 6.5.8); nil when they are too long for it.
    static func getProcessingOptions(_ values: [UInt8]) -> CommandAPDU? {
        guard values.count <= 252 else { return nil }
        let body = TLV(.commandTemplate, values).encoded
        return CommandAPDU(.getProcessingOptions, parameters: 0, body: body, expectedLength: 256)
    }

    /// READ RECORD (EMV Book 3, 6.5.11).
    static func readRecord(_ record: ApplicationFileLocator.Record) -> CommandAPDU {
        CommandAPDU(.readRecord, parameters: record.readRecordParameters, expectedLength: 256)
    }

    /// GENERATE AC with the CDOL's values (EMV Book 3, 6.5.5); nil when they are too long for it.
    static func generateApplicationCryptogram(
        _ kind: CryptogramKind,
        combined: Bool,
        values: [UInt8]
    ) -> CommandAPDU? {
        guard values.count <= 255 else { return nil }
        let parameters = UInt16(kind.rawValue | (combined ? 0x10 : 0)) << 8
        return CommandAPDU(
            .generateAC,
            parameters: parameters,
            body: values,
            expectedLength: 256
        )
    }
}
