import BERTLV
import EMVData
import ISO7816

/// The part of a reader that finds the application and the kernel for a card, and acts on what the kernel concludes.
///
/// EMV Book B. It is a value: events in, steps out. It never loops on its own, and `maximumRestarts` bounds how often
/// it asks for the card again.
public struct EntryPoint: Sendable {
    /// Where the entry point is.
    private enum State: Sendable {
        case idle
        case waitingForCard
        /// The field is off; then the start follows.
        case waitingForTimer(Outcome.Start)
        case selectingDirectory
        /// Final selection of the first candidate.
        case selectingApplication([Candidate])
        /// The kernel of the first candidate runs.
        case running(RunningKernel, [Candidate], KernelActivation)
        case finished
    }

    private let configuration: ReaderConfiguration
    private let transaction: Transaction
    private var state = State.idle
    private var indicators: [Int: EntryPointIndicators] = [:]
    /// What every kernel that ran so far concluded, first to last.
    public private(set) var attempts: [Conclusion.Attempt] = []
    private var restartCount = 0
    private var restartMessage: UserInterfaceRequest?
    /// What the kernel that ran last was activated with, for Start D.
    private var lastActivation: (activation: KernelActivation, candidates: [Candidate])?

    /// Creates an entry point for one transaction; it waits for `start`.
    public init(configuration: ReaderConfiguration, transaction: Transaction) {
        self.configuration = configuration
        self.transaction = transaction
    }

    /// Takes what happened and says what to do next.
    ///
    /// An event the last step did not ask for is a mistake of the caller's and traps; `stop` is taken at any time
    /// before the end.
    public mutating func handle(
        _ event: ReaderEvent,
        environment: inout some KernelEnvironment
    ) -> ReaderStep {
        switch (state, event) {
        case (.finished, _):
            preconditionFailure("the transaction is over")
        case (.idle, .start):
            return start(at: .a, &environment)
        case (.running(let kernel, let candidates, let activation), _):
            return run(kernel, event, candidates, activation, &environment)
        case (_, .stop):
            return stop()
        case (.waitingForCard, .cardPresent):
            return start(at: .c, &environment)
        case (.waitingForCard, .collision):
            return awaitCard(UserInterfaceRequest(.oneCardOnly, .collision))
        case (.waitingForTimer(let start), .timer):
            return self.start(at: start, &environment)
        case (.selectingDirectory, .response(let response, _)):
            return receiveDirectory(response)
        case (.selectingApplication(let candidates), .response(let response, _)):
            return receiveSelection(response, candidates, &environment)
        case (.selectingDirectory, .transmissionError(let error)),
            (.selectingApplication, .transmissionError(let error)):
            return restart(after: error, &environment)
        default:
            preconditionFailure("the entry point does not wait for this event")
        }
    }
}

// MARK: - Starts

extension EntryPoint {
    /// Goes on from one of the four starting points (EMV Book B, 2.2).
    private mutating func start(
        at start: Outcome.Start,
        _ environment: inout some KernelEnvironment
    ) -> ReaderStep {
        switch start {
        case .a:
            preprocess()
            guard !allowedCombinations.isEmpty else { return tryAnotherInterface() }
            return awaitCard(UserInterfaceRequest(.presentCard, .readyToRead))
        case .b:
            let message = restartMessage ?? UserInterfaceRequest(.presentCard, .readyToRead)
            restartMessage = nil
            return awaitCard(message)
        case .c:
            state = .selectingDirectory
            return ReaderStep(.transmit(.select(PaymentDirectory.name)))
        case .d:
            guard let (activation, candidates) = lastActivation else {
                preconditionFailure("no kernel was activated before")
            }
            return activate(activation, candidates, &environment)
        }
    }

    /// Works out what each combination allows (3.1.1).
    private mutating func preprocess() {
        for (index, combination) in configuration.combinations.enumerated()
        where combination.transactionTypes.contains(transaction.type) {
            indicators[index] = EntryPointIndicators(
                combination,
                amount: transaction.amount,
                floorLimitComparison: configuration.floorLimitComparison
            )
        }
    }

    /// The combinations that pre-processing left.
    private var allowedCombinations: [(index: Int, combination: Combination)] {
        configuration.combinations.enumerated()
            .filter { indicators[$0.offset]?.isNotAllowed == false }
            .map { (index: $0.offset, combination: $0.element) }
    }

