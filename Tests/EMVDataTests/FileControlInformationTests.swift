import BERTLV
import EMVData
import Octets
import TestSupport
import Testing

/// What real cards answer to SELECT, read with this room's types alone.
@Suite("File control information of real cards")
struct FileControlInformationTests {
    @Test(
        "Names, directory entries and PDOLs are read",
        arguments: try SelectionVector.all()
    )
    func recorded(_ vector: SelectionVector.Case) throws {
        let template = try TLV.parseOne(vector.input.bytes)
        #expect(template.tag == .fileControlInformation)
        #expect(template.encoded == vector.input.bytes)
        let expected = vector.expected
        #expect(TLV.first(.dedicatedFileName, in: [template])?.value == expected.name.bytes)

        let discretionary = TLV.first(.issuerDiscretionaryData, in: [template])?.objects ?? []
        let entries = discretionary.filter { $0.tag == .applicationTemplate }
        #expect(entries.count == expected.entries.count)
        for (entry, expected) in zip(entries, expected.entries) {
            let value = { (tag: Tag) in TLV.first(tag, in: [entry])?.value }
            let name = try #require(value(.applicationIdentifier))
            #expect(name == expected.applicationIdentifier.bytes)
            #expect(ApplicationIdentifier(bytes: name) != nil)
            #expect(
                value(.applicationLabel).map { String(decoding: $0, as: UTF8.self) }
                    == expected.label
            )
            #expect(value(.applicationPriority) == expected.priority?.bytes)
        }

        let list = try DataObjectList(
            parsing: TLV.first(.processingOptionsList, in: [template])?.value ?? []
        )
        #expect(
            list.entries.map { $0.tag.bytes + [UInt8($0.length)] }
                == expected.pdol.map { $0.tag.bytes + [UInt8($0.length)] }
        )
    }

    @Test(
        "An FCI cut anywhere is refused",
        arguments: try SelectionVector.all().prefix(12)
    )
    func prefixes(_ vector: SelectionVector.Case) {
        for count in 1..<vector.input.bytes.count {
            let prefix = Array(vector.input.bytes.prefix(count))
            #expect(throws: TLVError.self) { try TLV.parse(prefix) }
        }
    }
}
