import CommandLineKit
import EMVData
import TerminalKernels
import VirtualPOS

/// What `tapwire tap` has to show.
struct TapRun {
    /// What became of the tap.
    var report: TapReport
    /// What paid, for people.
    var cardName: String
    /// Whether the card's numbers are published test numbers.
    var isPublic: Bool
    /// What the wallet's session told, in order.
    var walletEvents: [String] = []
    /// What people should know beside.
    var notes: [String] = []
    /// Where the time would go over the radio; nil for a card that was in a reader's field anyway.
    var timeline: TapTimeline?
    /// Whether a recorded card was asked all it was asked when it was recorded; true for any other card.
    var isComplete = true

    /// The exit code.
    var exitCode: ExitCode {
        guard isComplete else { return .failure }
        return switch report.result {
        case .approvedOffline, .approvedOnline: .success
        case .declinedOffline, .declinedOnline, .ended: .failure
        case .unanswered: .unanswered
        }
    }
}
