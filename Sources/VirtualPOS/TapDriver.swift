import EMVData
import ISO7816
import TerminalKernels
import Transport

/// Runs an entry point over one card, from the first field to the last outcome.
struct TapDriver<Card: Transport & ~Copyable, Timer: Clock>: ~Copyable
where Timer.Duration == Duration {
    /// 61xx and 6Cxx are dealt with above the recording, so that every APDU is in it.
    private var transport: LengthResolvingTransport<RecordingTransport<Card, Timer>>
    private let surroundings: POSTerminal.Surroundings<Timer>
    private var presentation = 0
    private(set) var events: [TapEvent] = []

    init(_ card: consuming Card, _ surroundings: POSTerminal.Surroundings<Timer>) {
        transport = LengthResolvingTransport(
            RecordingTransport(card, clock: surroundings.clock)
        )
        self.surroundings = surroundings
    }

    /// Gives the card back.
    consuming func unwrapped() -> Card { transport.unwrapped().unwrapped() }

    /// Notes what happened and tells it.
    mutating func emit(_ event: TapEvent) {
        events.append(event)
        surroundings.observe(event)
    }

    /// Runs until the entry point has a final outcome.
    mutating func run(
        _ point: inout EntryPoint,
        environment: inout some KernelEnvironment
    ) throws(TransportError) -> Conclusion {
        var event = ReaderEvent.start
        while true {
            let known = point.attempts.count
            let step = point.handle(event, environment: &environment)
            tell(step, point.attempts[known...].map(\.outcome))
            switch step.action {
            case .awaitCard:
                event = try awaitCard()
            case .transmit(let command):
                event = try transmit(command)
            case .wait(let duration):
                surroundings.wait(duration)
                event = .timer
            case .fieldOff(let hold):
                transport.fieldOff()
                emit(.fieldOff(hold: hold))
                surroundings.wait(hold)
                event = .timer
            case .finish(let conclusion):
                transport.fieldOff()
                return conclusion
            }
        }
    }

    /// Tells a step's messages and outcomes: an outcome comes before its own message and after all others.
    private mutating func tell(_ step: ReaderStep, _ attempted: [Outcome]) {
        var outcomes = attempted[...]
        if case .finish(let conclusion) = step.action,
            conclusion.outcome != conclusion.attempts.last?.outcome, !conclusion.isAbandoned
        {
            outcomes.append(conclusion.outcome)
        }
        for case .userInterface(let request) in step.signals {
            if let own = outcomes.firstIndex(where: { $0.uiRequestOnOutcome == request }) {
                for outcome in outcomes[...own] { emit(.outcome(outcome)) }
                outcomes = outcomes[(own + 1)...]
            }
            emit(.message(request))
        }
        for outcome in outcomes { emit(.outcome(outcome)) }
    }

    private mutating func awaitCard() throws(TransportError) -> ReaderEvent {
        presentation += 1
        guard surroundings.presentCard(presentation) else { return .stop }
        emit(.fieldOn(presentation: presentation))
        try transport.fieldOn()
        return .cardPresent
    }

    /// Sends a command; the time is the sum of the exchanges it took.
    private mutating func transmit(
        _ command: CommandAPDU
    ) throws(TransportError) -> ReaderEvent {
        let first = transport.base.exchanges.count
        let result: Result<[UInt8], TransportError>
        do throws(TransportError) {
            result = .success(try transport.transmit(command.bytes))
        } catch {
            result = .failure(error)
        }
        var elapsed = Duration.zero
        for exchange in transport.base.exchanges[first...] {
            elapsed += exchange.elapsed ?? .zero
            emit(.exchange(exchange))
        }
        switch result {
        case .success(let bytes):
            guard let response = try? ResponseAPDU(parsing: bytes) else {
                return .transmissionError(.protocolViolation)
            }
            return .response(response, elapsed: elapsed)
        case .failure(.timeout): return .transmissionError(.timeout)
        case .failure(.cardRemoved): return .transmissionError(.transmission)
        case .failure(.protocolViolation): return .transmissionError(.protocolViolation)
        // Neither is the card's doing, so no kernel can say anything about it.
        case .failure(let error): throw error
        }
    }
}
