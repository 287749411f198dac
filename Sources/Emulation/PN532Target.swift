/// A PN532 in an ACR122U that acts as a card, as a state machine: answers go in, the next thing to do comes out.
///
/// It knows nothing of readers, clocks and cards. Each action has one event that ends it.
package struct PN532Target {
    /// What has happened.
    package enum Event: Hashable, Sendable {
        /// The reader is connected; also begins anew.
        case start
        /// What came back for an escape command.
        case answer([UInt8])
        /// The driver gave up waiting for the answer to an escape command that waits for somebody.
        case nobody
        /// The card's response.
        case response([UInt8])
        /// What was asked for by any other action is done.
        case done
    }

    /// What is to be done.
    package enum Action: Hashable, Sendable {
        /// Send an escape command.
        case send([UInt8])
        /// Send an escape command that is answered when a terminal comes; only with a card to show.
        case awaitTerminal([UInt8])
        /// Send an escape command that is answered when the terminal says something.
        case awaitCommand([UInt8])
        /// Let the card answer this command.
        case respond([UInt8])
        /// Tell the card that its response is on its way.
        case responseSent
        /// Tell the card that the field is gone.
        case fieldOff
        /// Let some time pass.
        case pause
        /// Give up.
        case end(PN532Fault)

        /// Whether it waits for somebody; before it nothing is under way.
        var isWait: Bool {
            switch self {
            case .awaitTerminal, .awaitCommand, .pause: true
            default: false
            }
        }
    }

    private let identity: PN532Identity
    private var state = State.idle

    private enum State {
        case idle
        case settingUp(ACR122UCommand, then: [ACR122UCommand])
        case awaitingTerminal
        /// With the parts of a command that have come.
        case awaitingCommand([UInt8])
        case responding
        /// With the parts of a response that have not gone.
        case sending(ACR122UCommand, then: ArraySlice<ACR122UCommand>)
        case telling
        case released
    }

    /// The longest command that is gathered: an extended header, 65535 bytes and Le.
    package static let maximumCommandCount = 65544

    /// Begins with nothing known about the reader.
    package init(_ identity: PN532Identity) { self.identity = identity }

    /// What makes the reader an ordinary one again: any command of the chip ends its waiting for a terminal.
    package static let release: [[UInt8]] = [
        ACR122UCommand.chip(.initialParameters).bytes, ACR122UCommand.polling(true).bytes,
    ]

    /// Takes an event that ends the last action, and gives the next one.
    package mutating func handle(_ event: Event) -> Action {
        switch (event, state) {
        case (.start, _):
            return setUp([.firmware, .chipTimeout, .polling(false), .chip(Self.registersRead)])
        case (.answer(let bytes), .settingUp(let command, let rest)):
            guard case .result(let result) = command.answer(bytes) else {
                return end(.refused(command, bytes))
            }
            return settled(command, result, rest, bytes)
        case (.answer(let bytes), .awaitingTerminal): return terminal(bytes)
        case (.answer(let bytes), .awaitingCommand(let parts)): return received(bytes, parts)
        case (.answer(let bytes), .sending(let command, let rest)):
            return sent(bytes, command, rest)
        case (.nobody, .awaitingTerminal): return awaitTerminal()
        case (.nobody, .awaitingCommand): return release()
        case (.response(let response), .responding):
            let parts = Self.parts(of: response)
            return send(parts[0], then: parts.dropFirst())
        case (.done, .telling): return awaitCommand([])
        case (.done, .released): return awaitTerminal()
        default: preconditionFailure("the event does not end the last action")
        }
    }
}

// MARK: Setting up

extension PN532Target {
    /// CIU_TxAuto, CIU_ManualRCV and CIU_Status2.
    private static let registersRead = PN532Command.readRegisters([0x6305, 0x630D, 0x6338])

    private mutating func setUp(_ commands: [ACR122UCommand]) -> Action {
        state = .settingUp(commands[0], then: Array(commands.dropFirst()))
        return .send(commands[0].bytes)
    }

    private mutating func settled(
        _ command: ACR122UCommand,
        _ result: [UInt8],
        _ rest: [ACR122UCommand],
        _ bytes: [UInt8]
    ) -> Action {
        switch command {
        case .firmware where !result.starts(with: "ACR122".utf8):
            return end(.otherReader(firmware: bytes))
        case .chip(.readRegisters):
            guard result.count == 3 else { return end(.refused(command, bytes)) }
            // CRCs on both ways; the field on by itself; parity; no MIFARE Classic encryption.
            let values = [
                PN532RegisterValue(0x6302, 0x80), PN532RegisterValue(0x6303, 0x80),
                PN532RegisterValue(0x6305, result[0] | 0x04),
                PN532RegisterValue(0x630D, result[1] & ~0x10),
                PN532RegisterValue(0x6338, result[2] & ~0x08),
            ]
            return setUp([.chip(.writeRegisters(values)), .chip(.picc)])
        default: return rest.isEmpty ? awaitTerminal() : setUp(rest)
        }
    }

