import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var issuerKey: HexBytes?
    var option: String?
    var pan: String?
    var sequenceNumber: HexBytes?
    var trackData: HexBytes?
    var initialVector: HexBytes?
    var unpredictableNumber: HexBytes?
    var counter: HexBytes?
    var cvc3Positions: HexBytes?
    var numberPositions: HexBytes?
    var counterDigitCount: UInt8?
    var cvc3: HexBytes?
    var digits: String?
    var isVerifiedOnDevice: Bool?
}

private struct Expected: Decodable, Sendable {
    var decimal: String?
    var cvc3: HexBytes?
    var initialVector: HexBytes?
    var cardKey: HexBytes?
    var unpredictableDigitCount: Int?
    var digits: String?
}

private typealias Vector = VectorCase<Input, Expected>

private func cases(of kind: String) throws -> [Vector] {
    try VectorFile<Parameters, Input, Expected>.load("cvc3").groups
        .filter { $0.parameters.of == kind }.flatMap(\.cases)
}

@Suite("Dynamic CVC3 (EMV Book C-2)")
struct DynamicCVC3Tests {
    @Test("A tap has the CVC3 published", arguments: try cases(of: "value"))
    fileprivate func value(_ vector: Vector) throws {
        var cipher = try TripleDES(key: DoubleLengthKey(#require(vector.input.issuerKey)))
        let cardKey = try cipher.cardKey(
            pan: panDigits(vector.input.pan),
            sequenceNumber: #require(vector.input.sequenceNumber?.bytes.first),
            derivation: derivation(vector.input.option)
        )
        if let expected = vector.expected.cardKey {
            #expect(cardKey.exportedBytes == expected.bytes)
        }
        let initialVector =
            try vector.input.initialVector.map { UInt16($0.number) }
            ?? DynamicCVC3.initialVector(
                trackData: #require(vector.input.trackData).bytes,
                cardKey: cardKey
            )
        if let expected = vector.expected.initialVector {
            #expect(UInt64(initialVector) == expected.number)
        }
        let cvc3 = try DynamicCVC3.value(
            initialVector: initialVector,
            unpredictableNumber: UInt32(#require(vector.input.unpredictableNumber).number),
            counter: UInt16(#require(vector.input.counter).number),
            cardKey: cardKey
        )
        if let expected = vector.expected.cvc3 { #expect(UInt64(cvc3) == expected.number) }
        if let decimal = vector.expected.decimal {
            let digits = String(repeating: "0", count: 5) + String(cvc3)
            #expect(digits.hasSuffix(decimal))
        }
    }

    @Test("Digits go where the bitmaps say", arguments: try cases(of: "placement"))
    fileprivate func placement(_ vector: Vector) throws {
        let placement = try CVC3Placement(
            cvc3Positions: #require(vector.input.cvc3Positions).bytes,
            numberPositions: #require(vector.input.numberPositions).bytes,
            counterDigitCount: #require(vector.input.counterDigitCount)
        )
        let placed = try placement?.place(
            in: panDigits(vector.input.digits),
            cvc3: UInt16(#require(vector.input.cvc3).number),
            unpredictableNumber: UInt32(#require(vector.input.unpredictableNumber).number),
            counter: UInt16(#require(vector.input.counter).number),
            isVerifiedOnDevice: vector.input.isVerifiedOnDevice ?? false
        )
        #expect((placed != nil) == vector.isValid)
        guard vector.isValid else { return }
        #expect(placement?.unpredictableDigitCount == vector.expected.unpredictableDigitCount)
        #expect(try placed == panDigits(vector.expected.digits))
    }
}
