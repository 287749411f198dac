import NFCWallet
import Synchronization

/// What all parties of a provisioning share: the clock, the network, the script and the record of who called whom.
public final class Simulation: Sendable {
    /// The clock of all parties.
    public let clock: any SimulationClock
    /// Whether the device reaches the servers.
    public let connectivity: any Connectivity
    private let state = Mutex(State())

    /// When an observer is told of a call.
    public enum Moment: Hashable, Sendable {
        /// When it begins.
        case began
        /// When it is over.
        case ended
    }

    private struct Call: Hashable {
        var party: Party
        var name: String
    }

    private struct State {
        var script: [Call: [Behaviour]] = [:]
        var exchanges: [Exchange] = []
        var depth = 0
        var observer: (@Sendable (Exchange, Moment) -> Void)?
        var stepsLeft: Int?
    }

    /// Starts without a script.
    public init(
        clock: any SimulationClock = VirtualClock(),
        connectivity: any Connectivity = SimulatedConnectivity()
    ) {
        self.clock = clock
        self.connectivity = connectivity
    }

    /// Puts down how a party is to behave at a call; what is put down twice happens at the second call.
    ///
    /// What is put down for `.connectivity` happens on the way of that call to a server, or from one.
    public func script(_ party: Party, _ call: String, _ behaviours: Behaviour...) {
        state.withLock {
            $0.script[Call(party: party, name: call), default: []] += behaviours
        }
    }

    /// How many behaviours were put down for a call that has not come.
    public func scriptedCount(_ party: Party, _ call: String) -> Int {
        state.withLock { $0.script[Call(party: party, name: call)]?.count ?? 0 }
    }

    /// Is told of each call when it begins and when it is over.
    public func observe(_ observer: @escaping @Sendable (Exchange, Moment) -> Void) {
        state.withLock { $0.observer = observer }
    }

    /// The calls so far, in the order they began.
    public var exchanges: [Exchange] { state.withLock(\.exchanges) }

    /// Lets the device's process end before the call that is so many calls away: 0 for the next.
    ///
    /// No call gets through any more until `restart`.
    public func endProcess(afterSteps count: Int) { state.withLock { $0.stepsLeft = count } }

    /// Starts the device's process anew.
    public func restart() {
        state.withLock { state in
            state.stepsLeft = nil
            state.depth = 0
        }
    }

    /// Has one party call another.
    /// - Parameters:
    ///   - from: Who calls.
    ///   - to: Who is called.
    ///   - name: The call.
    ///   - detail: What can be said about it; no account number, key or token.
    ///   - body: What the called one does.
    /// - Returns: What `body` does.
    /// - Throws: `ProvisioningError`: what the script says, or what `body` throws.
    func perform<Value>(
        _ from: Party,
        _ to: Party,
        _ name: String,
        _ detail: String = "",
        _ body: () throws(ProvisioningError) -> Value
    ) throws(ProvisioningError) -> Value {
        let number = try begin(from, to, name, detail)
        do throws(ProvisioningError) {
            var isAnswerLost = false
            if from.isOnDevice != to.isOnDevice { isAnswerLost = try reach(to, name) }
            if try act(Call(party: to, name: name)) { isAnswerLost = true }
            let value = try body()
            if isAnswerLost { throw .unreachable(to) }
            // A process that has ended does not see the answer.
            try step(from, to)
            end(number, nil)
            return value
        } catch {
            end(number, error)
            throw error
        }
    }

    /// Begins a call that its caller ends.
    func begin(
        _ from: Party,
        _ to: Party,
        _ name: String,
        _ detail: String = ""
    ) throws(ProvisioningError) -> Int {
        try step(from, to)
        let now = clock.now
        let (number, exchange, observer) = state.withLock { state in
            let exchange = Exchange(
                number: state.exchanges.count,
                from: from,
                to: to,
                name: name,
                detail: detail,
                start: now,
                depth: state.depth
            )
            state.exchanges.append(exchange)
            state.depth += 1
            return (state.exchanges.count - 1, exchange, state.observer)
        }
        observer?(exchange, .began)
        return number
    }

    /// Ends a call.
    func end(_ number: Int, _ error: ProvisioningError?) {
        let now = clock.now
        let (exchange, observer) = state.withLock { state in
            state.exchanges[number].duration = now - state.exchanges[number].start
            state.exchanges[number].error = error
            state.depth = state.exchanges[number].depth
            return (state.exchanges[number], state.observer)
        }
        observer?(exchange, .ended)
    }

    /// Goes back to where a call began, whatever is still under way inside it.
    func leave(_ number: Int) {
        state.withLock { $0.depth = $0.exchanges[number].depth }
    }

    /// Counts a step of the device's process; what servers do among each other is none.
    private func step(_ from: Party, _ to: Party) throws(ProvisioningError) {
        guard from.isOnDevice || to.isOnDevice else { return }
        let isOver = state.withLock { state in
            guard let left = state.stepsLeft else { return false }
            state.stepsLeft = max(0, left - 1)
            return left == 0
        }
        if isOver { throw .processEnded }
    }

    /// Goes over the network.
    /// - Returns: Whether the answer will be lost on its way back.
    private func reach(_ party: Party, _ name: String) throws(ProvisioningError) -> Bool {
        guard connectivity.isOnline else { throw .unreachable(party) }
        do throws(ProvisioningError) {
            return try act(Call(party: .connectivity, name: name))
        } catch {
            throw error == .unreachable(.connectivity) ? .unreachable(party) : error
        }
    }

    /// Does what the script says of a call.
    /// - Returns: Whether its answer will be lost.
    @discardableResult
    func act(_ party: Party, _ name: String) throws(ProvisioningError) -> Bool {
        try act(Call(party: party, name: name))
    }

    /// Does what the script says of a call that has no more than a certain time.
    /// - Returns: Whether there is anything left of the time.
    func act(
        _ party: Party,
        _ name: String,
        within limit: Duration
    ) throws(ProvisioningError) -> Bool {
        let call = Call(party: party, name: name)
        let isLate =
            switch state.withLock({ $0.script[call]?.first }) {
            case .delay(let duration): duration >= limit
            case .loseAnswer: true
            default: false
            }
        guard isLate else { return try !act(call) }
        _ = takeBehaviour(of: call)
        clock.elapse(limit)
        return false
    }

    private func act(_ call: Call) throws(ProvisioningError) -> Bool {
        switch takeBehaviour(of: call) {
        case nil: break
        case .delay(let duration): clock.elapse(duration)
        case .refuse(let reason): throw .refused(call.party, reason: reason)
        case .fail(let status, let message):
            throw .server(call.party, status: status, message: message)
        case .unreachable: throw .unreachable(call.party)
        case .loseAnswer: return true
        }
        return false
    }

    private func takeBehaviour(of call: Call) -> Behaviour? {
        state.withLock { state in
            guard let first = state.script[call]?.first else { return nil }
            state.script[call]?.removeFirst()
            return first
        }
    }
}
