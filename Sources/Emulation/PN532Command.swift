/// What makes a PN532 a card, as commands (user manual UM0701-02, 7.2 and 7.3).
///
/// A command is `D4`, its code and its parameters; an answer is `D5`, the code plus one and the result.
package enum PN532Command: Hashable, Sendable {
    /// ReadRegister (06): the addresses, two bytes each.
    case readRegisters([UInt16])
    /// WriteRegister (08): addresses and values.
    case writeRegisters([PN532RegisterValue])
    /// SetParameters (12).
    case setParameters(UInt8)
    /// TgInitAsTarget (8C): waits for a terminal.
    case initAsTarget(PN532Identity)
    /// TgGetData (86): waits for the terminal's next command, or a part of it.
    case getData
    /// TgSetData (8E): the response, or the last part of it.
    case setData([UInt8])
    /// TgSetMetaData (94): a part of the response that is not the last.
    case setMetaData([UInt8])

    /// Answers as ISO/IEC 14443-4 PICC (20), and to RATS by itself (10).
    package static let picc = PN532Command.setParameters(0x30)

    /// As the chip starts: it answers ATR_REQ by itself (04), and sends RATS by itself as a reader (10).
    package static let initialParameters = PN532Command.setParameters(0x14)

    /// The most data that a command carries: a normal frame has 255 bytes, `D4` and the code among them.
    package static let maximumDataCount = 253

    /// The command's code.
    package var code: UInt8 {
        switch self {
        case .readRegisters: 0x06
        case .writeRegisters: 0x08
        case .setParameters: 0x12
        case .initAsTarget: 0x8C
        case .getData: 0x86
        case .setData: 0x8E
        case .setMetaData: 0x94
        }
    }

    /// The whole command.
    package var bytes: [UInt8] {
        let parameters: [UInt8] =
            switch self {
            case .readRegisters(let addresses): addresses.flatMap(\.bytes)
            case .writeRegisters(let values): values.flatMap { $0.address.bytes + [$0.value] }
            case .setParameters(let flags): [flags]
            case .initAsTarget(let identity): identity.bytes
            case .getData: []
            case .setData(let data), .setMetaData(let data): data
            }
        return [0xD4, code] + parameters
    }

    /// What the chip answered, without the head; nil where that is no answer to this command.
    package func result(_ answer: ArraySlice<UInt8>) -> [UInt8]? {
        guard answer.starts(with: [0xD5, code + 1]) else { return nil }
        return Array(answer.dropFirst(2))
    }
}

/// A register of the PN532's contactless interface, and what it is to hold.
package struct PN532RegisterValue: Hashable, Sendable {
    package var address: UInt16
    package var value: UInt8

    package init(_ address: UInt16, _ value: UInt8) {
        self.address = address
        self.value = value
    }
}

/// What a terminal sees of the card before the first command.
package struct PN532Identity: Hashable, Sendable {
    /// Three bytes of the identifier; the chip puts 08 before them, as a random identifier has it.
    package var identifier: [UInt8]
    /// The historical bytes of the answer to select, at most 48.
    package var historicalBytes: [UInt8]

    /// Takes both, cut to what the chip takes.
    package init(identifier: [UInt8], historicalBytes: [UInt8] = []) {
        self.identifier = Array((identifier + [0, 0, 0]).prefix(3))
        self.historicalBytes = Array(historicalBytes.prefix(48))
    }

    /// The parameters of TgInitAsTarget: a passive target only, SENS_RES 0004, SEL_RES 20, no FeliCa, no NFC-DEP.
    fileprivate var bytes: [UInt8] {
        [0x05, 0x04, 0x00] + identifier + [0x20] + [UInt8](repeating: 0, count: 18 + 10)
            + [0x00, UInt8(truncatingIfNeeded: historicalBytes.count)] + historicalBytes
    }
}

extension UInt16 {
    fileprivate var bytes: [UInt8] {
        [UInt8(truncatingIfNeeded: self >> 8), UInt8(truncatingIfNeeded: self)]
    }
}
