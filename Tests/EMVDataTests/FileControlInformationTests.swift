import BERTLV
import EMVData
import Octets
import TestSupport
import Testing

/// What real cards answer to SELECT, read with this room's types alone.
@Suite("File control information of real cards")
struct FileControlInformationTests {
    @Test(
        "An FCI cut anywhere is refused",
        arguments: try SelectionVector.all().prefix(12)
    )
    func prefixes(_ vector: SelectionVector.Case) {
        for count in 1..<vector.answer.count {
            let prefix = Array(vector.answer.prefix(count))
            #expect(throws: TLVError.self) { try TLV.parse(prefix) }
        }
    }
}