    private mutating func awaitCard(_ message: UserInterfaceRequest) -> ReaderStep {
        state = .waitingForCard
        return ReaderStep(.awaitCard, signals: [.userInterface(message)])
    }
}

// MARK: - Combination selection

extension EntryPoint {
    /// Builds the candidate list from the card's directory (3.3.2).
    private mutating func receiveDirectory(_ response: ResponseAPDU) -> ReaderStep {
        guard response.status == .success else {
            let status = response.status.rawValue
            return endApplication(ErrorIndication(l2: .noPPSE, statusWord: status))
        }
        guard let directory = try? PaymentDirectory(response.body) else {
            return endApplication(ErrorIndication(l2: .ppseFault))
        }
        return select(Candidate.list(directory.entries, allowedCombinations))
    }

    /// Selects the first candidate (3.3.3).
    private mutating func select(_ candidates: [Candidate]) -> ReaderStep {
        guard let candidate = candidates.first else {
            return endApplication(ErrorIndication(l2: .emptyCandidateList))
        }
        state = .selectingApplication(candidates)
        var name = candidate.entry.applicationIdentifier.bytes
        let extended = name + candidate.entry.extendedSelection
        let combination = configuration.combinations[candidate.combination]
        if combination.supportsExtendedSelection, extended.count <= 16 { name = extended }
        return ReaderStep(.transmit(.select(name)))
    }

    /// Activates the kernel for the selected application, or goes on to the next candidate.
    private mutating func receiveSelection(
        _ response: ResponseAPDU,
        _ candidates: [Candidate],
        _ environment: inout some KernelEnvironment
    ) -> ReaderStep {
        let candidate = candidates[0]
        let name = candidate.entry.applicationIdentifier
        guard response.status == .success, isUsable(response.body, of: name) else {
            return select(Array(candidates.dropFirst()))
        }
        let activation = KernelActivation(
            fileControlInformation: response.body,
            applicationIdentifier: name,
            combination: configuration.combinations[candidate.combination],
            indicators: indicators[candidate.combination] ?? EntryPointIndicators(),
            transaction: transaction,
            terminalData: configuration.terminalData
        )
        return activate(activation, candidates, &environment)
    }

    /// Whether a Visa card asks for the reader's qualifiers; one that does not is of an older kind (3.3.3.6).
    private func isUsable(_ body: [UInt8], of name: ApplicationIdentifier) -> Bool {
        guard name.rid == ApplicationIdentifier.visaRID else { return true }
        guard let template = try? CardResponse.template(body, .fileControlInformation),
            let list = template.child(.fileControlInformationProprietary)?
                .child(.processingOptionsList),
            let parsed = try? DataObjectList(parsing: list.value)
        else { return false }
        return parsed.contains(.terminalTransactionQualifiers)
    }
}

// MARK: - Kernel

extension EntryPoint {
    private mutating func activate(
        _ activation: KernelActivation,
        _ candidates: [Candidate],
        _ environment: inout some KernelEnvironment
    ) -> ReaderStep {
        guard let kernel = RunningKernel(activation.combination.kernelIdentifier) else {
            return select(Array(candidates.dropFirst()))
        }
        lastActivation = (activation, candidates)
        return step(kernel, .start(activation), candidates, activation, &environment)
    }

    /// Passes an event to the kernel.
    private mutating func run(
        _ kernel: RunningKernel,
        _ event: ReaderEvent,
        _ candidates: [Candidate],
        _ activation: KernelActivation,
        _ environment: inout some KernelEnvironment
    ) -> ReaderStep {
        let kernelEvent: KernelEvent
        switch event {
        case .response(let response, let elapsed):
            kernelEvent = .response(response, elapsed: elapsed)
        case .transmissionError(let error): kernelEvent = .transmissionError(error)
        case .timer: kernelEvent = .timer
        case .terminalData(let data): kernelEvent = .terminalData(data)
        case .stop: kernelEvent = .stop
        case .start, .cardPresent, .collision:
            preconditionFailure("a kernel does not wait for this event")
        }
        return step(kernel, kernelEvent, candidates, activation, &environment)
    }

