/// The escape commands of an ACR122U that are needed to make it a card (API manual, 6).
package enum ACR122UCommand: Hashable, Sendable {
    /// What firmware it has; answered with ten characters and no status.
    case firmware
    /// The reader waits for its chip no longer than five seconds, the unit of the parameter.
    ///
    /// With 00 or FF it waits without end, which looks right for a card: no terminal comes for long. But pcscd sends a reader
    /// one command at a time and cancels none. Its driver gives up after half a minute (libccid); the reader is still busy
    /// then, also for whoever uses it after us, until a terminal comes or it is unplugged. So it is armed again and again.
    case chipTimeout
    /// Whether the reader looks for cards by itself; answered with 90 and the setting.
    case polling(Bool)
    /// A command for the chip, which answers with its own bytes and 9000.
    case chip(PN532Command)

    /// The whole command.
    package var bytes: [UInt8] {
        switch self {
        case .firmware: [0xFF, 0x00, 0x48, 0x00, 0x00]
        case .chipTimeout: [0xFF, 0x00, 0x41, 0x01, 0x00]
        case .polling(let isOn): [0xFF, 0x00, 0x51, isOn ? 0xFF : 0x00, 0x00]
        case .chip(let command): Self.wrap(command.bytes)
        }
    }

    private static func wrap(_ bytes: [UInt8]) -> [UInt8] {
        precondition(bytes.count <= 255, "a chip command has one length byte")
        return [0xFF, 0x00, 0x00, 0x00, UInt8(bytes.count)] + bytes
    }

    /// Reads the answer.
    package func answer(_ bytes: [UInt8]) -> Answer {
        switch self {
        case .firmware: return .result(bytes)
        case .chipTimeout: return bytes == [0x90, 0x00] ? .result([]) : .other
        // Older firmware does not know it, and does not look by itself.
        case .polling: return .result([])
        case .chip(let command):
            // 63xx, or nothing at all: the chip has not answered.
            guard !bytes.isEmpty, bytes.first != 0x63 else { return .silence }
            guard bytes.suffix(2) == [0x90, 0x00], let result = command.result(bytes.dropLast(2))
            else { return .other }
            return .result(result)
        }
    }

    /// What an answer is.
    package enum Answer: Hashable, Sendable {
        /// The command was carried out.
        case result([UInt8])
        /// The chip did not answer in the reader's own time.
        case silence
        /// Something that is no answer to the command.
        case other
    }
}
