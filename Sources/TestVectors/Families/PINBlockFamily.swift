import EMVCrypto
import Octets
import Profiles

/// `pin-blocks`: the forms in which a PIN travels (ISO 9564-1).
enum PINBlockFamily: VectorFamily {
    case make(format: Format, pin: [UInt8], pan: [UInt8])
    case read(format: Format, block: [UInt8], pan: [UInt8])
    case accountField(pan: [UInt8])
    case format4(key: [UInt8], block: [UInt8], pan: [UInt8], random: [UInt8])
    case visa(NewPIN)

    static let name = "pin-blocks"

    private enum Kind: String, CaseIterable { case make, read, accountField, format4, visa }

    /// The formats of eight bytes.
    enum Format: String, CaseIterable {
        case format0 = "0"
        case format1 = "1"
        case format2 = "2"
        case format3 = "3"
    }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        switch try parameters.choice("of", of: Kind.self) {
        case .make:
            self = .make(
                format: try input.choice("format", of: Format.self),
                pin: try input.digits("pin", 0...16),
                pan: input.has("pan") ? try input.accountNumber("pan") : []
            )
        case .read:
            self = .read(
                format: try input.choice("format", of: Format.self),
                block: try input.hex("block"),
                pan: input.has("pan") ? try input.accountNumber("pan") : []
            )
        case .accountField: self = .accountField(pan: try input.accountNumber("pan"))
        case .format4:
            self = .format4(
                key: try input.hex("key"),
                block: try input.hex("block"),
                pan: try input.accountNumber("pan"),
                random: try input.hex("random")
            )
        case .visa: self = .visa(try NewPIN(&input))
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .make(let format, let pin, let pan):
            let block = try Self.block(format, pin: pin, pan: pan)
            // What fills the block up is random in some formats: only what stands before is the source's.
            return [
                "block": .bytes(block), "beginning": .text(String(block.hex.prefix(2 + pin.count))),
            ]
        case .read(let format, let block, let pan):
            return ["pin": .digits(try Self.pin(format, block: block, pan: pan))]
        case .accountField(let pan):
            return ["field": .bytes(try PINBlock.format4AccountField(pan: pan))]
        case .format4(let key, let block, let pan, let random):
            let key = try AESKey(orRefused: key)
            let pin = try PINBlock.pin(inFormat4: block, pan: pan, key: key)
            let again = try PINBlock.format4(pin: pin, pan: pan, random: random, key: key)
            return ["pin": .digits(pin), "block": .bytes(again)]
        case .visa(let pin): return ["block": .bytes(try pin.block())]
        }
    }

    private static func block(
        _ format: Format,
        pin: [UInt8],
        pan: [UInt8]
    ) throws(PINBlockError) -> [UInt8] {
        let filler: [UInt8] = [10, 11, 12, 13, 14, 15, 10, 11, 12, 13]
        return switch format {
        case .format0: try PINBlock.format0(pin: pin, pan: pan)
        case .format1: try PINBlock.format1(pin: pin, filler: filler)
        case .format2: try PINBlock.format2(pin: pin)
        case .format3: try PINBlock.format3(pin: pin, pan: pan, filler: filler)
        }
    }

    private static func pin(
        _ format: Format,
        block: [UInt8],
        pan: [UInt8]
    ) throws(PINBlockError) -> [UInt8] {
        switch format {
        case .format0: try PINBlock.pin(inFormat0: block, pan: pan)
        case .format1: try PINBlock.pin(inFormat1: block)
        case .format2: try PINBlock.pin(inFormat2: block)
        case .format3: try PINBlock.pin(inFormat3: block, pan: pan)
        }
    }
}
