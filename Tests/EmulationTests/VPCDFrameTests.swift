import Octets
import Testing

@testable import Emulation

@Suite("vpcd frames")
struct VPCDFrameTests {
    /// Two frames, as vpcd sends them: length and body.
    private let stream: [UInt8] = [0x00, 0x01, 0x04, 0x00, 0x05, 0xFF, 0xCA, 0x00, 0x00, 0x00]

    @Test("Frames come out whole however the stream is cut", arguments: 1...10)
    func cut(pieceCount: Int) {
        var buffer = VPCDFrameBuffer()
        var bodies: [[UInt8]] = []
        var offset = 0
        while offset < stream.count {
            let piece = stream[offset..<min(offset + pieceCount, stream.count)]
            offset += piece.count
            receive(Array(piece), into: &buffer)
            while let frame = buffer.next() { bodies.append([UInt8](buffer.body(of: frame))) }
        }
        #expect(bodies == [[0x04], [0xFF, 0xCA, 0x00, 0x00, 0x00]])
        let isInside = buffer.isInsideFrame
        #expect(!isInside)
    }

    @Test("A stream that ends early is known to end inside a frame")
    func prefixes() {
        for count in 0...stream.count {
            var buffer = VPCDFrameBuffer()
            if count > 0 { receive(Array(stream.prefix(count)), into: &buffer) }
            while buffer.next() != nil {}
            let isInside = buffer.isInsideFrame
            #expect(isInside == ![0, 3, stream.count].contains(count), "\(count) bytes")
        }
    }

    @Test("The longest frame fits", arguments: [1, 255, 256, 65534, 65535])
    func longest(count: Int) {
        var buffer = VPCDFrameBuffer()
        let bytes = [UInt8(count >> 8), UInt8(count & 0xFF)] + [UInt8](repeating: 7, count: count)
        receive(bytes, into: &buffer)
        let frame = buffer.next()
        let bodyCount = frame.map { buffer.body(of: $0).count }
        #expect(bodyCount == count)
    }

    @Test("Control codes and commands are told apart")
    func requests() {
        #expect(VPCDRequest([0x00].span) == .powerOff)
        #expect(VPCDRequest([0x01].span) == .powerOn)
        #expect(VPCDRequest([0x02].span) == .reset)
        #expect(VPCDRequest([0x04].span) == .answerToReset)
        #expect(VPCDRequest([0x03].span) == .unknown(0x03))
        #expect(VPCDRequest([0x00, 0xA4].span) == .command)
        #expect(VPCDRequest(Span()) == nil)
    }

    private func receive(_ bytes: [UInt8], into buffer: inout VPCDFrameBuffer) {
        _ = buffer.receive { free in
            for index in bytes.indices { free[index] = bytes[index] }
            return bytes.count
        }
    }
}
