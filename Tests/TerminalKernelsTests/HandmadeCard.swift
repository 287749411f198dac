import BERTLV
import EMVData
import Octets
import TerminalKernels
import Testing

/// A command a handmade card knows.
enum CardCommand: Hashable {
    case selectDirectory
    case select(String)
    case processingOptions
    case record(UInt8, UInt8)
    case cryptogram

    /// Recognises a command; nil for any other.
    init?(_ command: [UInt8]) {
        guard command.count >= 5 else { return nil }
        switch (command[0], command[1]) {
        case (0x00, 0xA4):
            let name = Array(command[5..<5 + Int(command[4])])
            self =
                name == [UInt8]("2PAY.SYS.DDF01".utf8) ? .selectDirectory : .select(name.hex)
        case (0x80, 0xA8): self = .processingOptions
        case (0x00, 0xB2): self = .record(command[3] >> 3, command[2])
        case (0x80, 0xAE): self = .cryptogram
        default: return nil
        }
    }
}

/// What a handmade card says to a command.
enum CardAnswer: Sendable {
    /// Data with 9000.
    case data([UInt8])
    /// A status word alone.
    case status(UInt16)
    /// Nothing.
    case failure(L1Error)
    /// Whatever comes out for the command; 6F00 when that fails.
    case made(@Sendable ([UInt8]) throws -> CardAnswer)
    /// The first answer once, then the next.
    indirect case first(CardAnswer, then: CardAnswer)
}

/// A card that answers from a list, whatever order it is asked in.
struct HandmadeCard: TestCard {
    var answers: [CardCommand: CardAnswer] = [:]

    subscript(command: CardCommand) -> CardAnswer? {
        get { answers[command] }
        set { answers[command] = newValue }
    }

    mutating func answer(_ bytes: [UInt8]) -> Result<[UInt8], FieldFailure> {
        guard let command = CardCommand(bytes) else { return .success([0x6D, 0x00]) }
        guard var answer = answers[command] else { return .success([0x6A, 0x82]) }
        if case .first(let once, let then) = answer {
            answers[command] = then
            answer = once
        }
        return give(answer, bytes)
    }

    private func give(_ answer: CardAnswer, _ command: [UInt8]) -> Result<[UInt8], FieldFailure> {
        switch answer {
        case .data(let data): .success(data + [0x90, 0x00])
        case .status(let status): .success([UInt8(status >> 8), UInt8(status & 0xFF)])
        case .failure(let error): .failure(FieldFailure(error: error))
        case .made(let make):
            (try? make(command)).map { give($0, command) } ?? .success([0x6F, 0x00])
        case .first(let once, _): give(once, command)
        }
    }
}

extension TLV {
    /// A primitive object from hexadecimal text.
    init(_ tag: BERTLV.Tag, hex: String) throws {
        try self.init(tag, [UInt8](hex: hex))
    }
}

/// Directories and file control information.
enum CardFile {
    /// One entry of a PPSE.
    static func entry(
        _ aid: String,
        priority: UInt8? = 1,
        kernel: String? = nil,
        label: String? = nil,
        extendedSelection: String? = nil
    ) throws -> TLV {
        var objects = [try TLV(.applicationIdentifier, hex: aid)]
        if let label { objects.append(TLV(.applicationLabel, [UInt8](label.utf8))) }
        if let priority { objects.append(TLV(.applicationPriority, [priority])) }
        if let kernel { objects.append(try TLV(.kernelIdentifier, hex: kernel)) }
        if let extendedSelection {
            objects.append(try TLV(.extendedSelection, hex: extendedSelection))
        }
        return TLV(.applicationTemplate, objects)
    }

    /// The answer to SELECT PPSE.
    static func directory(_ entries: [TLV]) -> CardAnswer {
        let name = TLV(.dedicatedFileName, [UInt8]("2PAY.SYS.DDF01".utf8))
        let proprietary = TLV(
            .fileControlInformationProprietary,
            [TLV(.issuerDiscretionaryData, entries)]
        )
        return .data(TLV(.fileControlInformation, [name, proprietary]).encoded)
    }

    /// The answer to the final SELECT.
    static func application(_ aid: String, _ proprietary: [TLV]) throws -> CardAnswer {
        let objects = [
            try TLV(.dedicatedFileName, hex: aid),
            TLV(.fileControlInformationProprietary, proprietary),
        ]
        return .data(TLV(.fileControlInformation, objects).encoded)
    }
}
