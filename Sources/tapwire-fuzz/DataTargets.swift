import BERTLV
import EMVData
import ISO7816

/// What is read as TLV reads the same after it was written again.
func fuzzTLV(_ bytes: [UInt8]) {
    if let objects = try? TLV.parse(bytes) {
        let encoded = objects.flatMap(\.encoded)
        guard let again = try? TLV.parse(encoded) else {
            fatalError("what was written cannot be read")
        }
        precondition(again == objects, "what was written reads otherwise")
        for object in objects { precondition((try? TLV.parseOne(object.encoded)) == object) }
    }
    var reader = TLVReader(bytes.span)
    var lastOffset = 0
    while let element = try? reader.next() {
        precondition(element.offset >= lastOffset && reader.offset > element.offset)
        precondition(element.valueOffset + element.value.count == reader.offset)
        lastOffset = reader.offset
    }
    precondition(reader.offset <= bytes.count)
    for other in [
        { _ = try? ApplicationFileLocator(parsing: bytes) }, { _ = try? CVMList(parsing: bytes) },
        { _ = try? Track2(parsing: bytes) },
    ] {
        other()
    }
}

/// Both readers of commands agree, and what they accept is written as it was.
func fuzzAPDU(_ bytes: [UInt8]) {
    if let command = try? CommandAPDU(parsing: bytes) {
        guard let again = try? CommandAPDU(parsing: command.bytes) else {
            fatalError("what was written cannot be read")
        }
        precondition(again == command, "what was written reads otherwise")
    }
    if let response = try? ResponseAPDU(parsing: bytes) {
        precondition(response.bytes == bytes, "a response is written otherwise")
    }
}

/// A list splits what was filled in, to its last byte.
func fuzzDataObjectList(_ bytes: [UInt8]) {
    guard let list = try? DataObjectList(parsing: bytes) else { return }
    precondition(list.bytes == bytes || (try? DataObjectList(parsing: list.bytes)) == list)
    let filled = list.fill { tag in
        [UInt8](repeating: tag.leadingByte, count: Int(tag.rawValue & 0x1F))
    }
    precondition(filled.count == list.count)
    guard let objects = list.split(filled) else {
        fatalError("a list does not split what it filled")
    }
    precondition(objects.map(\.tag) == list.entries.map(\.tag))
    precondition(objects.map(\.value.count) == list.entries.map(\.length))
    precondition(list.split(filled + [0]) == nil)
}
