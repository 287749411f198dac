import BERTLV
import EMVData
import ISO7816
import Octets
import TerminalKernels
import Testing

/// A card in a test: a command in, an answer or a failure of the field out.
protocol TestCard {
    mutating func answer(_ command: [UInt8]) -> Result<[UInt8], FieldFailure>
}

/// The card did not answer.
struct FieldFailure: Error {
    var error: L1Error
}

/// What came of a tap.
struct Tap {
    var conclusion: Conclusion
    /// Every message shown, in order.
    var messages: [UserInterfaceRequest] = []
    /// Every command sent, in order.
    var commands: [[UInt8]] = []
    /// How long the field was off, each time.
    var fieldOffTimes: [Duration] = []

    var outcome: Outcome { conclusion.outcome }

    /// What the last kernel learnt about an object, as hexadecimal text.
    func value(_ tag: BERTLV.Tag) -> String? {
        conclusion.attempts.last?.report.dataObjects[tag]?.hex
    }

    var authentication: OfflineDataAuthentication? {
        conclusion.attempts.last?.report.authentication
    }

    /// The identifiers of the messages shown, in order.
    var messageIdentifiers: [UserInterfaceRequest.Message] { messages.map(\.message) }
}

/// Runs a whole transaction between a reader and a card.
///
/// Every event but `stop` is played here, so that each test says only what is special about it.
enum TestReader {
    /// More commands than any transaction needs: a test that reaches it has found an endless loop.
    static let maximumStepCount = 2000

    static func tap(
        _ card: inout some TestCard,
        configuration: ReaderConfiguration,
        transaction: Transaction,
        environment initial: TestEnvironment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Tap {
        var environment = initial
        var reader = EntryPoint(configuration: configuration, transaction: transaction)
        var tap = Tap(conclusion: Conclusion(outcome: Outcome(.endApplication)))
        var event = ReaderEvent.start
        for _ in 0..<maximumStepCount {
            let step = reader.handle(event, environment: &environment)
            for case .userInterface(let request) in step.signals { tap.messages.append(request) }
            switch step.action {
            case .awaitCard: event = .cardPresent
            case .wait: event = .timer
            case .fieldOff(let duration):
                tap.fieldOffTimes.append(duration)
                event = .timer
            case .transmit(let command):
                tap.commands.append(command.bytes)
                switch card.answer(command.bytes) {
                case .success(let bytes):
                    event = .response(try ResponseAPDU(parsing: bytes), elapsed: .milliseconds(1))
                case .failure(let failure): event = .transmissionError(failure.error)
                }
            case .finish(let conclusion):
                tap.conclusion = conclusion
                return tap
            }
        }
        Issue.record("the transaction never ends", sourceLocation: sourceLocation)
        return tap
    }
}
