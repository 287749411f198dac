import BERTLV
import Octets
import Testing

@Suite("Reading and writing in place")
struct TLVWritingTests {
    private func written(_ write: (inout OutputSpan<UInt8>) -> Void) -> [UInt8] {
        [UInt8](capacity: 512, initializingWith: write)
    }

    @Test(
        "Tags of one to four bytes are appended",
        arguments: [
            (0x5A, [0x5A]), (0x9F36, [0x9F, 0x36]), (0xDF8129, [0xDF, 0x81, 0x29]),
            (0xDF81_8201, [0xDF, 0x81, 0x82, 0x01]),
        ] as [(UInt32, [UInt8])]
    )
    func appendsTags(number: UInt32, bytes: [UInt8]) {
        let tag = Tag(rawValue: number)
        #expect(written { $0.append(tag) } == bytes)
        #expect(tag.bytes == bytes)
        #expect(tag.byteCount == bytes.count)
        #expect(tag.description == bytes.hex)
    }

    @Test(
        "A template's length is written when its contents are known",
        arguments: [
            0, 1, 127, 128, 129, 255,
        ]
    )
    func appendsTemplates(count: Int) throws {
        let value = [UInt8](repeating: 0xA5, count: count)
        let bytes = written { output in
            output.append(Tag(rawValue: 0x77)) { body in body.append(copying: value.span) }
        }
        #expect(bytes == [0x77] + TLV(Tag(rawValue: 0x5A), value).encoded.dropFirst())
    }

    @Test("Numbers are appended at their own width")
    func appendsNumbers() {
        let bytes = written { output in
            output.append(Tag(rawValue: 0x9F36), UInt16(0x0102))
            output.append(Tag(rawValue: 0x9F27), UInt8(0x80))
        }
        #expect(bytes == [0x9F, 0x36, 0x02, 0x01, 0x02, 0x9F, 0x27, 0x01, 0x80])
    }

    @Test("A reader stands still at an object it refuses")
    func readerStandsStill() {
        let bytes: [UInt8] = [0x9C, 0x01, 0x00, 0x5A, 0x02, 0x12]
        var reader = TLVReader(bytes.span, base: 100)
        let first = try? reader.next()?.tag.rawValue
        let before = reader.offset
        var failure: TLVError?
        do throws(TLVError) { _ = try reader.next() } catch { failure = error }
        #expect(first == 0x9C)
        #expect(failure == TLVError(.truncatedValue, at: 104))
        #expect(reader.offset == before)
    }

    @Test("A reader tells where an object and its value lie in the whole message")
    func readerOffsets() throws {
        let bytes: [UInt8] = [0x00, 0x9F, 0x36, 0x81, 0x02, 0x00, 0x01]
        var reader = TLVReader(bytes.span, base: 10)
        guard let element = try reader.next() else {
            Issue.record("there is an object")
            return
        }
        let offsets = [element.offset, element.valueOffset, element.value.count]
        #expect(offsets == [11, 15, 2])
        let end = try reader.next() == nil
        #expect(end)
        #expect(reader.offset == 17)
    }

    @Test(
        "The constructed bit of the first byte makes a template",
        arguments: [
            (0x21, true), (0x8F, false), (0x61, true), (0xBF0C, true), (0x9F36, false),
            (0xFF8105, true), (0xDF8129, false),
        ] as [(UInt32, Bool)]
    )
    func constructedBit(number: UInt32, isConstructed: Bool) {
        #expect(Tag(rawValue: number).isConstructed == isConstructed)
    }
}
