import CommandLineKit
import PCSC
import Synchronization
import Transport

/// What the commands on PC/SC readers share.
enum PCSCSupport {
    /// Does something with PC/SC; its errors become sentences for people.
    static func attempt<Value: ~Copyable>(
        _ body: () throws(PCSCError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(PCSCError) { return try body() } catch { throw CommandFailure(error) }
    }

    /// How pcscd is started.
    static let startHint =
        "start it with “systemctl start pcscd.socket” or, as root, “pcscd”; "
        + "on Debian it is in the package pcscd"
    /// What helps where a reader or pcscd hangs.
    static let hangHint = "unplug the reader and plug it in again, or restart pcscd"
    /// How a virtual reader comes about.
    static let vpcdHint =
        "the virtual reader is vsmartcard's vpcd inside pcscd: install pcscd and vsmartcard-vpcd, then "
        + "start pcscd with “systemctl start pcscd.socket” or, as root, “pcscd”"
}

extension CommandFailure {
    /// Says what PC/SC said, and how to start the service where it does not run.
    init(_ error: PCSCError) {
        let hint: String? =
            switch error {
            case .waitedTooLong: PCSCSupport.hangHint
            case _ where error.isServiceLost: PCSCSupport.startHint
            default: nil
            }
        self.init(.unavailable, ["\(error)", hint].compactMap(\.self).joined(separator: "; "))
    }

    /// Says why a card does not answer any more.
    init(_ error: TransportError) {
        switch error {
        case .reader(let code): self.init(PCSCError(rawValue: code))
        default: self.init(.failure, error.text)
        }
    }
}

/// Keeps pcscd running, where systemd starts it on demand and it ends when nobody talks to it.
final class PCSCWaker: Sendable {
    private let isLocal: Bool
    private let context = Mutex<PCSCContext?>(nil)

    init(isLocal: Bool) { self.isLocal = isLocal }

    /// Opens a session, which wakes the service; what becomes of it does not matter here.
    func wake() {
        guard isLocal else { return }
        context.withLock { context in
            context = nil
            context = try? PCSCContext()
        }
    }
}
