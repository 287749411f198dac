import Octets
import Testing

@Suite("Spans and fixed bytes")
struct SpanTests {
    @Test("Numbers are appended most significant byte first")
    func appendsNumbers() {
        let bytes = [UInt8](capacity: 15) { (output: inout OutputSpan<UInt8>) in
            output.append(bigEndian: UInt8(0x01))
            output.append(bigEndian: UInt16(0x0203))
            output.append(bigEndian: UInt32(0x0405_0607))
            output.append(bigEndian: UInt64(0x0809_0A0B_0C0D_0E0F))
        }
        #expect(bytes == Array(0x01...0x0F))
    }

    @Test("Spans are equal by content and length")
    func comparesSpans() {
        let bytes: [UInt8] = [1, 2, 3]
        let same = bytes.span.hasSameBytes(as: [1, 2, 3].span)
        let shorter = bytes.span.hasSameBytes(as: [1, 2].span)
        let other = bytes.span.hasSameBytes(as: [1, 2, 4].span)
        #expect(same && !shorter && !other)
    }

    @Test("A copied span is an array of the same bytes")
    func copiesSpans() {
        let bytes: [UInt8] = [1, 2, 3, 4]
        #expect([UInt8](bytes.span) == bytes)
        #expect([UInt8](bytes.span.extracting(1..<3)) == [2, 3])
        #expect([UInt8](bytes.span.extracting(0..<0)) == [])
    }

    @Test("Eight bytes are read as a number from any offset")
    func readsNumbers() {
        let bytes: [UInt8] = [0xFF, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0xFF]
        #expect(UInt64(bigEndian: bytes.span, at: 1) == 0x0102_0304_0506_0708)
    }

    @Test("Fixed bytes hold what was appended and no more")
    func fixedBytes() {
        var bytes = FixedBytes<8>()
        bytes.append(0x9F)
        bytes.append(copying: [0x36, 0x02].span)
        bytes.append(bigEndian: UInt16(0x0001))
        #expect([UInt8](bytes.span) == [0x9F, 0x36, 0x02, 0x00, 0x01])
        #expect(bytes.count == 5)
    }

    @Test("Appending beyond the capacity of fixed bytes traps")
    func fixedBytesOverflow() async {
        await #expect(processExitsWith: .failure) {
            var bytes = FixedBytes<1>()
            bytes.append(1)
            bytes.append(2)
        }
    }
}
