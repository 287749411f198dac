import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Nothing: Decodable {}

private struct Input: Decodable, Sendable {
    var method: Int
    var message: HexBytes
    var blockByteCount: Int
}

private struct Expected: Decodable, Sendable { var padded: HexBytes }

private func cases() throws -> [VectorCase<Input, Expected>] {
    try VectorFile<Nothing, Input, Expected>.load("paddings").groups.flatMap(\.cases)
}

@Suite("Paddings (ISO 9797-1, 6.3)")
struct PaddingTests {
    @Test("A message fills up as published", arguments: try cases())
    fileprivate func padded(_ vector: VectorCase<Input, Expected>) {
        let padding: RetailMAC.Padding = vector.input.method == 1 ? .zeros : .marked
        let padded = padding.padded(
            vector.input.message.bytes,
            blockByteCount: vector.input.blockByteCount
        )
        #expect(padded == vector.expected.padded.bytes)
    }
}
