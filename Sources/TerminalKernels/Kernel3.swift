import BERTLV
import EMVData
import ISO7816

/// Kernel 3, Visa contactless, quick VSDC (EMV Book C-3).
///
/// The card decides in its answer to GET PROCESSING OPTIONS; the kernel reads what it needs to check that.
public struct Kernel3: Kernel, Sendable {
    /// Choices the book leaves to the reader, and those where sources about it disagree.
    public struct Options: Hashable, Sendable {
        /// What 6986 to GET PROCESSING OPTIONS leads to.
        public var conditionsNotMet: ConditionsNotMet
        /// What a status word without meaning of its own leads to.
        public var unknownStatusWord: UnknownStatusWord
        /// Whether a card may prove to be genuine without 9F69, or with its version 00, over 9F37 alone.
        public var acceptsLegacyDynamicData: Bool
        /// Whether usage control is checked for cash and manual cash.
        public var checksUsageForCash: Bool
        /// Whether usage control is checked for cashback.
        public var checksUsageForCashback: Bool
        /// Whether cards are authenticated for online authorisations too, as transit readers do.
        public var authenticatesForOnline: Bool

        /// What 6986 to GET PROCESSING OPTIONS leads to.
        public enum ConditionsNotMet: Hashable, Sendable {
            /// Try Again, "see phone". The default (5.2.2.2).
            case tryAgain
            /// End Application.
            case endApplication
        }

        /// What a status word without meaning of its own leads to.
        public enum UnknownStatusWord: Hashable, Sendable {
            /// End Application. The default.
            case endApplication
            /// Select Next.
            case selectNext
        }

        /// Makes the choices.
        public init(
            conditionsNotMet: ConditionsNotMet = .tryAgain,
            unknownStatusWord: UnknownStatusWord = .endApplication,
            acceptsLegacyDynamicData: Bool = true,
            checksUsageForCash: Bool = false,
            checksUsageForCashback: Bool = false,
            authenticatesForOnline: Bool = false
        ) {
            self.conditionsNotMet = conditionsNotMet
            self.unknownStatusWord = unknownStatusWord
            self.acceptsLegacyDynamicData = acceptsLegacyDynamicData
            self.checksUsageForCash = checksUsageForCash
            self.checksUsageForCashback = checksUsageForCashback
            self.authenticatesForOnline = authenticatesForOnline
        }
    }

    /// Where the kernel is.
    private enum State: Sendable {
        case idle
        case waitingForProcessingOptions(Context)
        case waitingForRecord(Context, RecordReader)
        case ended(KernelReport)
    }

    private var state = State.idle

    /// Creates a kernel that waits for `start`.
    public init() {}

    /// What the kernel knows.
    public var report: KernelReport {
        switch state {
        case .idle: KernelReport()
        case .waitingForProcessingOptions(let context), .waitingForRecord(let context, _):
            context.report
        case .ended(let report): report
        }
    }

    /// Takes what happened and says what to do next.
    ///
    /// An event the state does not wait for, and any event after the end, is a mistake of the caller's and traps;
    /// `stop` is taken at any time before the end.
    public mutating func handle(
        _ event: KernelEvent,
        environment: inout some KernelEnvironment
    ) -> KernelStep {
        switch (state, event) {
        case (.idle, .start(let activation)):
            return start(
                Context(activation, unpredictableNumber: environment.unpredictableNumber())
            )
        case (.waitingForProcessingOptions(let context), .response(let response, _)):
            return receiveProcessingOptions(response, context, environment)
        case (.waitingForRecord(let context, let reader), .response(let response, _)):
            return receiveRecord(response, context, reader, environment)
        case (.waitingForProcessingOptions(let context), .transmissionError(let error)),
            (.waitingForRecord(let context, _), .transmissionError(let error)):
            return finish(context, context.tryAgain(after: error))
        case (.waitingForProcessingOptions(let context), .stop),
            (.waitingForRecord(let context, _), .stop):
            return finish(context, context.stopped)
        default:
            preconditionFailure("kernel 3 does not wait for this event")
        }
    }

    /// Reads what SELECT gave and sends GET PROCESSING OPTIONS (5.2).
    private mutating func start(_ initial: Context) -> KernelStep {
        var context = initial
        do throws(CardFault) {
            try context.readSelection()
            let command = try context.processingOptionsCommand()
            state = .waitingForProcessingOptions(context)
            return KernelStep(.transmit(command))
        } catch {
            return finish(context, context.endApplication(ErrorIndication(error)))
        }
    }

    /// Takes the card's decision and, where it has records, reads them (5.2.2, 5.3).
    private mutating func receiveProcessingOptions(
        _ response: ResponseAPDU,
        _ initial: Context,
        _ environment: some KernelEnvironment
    ) -> KernelStep {
        var context = initial
        guard response.status == .success else {
            return finish(context, context.outcome(of: response.status))
        }
        do throws(CardFault) {
            let template = try CardResponse.template(
                response.body,
                .responseTemplate2,
                .responseTemplate1
            )
            try context.store(CardResponse.processingOptions(template))
            guard let locator = context.database.cardValue(.applicationFileLocator) else {
                return conclude(context, environment)
            }
            let reader = try RecordReader(locator)
            return nextRecord(context, reader) ?? conclude(context, environment)
        } catch {
            return finish(context, context.endApplication(ErrorIndication(error)))
        }
    }

    /// Sends READ RECORD; nil when all records are read.
    private mutating func nextRecord(_ context: Context, _ reader: RecordReader) -> KernelStep? {
        guard let command = reader.command else { return nil }
        state = .waitingForRecord(context, reader)
        return KernelStep(.transmit(command))
    }

    /// Takes a record (5.4).
    private mutating func receiveRecord(
        _ response: ResponseAPDU,
        _ initial: Context,
        _ initialReader: RecordReader,
        _ environment: some KernelEnvironment
    ) -> KernelStep {
        var context = initial
        var reader = initialReader
        guard response.status == .success else {
            let error = ErrorIndication(l2: .statusBytes, statusWord: response.status.rawValue)
            return finish(context, context.endApplication(error))
        }
        do throws(CardFault) {
            try context.store(reader.receive(response.body))
        } catch {
            return finish(context, context.endApplication(ErrorIndication(error)))
        }
        context.recordStaticData = reader.staticData
        return nextRecord(context, reader) ?? conclude(context, environment)
    }

    /// Everything is read: the card may leave, and the reader decides.
    private mutating func conclude(
        _ initial: Context,
        _ environment: some KernelEnvironment
    ) -> KernelStep {
        var context = initial
        let cardRead = KernelSignal.userInterface(
            UserInterfaceRequest(.cardReadOK, .cardReadSuccessfully)
        )
        do throws(CardFault) {
            let outcome = try context.conclude(environment)
            return finish(context, outcome, signals: [cardRead])
        } catch {
            let outcome = context.endApplication(ErrorIndication(error))
            return finish(context, outcome, signals: [cardRead])
        }
    }

    private mutating func finish(
        _ context: Context,
        _ outcome: Outcome,
        signals: [KernelSignal] = []
    ) -> KernelStep {
        state = .ended(context.report)
        return KernelStep(.finish(outcome), signals: signals)
    }
}
