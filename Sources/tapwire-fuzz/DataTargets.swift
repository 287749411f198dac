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

/// What bytes are taken for can be read as that, and a survey tells of every byte it does not read.
func fuzzKind(_ bytes: [UInt8]) {
    let candidates = DataKind.candidates(for: bytes)
    precondition(Set(candidates.map(\.kind)).count == candidates.count, "a kind is named twice")
    precondition(
        zip(candidates, candidates.dropFirst()).allSatisfy { $0.likelihood >= $1.likelihood },
        "the likeliest kind is not the first"
    )
    for candidate in candidates where candidate.likelihood >= DataKind.Candidate.plausible {
        precondition(isReadable(bytes, as: candidate.kind), "\(candidate.kind) cannot be read")
    }
    checkSurvey(bytes)
}

private func isReadable(_ bytes: [UInt8], as kind: DataKind) -> Bool {
    switch kind {
    case .tag: Tag(bytes: bytes) != nil
    case .objects: TLVSurvey(bytes).end == bytes.count
    case .issuerData:
        TLVSurvey(Array(bytes.dropFirst(DataKind.issuerDataPrefixCount(bytes)))).isSound
    case .list: (try? DataObjectList(parsing: bytes)) != nil
    case .command: (try? CommandAPDU(parsing: bytes)) != nil
    case .response, .statusWord: (try? ResponseAPDU(parsing: bytes)) != nil
    case .fileLocator: (try? ApplicationFileLocator(parsing: bytes)) != nil
    case .cvmList: (try? CVMList(parsing: bytes)) != nil
    case .track1: (try? Track1(parsing: bytes)) != nil
    case .track2: (try? Track2(parsing: bytes)) != nil
    case .answerToReset: (try? AnswerToReset(parsing: bytes)) != nil
    case .applicationIdentifier: ApplicationIdentifier(bytes: bytes) != nil
    case .certificate: bytes.count > 100 && (bytes[0] == 0x12 || bytes[0] == 0x14)
    }
}

/// A survey agrees with the strict reader, and every object lies inside the one around it.
private func checkSurvey(_ bytes: [UInt8]) {
    let survey = TLVSurvey(bytes)
    precondition(0...bytes.count ~= survey.end)
    precondition(survey.faults.allSatisfy { 0...bytes.count ~= $0.offset })
    if survey.isSound { precondition((try? TLV.parse(bytes)) != nil, "the strict reader refuses") }
    checkPlaces(survey.objects, in: 0..<bytes.count)
}

private func checkPlaces(_ objects: [TLVSurvey.Object], in range: Range<Int>) {
    var start = range.lowerBound
    for object in objects {
        precondition(object.offset >= start && object.valueOffset > object.offset)
        start = object.valueOffset + object.value.count
        precondition(start <= range.upperBound && object.value.count <= object.length)
        checkPlaces(object.objects, in: object.valueOffset..<start)
    }
}

/// A kernel's number, a tag and a value: whatever is said of it is said without a trap.
func fuzzMeaning(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let kernel = KernelIdentifier(rawValue: UInt32(first))
    var reader = TLVReader(bytes.span.extracting(droppingFirst: 1))
    guard let tag = try? reader.readTag() else { return }
    let value = Array(bytes.dropFirst(1 + reader.offset))
    for definition in DataObjectDefinition.all(of: tag) {
        _ = definition.meanings(of: value, in: kernel)
        for (meaning, isSet) in definition.explanation(of: value, in: kernel) where isSet {
            precondition(value[meaning.byte - 1] & meaning.mask == meaning.value)
        }
    }
    if let data = try? RegisteredData.list(parsing: value) {
        precondition(data.reduce(0) { $0 + 3 + $1.value.count } == value.count)
    }
}
