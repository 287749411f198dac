import BERTLV
import EMVData
import ISO7816

/// Kernel 2, Mastercard contactless, in EMV mode (EMV Book C-2).
///
/// The data objects DF8117 to DF8131 of the combination configure it; one that is missing has the book's default.
/// A card that wants magnetic stripe mode is refused whatever DF811B says about it.
public struct Kernel2: Kernel, Sendable {
    /// Choices where sources about the book disagree.
    public struct Options: Hashable, Sendable {
        /// What a combined signature that does not verify leads to.
        public var failedAuthentication: FailedAuthentication

        /// What a combined signature that does not verify leads to.
        public enum FailedAuthentication: Hashable, Sendable {
            /// Declined, "not authorised". The default.
            case declined
            /// End Application, "insert, swipe or try another card".
            case endApplication
        }

        /// Makes the choices.
        public init(failedAuthentication: FailedAuthentication = .declined) {
            self.failedAuthentication = failedAuthentication
        }
    }

    /// Where the kernel is (EMV Book C-2, 6).
    private enum State: Sendable {
        /// State 1.
        case idle
        /// State 3.
        case waitingForProcessingOptions(Context)
        /// State 4.
        case waitingForRecord(Context, RecordReader)
        /// State 9.
        case waitingForCryptogram(Context, CryptogramRequest)
        /// After the outcome.
        case ended(KernelReport)
    }

    /// The GENERATE AC command that was sent.
    struct CryptogramRequest: Sendable {
        /// What was asked for.
        var kind: CryptogramKind
        /// Whether the answer shall be signed.
        var isCombined: Bool
        /// CDOL1 Related Data (DF8107).
        var cdolValues: [UInt8]
    }

    private var state = State.idle

    /// Creates a kernel that waits for `start`.
    public init() {}

    /// What the kernel knows.
    public var report: KernelReport {
        switch state {
        case .idle: KernelReport()
        case .waitingForProcessingOptions(let context), .waitingForRecord(let context, _),
            .waitingForCryptogram(let context, _):
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
            return receiveProcessingOptions(response, context)
        case (.waitingForRecord(let context, let reader), .response(let response, _)):
            return receiveRecord(response, context, reader, environment)
        case (.waitingForCryptogram(let context, let request), .response(let response, _)):
            return receiveCryptogram(response, context, request, environment)
        case (.waitingForProcessingOptions(let context), .transmissionError(let error)),
            (.waitingForRecord(let context, _), .transmissionError(let error)),
            (.waitingForCryptogram(let context, _), .transmissionError(let error)):
            return finish(context, context.tryAgain(after: error))
        case (.waitingForProcessingOptions(let context), .stop),
            (.waitingForRecord(let context, _), .stop),
            (.waitingForCryptogram(let context, _), .stop):
            return finish(context, context.stopped)
        default:
            preconditionFailure("kernel 2 does not wait for this event")
        }
    }

    /// State 1: reads what SELECT gave and sends GET PROCESSING OPTIONS.
    private mutating func start(_ initial: Context) -> KernelStep {
        var context = initial
        do throws(CardFault) {
            try context.readSelection()
        } catch {
            return finish(context, context.selectNext(ErrorIndication(error)))
        }
        do throws(CardFault) {
            let command = try context.processingOptionsCommand()
            state = .waitingForProcessingOptions(context)
            return KernelStep(.transmit(command))
        } catch {
            return finish(context, context.endApplication(ErrorIndication(error)))
        }
    }

    /// State 3: the profile of the card decides how to go on.
    private mutating func receiveProcessingOptions(
        _ response: ResponseAPDU,
        _ initial: Context
    ) -> KernelStep {
        var context = initial
        guard response.status == .success else {
            return finish(
                context,
                context.selectNext(
                    ErrorIndication(l2: .statusBytes, statusWord: response.status.rawValue)
                )
            )
        }
        do throws(CardFault) {
            let locator = try context.readProcessingOptions(response.body)
            guard context.profile.supportsEMVMode, !context.configuration.isEMVModeUnsupported
            else {
                throw CardFault(l2: .magstripeNotSupported)
            }
            context.prepareEMVMode()
            let reader = try RecordReader(context.activeLocator(locator))
            guard let step = nextRecord(context, reader) else {
                throw .wrong(.applicationFileLocator)
            }
            return step
        } catch {
            return finish(context, context.endApplication(ErrorIndication(error)))
        }
    }

    /// Sends READ RECORD; nil when all records are read.
    private mutating func nextRecord(
        _ context: Context,
        _ reader: RecordReader
    ) -> KernelStep? {
        guard let command = reader.command else { return nil }
        state = .waitingForRecord(context, reader)
        return KernelStep(.transmit(command))
    }

    /// State 4: takes a record, and after the last one decides and sends GENERATE AC.
    private mutating func receiveRecord(
        _ response: ResponseAPDU,
        _ initial: Context,
        _ initialReader: RecordReader,
        _ environment: some KernelEnvironment
    ) -> KernelStep {
        var context = initial
        var reader = initialReader
        guard response.status == .success else {
            return finish(
                context,
                context.endApplication(
                    ErrorIndication(l2: .statusBytes, statusWord: response.status.rawValue)
                )
            )
        }
        do throws(CardFault) {
            try context.store(reader.receive(response.body))
            if let step = nextRecord(context, reader) { return step }
            context.recordStaticData = reader.staticData

            guard context.amount.minorUnits <= context.transactionLimit else {
                let error = ErrorIndication(l2: .maximumLimitExceeded)
                return finish(context, context.selectNext(error))
            }
            let (command, request) = try context.decide(environment)
            state = .waitingForCryptogram(context, request)
            return KernelStep(.transmit(command))
        } catch {
            return finish(context, context.endApplication(ErrorIndication(error)))
        }
    }

    /// State 9: takes the cryptogram and concludes.
    private mutating func receiveCryptogram(
        _ response: ResponseAPDU,
        _ initial: Context,
        _ request: CryptogramRequest,
        _ environment: some KernelEnvironment
    ) -> KernelStep {
        var context = initial
        guard response.status == .success else {
            return finish(
                context,
                context.endApplication(
                    ErrorIndication(l2: .statusBytes, statusWord: response.status.rawValue)
                )
            )
        }
        do throws(CardFault) {
            try context.readCryptogram(response.body, request)
        } catch {
            return finish(context, context.endApplication(ErrorIndication(error)))
        }
        // S9.27: the card may leave before its signature is verified and the issuer asked.
        let cardRead = KernelSignal.userInterface(
            context.message(.clearDisplay, .cardReadSuccessfully)
        )
        let outcome = context.conclude(response.body, request, environment)
        return finish(context, outcome, signals: [cardRead])
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
