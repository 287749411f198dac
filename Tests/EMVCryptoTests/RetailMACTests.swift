import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var key: HexBytes
    var message: HexBytes?
    var paddingMethod: Int?
}

private struct Expected: Decodable, Sendable { var mac: HexBytes? }

private func cases() throws -> [VectorCase<Input, Expected>] {
    try VectorFile<Parameters, Input, Expected>.load("retail-macs").groups
        .filter { $0.parameters.of == "mac" }.flatMap(\.cases)
}

@Suite("DES and the retail MAC")
struct RetailMACTests {
    @Test("A MAC depends on the last key loaded only")
    func reloading() throws {
        let vectors = try cases()
        var mac = RetailMAC(key: DoubleLengthKey(left: 0, right: 0))
        for vector in vectors {
            mac.load(DoubleLengthKey(vector.input.key))
            let message = try #require(vector.input.message).bytes
            let padding = vector.input.paddingMethod == 1 ? RetailMAC.Padding.zeros : .marked
            let value = mac.mac(of: message.span, padding: padding)
            #expect(try value == #require(vector.expected.mac).number)
        }
    }

    /// ISO 9797-1, 6.3: method 1 cannot tell a message from the same with zeros, method 2 can.
    @Test("Padding fills up to whole blocks", arguments: [0, 1, 7, 8, 9, 15, 16, 496, 503, 504])
    func padding(count: Int) {
        var mac = RetailMAC(
            key: DoubleLengthKey(left: 0x0123_4567_89AB_CDEF, right: 0x1032_5476_98BA_DCFE)
        )
        let message = [UInt8](repeating: 0x5A, count: count)
        let zeroCount = count == 0 ? 8 : (8 - count % 8) % 8
        let filled = message + [UInt8](repeating: 0, count: zeroCount)
        let withZeros = mac.mac(of: message.span, padding: .zeros)
        #expect(mac.mac(of: filled.span, padding: .zeros) == withZeros)

        let marked = message + [0x80] + [UInt8](repeating: 0, count: 7 - count % 8)
        let withMark = mac.mac(of: message.span, padding: .marked)
        #expect(withMark != withZeros)
        if marked.count <= RetailMAC.maximumCount {
            #expect(mac.mac(of: marked.span, padding: .zeros) == withMark)
        }
    }
}
