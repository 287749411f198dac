import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var format: String?
    var pin: String?
    var pan: String?
}

private struct Nothing: Decodable, Sendable {}

private typealias Vector = VectorCase<Input, Nothing>

private func cases() throws -> [Vector] {
    try VectorFile<Parameters, Input, Nothing>.load("pin-blocks").groups
        .filter { $0.parameters.of == "make" }.flatMap(\.cases).filter(\.isValid)
}

/// Reads a PIN out of a block of any eight-byte format.
private func pin(_ format: String?, _ block: [UInt8], pan: [UInt8]) throws -> [UInt8] {
    switch format {
    case "0": try PINBlock.pin(inFormat0: block, pan: pan)
    case "1": try PINBlock.pin(inFormat1: block)
    case "2": try PINBlock.pin(inFormat2: block)
    default: try PINBlock.pin(inFormat3: block, pan: pan)
    }
}

@Suite("PIN blocks (ISO 9564-1)")
struct PINBlockTests {
    @Test("A PIN comes out of its block again, and of nothing shorter", arguments: try cases())
    fileprivate func make(_ vector: Vector) throws {
        let digits = try panDigits(vector.input.pin)
        let pan = try vector.input.pan.map(panDigits) ?? []
        let block =
            switch vector.input.format {
            case "0": try PINBlock.format0(pin: digits, pan: pan)
            case "2": try PINBlock.format2(pin: digits)
            default:
                try PINBlock.format3(
                    pin: digits,
                    pan: pan,
                    filler: [0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x0A, 0x0B, 0x0C, 0x0D]
                )
            }
        #expect(try pin(vector.input.format, block, pan: pan) == digits)
        for count in block.indices {
            #expect(throws: PINBlockError.wrongLength(count)) {
                try pin(vector.input.format, [UInt8](block.prefix(count)), pan: pan)
            }
        }
        #expect(throws: PINBlockError.wrongLength(9)) {
            try pin(vector.input.format, block + [0xFF], pan: pan)
        }
    }

    @Test("Each fault has its own error")
    func faults() throws {
        func error(
            _ format: String,
            _ block: String,
            pan: String = "5555555551234567"
        ) -> PINBlockError? {
            #expect(throws: PINBlockError.self) {
                try pin(format, [UInt8](hex: block), pan: panDigits(pan))
            }
        }
        #expect(error("2", "2D1234567890123F") == .wrongPINLength(13))
        #expect(error("2", "231230FFFFFFFFFF") == .wrongPINLength(3))
        #expect(error("2", "041234FFFFFFFFFF") == .wrongFormat(0))
        #expect(error("2", "24123AFFFFFFFFFF") == .notADigit)
        #expect(error("2", "241234FFFFFFFFF0") == .wrongFiller)
        #expect(
            error("0", "041261AAAAEDCBA9", pan: "123456789012") == .wrongAccountNumberLength(12)
        )
        #expect(error("0", "041261AAAAEDCBAA") == .wrongFiller)
        #expect(throws: PINBlockError.wrongPINLength(3)) { try PINBlock.format2(pin: [1, 2, 3]) }
        #expect(throws: PINBlockError.wrongPINLength(13)) {
            try PINBlock.format2(pin: [UInt8](repeating: 1, count: 13))
        }
        #expect(throws: PINBlockError.notADigit) { try PINBlock.format2(pin: [1, 2, 3, 10]) }
        #expect(throws: PINBlockError.wrongFiller) {
            try PINBlock.format1(pin: [1, 2, 3, 4], filler: [1])
        }
        #expect(throws: PINBlockError.wrongFiller) {
            try PINBlock.format3(
                pin: [1, 2, 3, 4],
                pan: panDigits("5555555551234567"),
                filler: [UInt8](repeating: 9, count: 10)
            )
        }
        #expect(throws: PINBlockError.wrongAccountNumberLength(20)) {
            try PINBlock.format4AccountField(pan: [UInt8](repeating: 1, count: 20))
        }
        #expect(throws: PINBlockError.wrongFiller) {
            try PINBlock.format4PINField(pin: [1, 2, 3, 4], random: [1])
        }
    }

    @Test("Format 1 keeps what fills it up")
    func format1() throws {
        let block = try PINBlock.format1(
            pin: [1, 2, 3, 4],
            filler: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        )
        #expect(block.hex == "1412340123456789")
        #expect(try PINBlock.pin(inFormat1: block) == [1, 2, 3, 4])
    }
}
