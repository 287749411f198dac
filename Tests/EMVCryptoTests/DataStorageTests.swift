import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var identifier: HexBytes
    var operatorIdentifier: HexBytes?
    var input: HexBytes?
    var previousSummary: HexBytes?
    var amount: HexBytes?
    var currency: HexBytes?
    var referenceControlParameter: HexBytes?
    var commandIndicator: HexBytes?
    var cardNumber: HexBytes?
    var terminalNumber: HexBytes?
}

private struct Expected: Decodable, Sendable {
    var partialKey: HexBytes?
    var digest: HexBytes?
    var left: HexBytes?
    var right: HexBytes?
    var summary: HexBytes?
}

private typealias Vector = VectorCase<Input, Expected>

private func cases(of kind: String) throws -> [Vector] {
    try VectorFile<Parameters, Input, Expected>.load("data-storage").groups
        .filter { $0.parameters.of == kind }.flatMap(\.cases)
}

@Suite("Data storage (EMV Book C-2, 8.2)")
struct DataStorageTests {
    @Test("An identifier makes the key published", arguments: try cases(of: "partialKey"))
    fileprivate func partialKey(_ vector: Vector) {
        let key = DataStorage.partialKey(identifier: vector.input.identifier.bytes)
        #expect(key == vector.expected.partialKey?.bytes)
    }

    @Test("Version 1 has the digest published", arguments: try cases(of: "digest"))
    fileprivate func digest(_ vector: Vector) throws {
        let digest = try DataStorage.digest(
            identifier: vector.input.identifier.bytes,
            operatorIdentifier: #require(vector.input.operatorIdentifier).number,
            input: #require(vector.input.input).number
        )
        #expect(digest == vector.expected.digest?.number)
    }

    @Test("Version 2 has either half of the block", arguments: try cases(of: "digestAES"))
    fileprivate func digestAES(_ vector: Vector) throws {
        func digest(_ half: DataStorage.DigestHalf) throws -> UInt64? {
            try DataStorage.digestAES(
                identifier: vector.input.identifier.bytes,
                operatorIdentifier: #require(vector.input.operatorIdentifier).number,
                input: #require(vector.input.input).number,
                half: half
            )
        }
        #expect(try digest(.left) == vector.expected.left?.number)
        #expect(try digest(.right) == vector.expected.right?.number)
    }

    @Test("A transaction has the summary captured", arguments: try cases(of: "summary"))
    fileprivate func summary(_ vector: Vector) throws {
        let input = try DataStorage.SummaryInput(
            previousSummary: #require(vector.input.previousSummary).number,
            amount: #require(vector.input.amount).bytes,
            currency: UInt16(#require(vector.input.currency).number),
            referenceControlParameter: UInt8(
                #require(vector.input.referenceControlParameter).number
            ),
            commandIndicator: UInt8(#require(vector.input.commandIndicator).number),
            cardNumber: UInt32(#require(vector.input.cardNumber).number),
            terminalNumber: UInt32(#require(vector.input.terminalNumber).number)
        )
        let summary = DataStorage.summary(identifier: vector.input.identifier.bytes, input)
        #expect(summary == vector.expected.summary?.number)
    }

    @Test("Identifiers too short or too long have nothing", arguments: 0...13)
    func lengths(count: Int) {
        let identifier = [UInt8](repeating: 0x99, count: count)
        #expect((DataStorage.partialKey(identifier: identifier) != nil) == (count >= 6))
        let digest = DataStorage.digest(identifier: identifier, operatorIdentifier: 1, input: 2)
        #expect((digest != nil) == (count >= 6))
        let other = DataStorage.digestAES(identifier: identifier, operatorIdentifier: 1, input: 2)
        #expect((other != nil) == (count <= 11))
    }
}
