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
        var concluded = 0
        while true {
            let step = point.handle(event, environment: &environment)
            for attempt in point.attempts[concluded...] { emit(.outcome(attempt.outcome)) }
            concluded = point.attempts.count
            for case .userInterface(let request) in step.signals { emit(.message(request)) }
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
                if concluded == 0 || conclusion.attempts.last?.outcome != conclusion.outcome {
                    emit(.outcome(conclusion.outcome))
                }
                return conclusion
            }
        }
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