    private mutating func end(_ fault: PN532Fault) -> Action {
        state = .idle
        return .end(fault)
    }
}

// MARK: A terminal

extension PN532Target {
    private var initialization: ACR122UCommand { .chip(.initAsTarget(identity)) }

    private mutating func awaitTerminal() -> Action {
        state = .awaitingTerminal
        return .awaitTerminal(initialization.bytes)
    }

    /// A terminal has come, or the reader's own time is over.
    private mutating func terminal(_ bytes: [UInt8]) -> Action {
        switch initialization.answer(bytes) {
        // The mode has bit 08 where it was activated as ISO/IEC 14443-4 PICC; the chip has answered RATS.
        case .result(let result) where (result.first ?? 0) & 0x08 != 0: return awaitCommand([])
        case .result(let result) where !result.isEmpty: return pause()
        case .silence: return pause()
        case .result, .other: return end(.refused(initialization, bytes))
        }
    }

    private mutating func pause() -> Action {
        state = .released
        return .pause
    }

    private mutating func awaitCommand(_ parts: [UInt8]) -> Action {
        state = .awaitingCommand(parts)
        return .awaitCommand(ACR122UCommand.chip(.getData).bytes)
    }

    private mutating func release() -> Action {
        state = .released
        return .fieldOff
    }

    private mutating func received(_ bytes: [UInt8], _ parts: [UInt8]) -> Action {
        switch ACR122UCommand.chip(.getData).answer(bytes) {
        case .silence: return release()
        case .other: return end(.refused(.chip(.getData), bytes))
        case .result(let result):
            guard let first = result.first else { return end(.refused(.chip(.getData), bytes)) }
            let status = PN532Status(rawValue: first)
            let command = parts + result.dropFirst()
            guard status.isSuccess, command.count <= Self.maximumCommandCount else {
                return release()
            }
            if status.hasMore { return awaitCommand(command) }
            // A block without contents is only a sign that the terminal is there.
            guard !command.isEmpty else { return awaitCommand([]) }
            state = .responding
            return .respond(command)
        }
    }
}

// MARK: A response

extension PN532Target {
    /// Splits a response into commands: all but the last say that more follows.
    private static func parts(of response: [UInt8]) -> [ACR122UCommand] {
        let size = PN532Command.maximumDataCount
        var starts = Array(stride(from: 0, to: response.count, by: size))
        let last = starts.popLast() ?? 0
        return starts.map { .chip(.setMetaData(Array(response[$0..<$0 + size]))) }
            + [.chip(.setData(Array(response[last...])))]
    }

    private mutating func send(
        _ command: ACR122UCommand,
        then rest: ArraySlice<ACR122UCommand>
    ) -> Action {
        state = .sending(command, then: rest)
        return .send(command.bytes)
    }

    private mutating func sent(
        _ bytes: [UInt8],
        _ command: ACR122UCommand,
        _ rest: ArraySlice<ACR122UCommand>
    ) -> Action {
        switch command.answer(bytes) {
        case .silence: return release()
        case .other: return end(.refused(command, bytes))
        case .result(let result):
            guard let first = result.first else { return end(.refused(command, bytes)) }
            guard PN532Status(rawValue: first).isSuccess else { return release() }
            if let next = rest.first { return send(next, then: rest.dropFirst()) }
            state = .telling
            return .responseSent
        }
    }
}

/// The status byte of a PN532's answer (user manual, 7.1).
package struct PN532Status: RawRepresentable, Hashable, Sendable {
    /// The byte.
    package var rawValue: UInt8
    /// Wraps any byte.
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The terminal is silent (01).
    package static let timeout = PN532Status(rawValue: 0x01)
    /// The terminal's field is not there in time (0A).
    package static let fieldTimeout = PN532Status(rawValue: 0x0A)
    /// The chip is not in a state for the command (25).
    package static let invalidState = PN532Status(rawValue: 0x25)
    /// The command does not fit now (27).
    package static let notAcceptable = PN532Status(rawValue: 0x27)
    /// The terminal has let go of the target (29).
    package static let released = PN532Status(rawValue: 0x29)

    /// Whether all went well; the other bits say something about the data.
    package var isSuccess: Bool { rawValue & 0x3F == 0 }
    /// Whether the terminal's command goes on in the next answer.
    package var hasMore: Bool { rawValue & 0x40 != 0 }
}

/// Why a reader does not act as a card.
package enum PN532Fault: Error, Hashable, Sendable {
    /// It is no ACR122U.
    case otherReader(firmware: [UInt8])
    /// It answered a command with something else than its manual says.
    case refused(ACR122UCommand, [UInt8])
}
