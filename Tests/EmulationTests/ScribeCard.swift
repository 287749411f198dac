import NFCWallet
import Synchronization

/// A card that writes down what it is told, and answers with the command and 9000.
final class ScribeCard: EmulatedCard {
    private let lines = Mutex<[String]>([])
    private let action = Mutex<(@Sendable (String) -> Void)?>(nil)

    private let stays = Mutex(true)

    /// Wants to be shown no more from the next end of a field on.
    func leave() { stays.withLock { $0 = false } }

    /// What the card was told, in order.
    var told: [String] { lines.withLock { $0 } }

    /// Does something whenever the card is told something.
    func whenever(_ action: @escaping @Sendable (String) -> Void) {
        self.action.withLock { $0 = action }
    }

    private func note(_ line: String) {
        lines.withLock { $0.append(line) }
        action.withLock { $0 }?(line)
    }

    func fieldOn() { note("on") }
    func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>) {
        for index in command.indices { response.append(command[index]) }
        response.append(0x90)
        response.append(0x00)
        note("command")
    }
    func responseSent() { note("sent") }
    func fieldOff() -> Bool {
        note("off")
        return stays.withLock { $0 }
    }
}
