public import EMVData
public import NFCWallet
import Synchronization

/// Something that happened to a token, told to its device: at least once, in any order.
public struct TokenLifecycleEvent: Hashable, Sendable {
    /// What happened.
    public enum Change: Hashable, Sendable {
        /// The token was made.
        case tokenCreated
        /// Its user has proved who he is.
        case tokenActivated
        /// It may not pay for now.
        case tokenSuspended
        /// It may pay again.
        case tokenResumed
        /// It will never pay again.
        case tokenDeleted
        /// The account has another number, of which these are the last four digits; the token stays.
        case cardReplaced(suffix: String)
        /// The card is good until another day.
        case expiryRenewed(TransactionDate)
        /// The payment keys are good no more.
        case keysRevoked

        /// The name for people.
        public var name: String {
            switch self {
            case .tokenCreated: "tokenCreated"
            case .tokenActivated: "tokenActivated"
            case .tokenSuspended: "tokenSuspended"
            case .tokenResumed: "tokenResumed"
            case .tokenDeleted: "tokenDeleted"
            case .cardReplaced: "cardReplaced"
            case .expiryRenewed: "expiryRenewed"
            case .keysRevoked: "keysRevoked"
            }
        }

        /// What it changes: of two events that change the same, the one with the higher number counts.
        var subject: String {
            switch self {
            case .tokenCreated: "token"
            case .tokenActivated, .tokenSuspended, .tokenResumed, .tokenDeleted: "state"
            case .cardReplaced: "account"
            case .expiryRenewed: "expiry"
            case .keysRevoked: "keys"
            }
        }
    }

    /// Rises with each event of a token.
    public var number: Int64
    /// The card the token was made for.
    public var card: DigitalCard.ID
    /// What happened.
    public var change: Change

    /// Collects the parts.
    public init(number: Int64, card: DigitalCard.ID, change: Change) {
        self.number = number
        self.card = card
        self.change = change
    }
}

/// What brings events to devices.
public protocol PushChannel: AnyObject, Sendable {
    /// Takes an event, to bring it to its device.
    func send(_ event: TokenLifecycleEvent)
}

/// A channel that delivers when it is told to: each event until the device has it, sometimes twice, in any order.
public final class SimulatedPushChannel: PushChannel {
    private let simulation: Simulation
    private let state = Mutex<[TokenLifecycleEvent]>([])

    /// Starts without events.
    public init(_ simulation: Simulation) { self.simulation = simulation }

    /// Takes an event.
    public func send(_ event: TokenLifecycleEvent) { state.withLock { $0.append(event) } }

    /// The events that no device has taken yet.
    public var waiting: [TokenLifecycleEvent] { state.withLock { $0 } }

    /// Delivers what waits, in the order it was sent.
    public func deliver(to host: any WalletHost) { deliver(waiting, to: host) }

    /// Delivers events in a certain order, even such as a device has taken before.
    public func deliver(_ events: [TokenLifecycleEvent], to host: any WalletHost) {
        for event in events { deliver(event, to: host) }
    }

    /// Delivers what waits in an order of chance, and some of it twice.
    public func deliver(
        to host: any WalletHost,
        shuffledBy generator: inout some RandomNumberGenerator
    ) {
        var events = waiting
        events += events.filter { _ in Bool.random(using: &generator) }
        for event in events.shuffled(using: &generator) { deliver(event, to: host) }
    }

    private func deliver(_ event: TokenLifecycleEvent, to host: any WalletHost) {
        do throws(ProvisioningError) {
            let isAnswerLost = try simulation.act(.push, "deliver")
            try simulation.perform(.push, .wallet, event.change.name) {
                () throws(ProvisioningError) in
                guard host.receive(event) else { throw .refused(.wallet, reason: "not yet") }
            }
            if isAnswerLost { return }
        } catch {
            return
        }
        state.withLock { events in
            if let index = events.firstIndex(of: event) { events.remove(at: index) }
        }
    }
}
