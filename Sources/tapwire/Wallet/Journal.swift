import CommandLineKit
import Foundation
import NFCWallet
import Octets
import Synchronization

/// Lines that tell what happens, each with its time; whatever reasons and names have in them, each stays one line.
struct Journal: Sendable {
    /// Whether nothing is told.
    var isQuiet = false
    /// What waits until it is known whether there is anything to tell of; nil where nothing waits.
    var held: HeldLines?

    /// Tells what is shown, before anything happens.
    func head(_ text: String) { write("\(text.escapingControls). Ctrl-C ends.\n") }

    /// Tells something.
    func tell(_ word: String, _ text: String) {
        let time = Console.output.styled(Self.now, .dim)
        let padding = String(repeating: " ", count: max(1, 10 - word.count))
        write("\(time)  \(word)\(padding)\(text.escapingControls)\n")
    }

    private func write(_ text: String) {
        guard !isQuiet, held.map({ !$0.hold(text) }) ?? true else { return }
        Console.output.write(text)
    }

    /// Tells an event of a session; those that every session has are left out.
    func tell(_ event: ContactlessPaymentSession.Event) {
        switch event {
        case .authenticationRequired, .authenticationCompleted: break
        case .posConnected: tell("reader", "connected")
        case .posDisconnected: tell("reader", "left before the card had paid")
        case .transactionCompleted(let context): tell("paid", context.text)
        // Nobody came, or somebody wants the end: the next session, or no other one, follows.
        case .errorEncountered(.maxSessionDurationReached), .errorEncountered(.cancelled): break
        case .errorEncountered(let error): tell("no tap", error.text)
        }
    }

    /// The time of day to the millisecond.
    private static var now: String {
        let seconds = Date().timeIntervalSince1970
        let whole = seconds.rounded(.down)
        let milliseconds = String(1000 + Int((seconds - whole) * 1000)).suffix(3)
        return "\(LocalTime(secondsSince1970: Int64(whole)).timeText).\(milliseconds)"
    }
}

/// Lines that are told later, or never.
final class HeldLines: Sendable {
    /// The lines; nil once they were told.
    private let lines = Mutex<[String]?>([])

    /// Whether lines are told at once.
    var isReleased: Bool { lines.withLock { $0 == nil } }

    /// Keeps a line; false, and the line is not kept, once lines are told at once.
    func hold(_ line: String) -> Bool {
        lines.withLock { lines in
            lines?.append(line)
            return lines != nil
        }
    }

    /// Tells the lines, and those that follow at once.
    func release() {
        lines.withLock { lines in
            for line in lines ?? [] { Console.output.write(line) }
            lines = nil
        }
    }
}

extension TransactionContext {
    /// The payment in one line.
    var text: String {
        let kind =
            switch status {
            case .requestedOnline: "ARQC"
            case .approvedOffline: "TC"
            case .declined: "AAC"
            }
        let sum = amount.map { "  \($0)" } ?? ""
        return "\(kind), \(status.text)  ATC \(transactionCounter.hex)\(sum)"
    }
}

extension PaymentError {
    /// Why there was no payment, for people.
    var text: String {
        switch self {
        case .cancelled: "the payment was cancelled"
        case .posNotSupported: "the reader selected no application of the card"
        case .apduFailure: "the card refused a command of the payment"
        case .noPaymentKeys:
            "no payment keys are left, or broken taps and other sessions have them; "
                + "tapwire wallet replenish fetches more"
        case .noDefaultCard:
            "no card was named and none is the default one; tapwire wallet default sets it"
        case .invalidDigitalCardID: "the wallet has no such card any more; see tapwire wallet list"
        case .cardNotActive:
            "the card is not active: it waits to be activated, is suspended, or was deleted"
        case .cardNotSupported:
            "the card cannot pay contactless: what the server gave makes no card; delete it and add it anew"
        case .schemeNotSupported:
            "the app does not pay with cards of this scheme; choose another card"
        case .maxSessionDurationReached: "no reader came within 60 s; pay again"
        case .keychainError: "the wallet's file cannot be read or written"
        case .setDefaultCardFailure:
            "the card did not become the default one: the wallet's file cannot be read or written"
        case .sessionInvalidated: "another session has taken the field"
        case .transmissionError: "the link to the reader failed"
        case .authenticationExpired: "the user authenticated too long ago; pay again"
        case .authenticationFailed: "the user did not authenticate; pay again"
        case .biometricNotEnrolled: "no face or finger is enrolled on the device"
        case .authenticationKeyInvalidated:
            "the device's passcode was changed, so the wallet has dropped its cards; add them anew"
        case .nfcPermissionNotAccepted: "the radio may not be used; allow it"
        case .systemEligibilityFailed: "the device, or its owner, may not pay contactless"
        case .deviceEnvironmentUnsafe: "the device has been tampered with"
        case .unknown: "the radio gave up and did not say why; try again"
        }
    }
}