    private mutating func step(
        _ initial: RunningKernel,
        _ event: KernelEvent,
        _ candidates: [Candidate],
        _ activation: KernelActivation,
        _ environment: inout some KernelEnvironment
    ) -> ReaderStep {
        var kernel = initial
        let step = kernel.handle(event, environment: &environment)
        state = .running(kernel, candidates, activation)
        switch step.action {
        case .transmit(let command): return ReaderStep(.transmit(command), signals: step.signals)
        case .wait(let duration): return ReaderStep(.wait(duration), signals: step.signals)
        case .finish(let outcome):
            attempts.append(
                Conclusion.Attempt(
                    applicationIdentifier: activation.applicationIdentifier,
                    kernelIdentifier: activation.combination.kernelIdentifier,
                    label: candidates.first?.entry.label,
                    outcome: outcome,
                    report: kernel.report
                )
            )
            var next = act(on: outcome, candidates, &environment)
            next.signals = step.signals + next.signals
            return next
        }
    }
}

// MARK: - Outcomes

extension EntryPoint {
    /// Does what a kernel's outcome asks of the entry point (3.5.1).
    private mutating func act(
        on outcome: Outcome,
        _ candidates: [Candidate],
        _ environment: inout some KernelEnvironment
    ) -> ReaderStep {
        switch outcome.status {
        case .tryAgain: return restart(outcome, &environment)
        case .selectNext: return select(Array(candidates.dropFirst()))
        default: return finish(outcome)
        }
    }

    /// Shows why, takes the field away as long as asked, and begins again.
    private mutating func restart(
        _ outcome: Outcome,
        _ environment: inout some KernelEnvironment
    ) -> ReaderStep {
        restartCount += 1
        guard restartCount <= configuration.maximumRestarts else {
            return endApplication(outcome.error)
        }
        restartMessage = outcome.uiRequestOnRestart
        let signals = outcome.uiRequestOnOutcome.map { [KernelSignal.userInterface($0)] } ?? []
        let start = outcome.start ?? .b
        var step: ReaderStep
        if let holdTime = outcome.fieldOffHoldTime {
            state = .waitingForTimer(start)
            step = ReaderStep(.fieldOff(.milliseconds(Int(holdTime) * 100)))
        } else {
            step = self.start(at: start, &environment)
        }
        step.signals = signals + step.signals
        return step
    }

    /// The card went away during selection: it shall be presented again.
    private mutating func restart(
        after error: L1Error,
        _ environment: inout some KernelEnvironment
    ) -> ReaderStep {
        var outcome = Outcome(.tryAgain)
        outcome.start = .b
        outcome.error = ErrorIndication(l1: error, message: .presentAgain)
        outcome.uiRequestOnOutcome = UserInterfaceRequest(.presentAgain, .processingError)
        outcome.uiRequestOnRestart = UserInterfaceRequest(.presentAgain, .readyToRead)
        return restart(outcome, &environment)
    }

    /// No application of the card will do (3.3.2.7, 3.3.3.3).
    private mutating func endApplication(_ error: ErrorIndication) -> ReaderStep {
        var outcome = Outcome(.endApplication)
        outcome.uiRequestOnOutcome = UserInterfaceRequest(.tryAnotherCard, .readyToRead)
        outcome.error = error
        outcome.error.message = .tryAnotherCard
        return finish(outcome)
    }

    /// No combination allows this transaction (3.1.1.13).
    private mutating func tryAnotherInterface() -> ReaderStep {
        var outcome = Outcome(.tryAnotherInterface)
        outcome.uiRequestOnOutcome = UserInterfaceRequest(.insertOrSwipe, .processingError)
        outcome.error = ErrorIndication(l2: .maximumLimitExceeded, message: .insertOrSwipe)
        return finish(outcome)
    }

    /// The terminal gave up before a kernel ran.
    private mutating func stop() -> ReaderStep {
        var outcome = Outcome(.endApplication)
        outcome.error = ErrorIndication(l3: .stop)
        return finish(outcome)
    }

    private mutating func finish(_ outcome: Outcome) -> ReaderStep {
        state = .finished
        return ReaderStep(
            .finish(Conclusion(outcome: outcome, attempts: attempts)),
            signals: outcome.uiRequestOnOutcome.map { [.userInterface($0)] } ?? []
        )
    }
}
