import CardEngine
import Foundation
import ISO7816
import NFCWallet

/// Where a wallet, which shows and withdraws its card, meets a reader, which commands it.
///
/// Each kind of field has one. The card is called on the reader's thread; one call at a time reaches it, and
/// `withdraw` on another thread waits for the one that is under way.
final class CardSlot: @unchecked Sendable {
    // @unchecked: the state is touched under `condition` only.
    private var state = State()
    private let condition = NSCondition()
    /// Held during every call to a card; recursive, because the card may withdraw itself in one.
    private let calls = NSRecursiveLock()
    private let patienceSeconds: Double

    private struct State {
        var card: (any EmulatedCard)?
        /// Whether readers see the card.
        var isPresented = false
        /// Whether a reader's field is on.
        var isOn = false
        /// Whether the card was told of this field.
        var isTold = false
        /// When readers last saw a card.
        var lastSeen: ContinuousClock.Instant?
        /// Whether the card was let in to be told of the field only.
        var isWatching = false
        /// How many cards readers have seen go.
        var departureCount = 0
        /// Whether no reader is to wait for a card any more.
        var isWaitingOver = false

        /// Whether a reader that comes matters to a card.
        var isExpected: Bool { isPresented || isWatching }

        /// Lets readers see no card any more.
        mutating func hide() {
            guard isPresented else { return }
            isPresented = false
            lastSeen = .now
            departureCount += 1
        }
    }

    /// Creates an empty slot.
    /// - Parameter patienceSeconds: How long a reader waits for a card to be shown.
    init(patienceSeconds: Double) { self.patienceSeconds = patienceSeconds }

    private func withState<Value>(_ body: (inout State) -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return body(&state)
    }
}

// MARK: The wallet's side

extension CardSlot {
    /// Whether readers see a card.
    var isPresentingCard: Bool { withState { $0.isPresented } }

    /// Whether a card waits for a reader's field before it is shown.
    var isWatched: Bool { withState { $0.isWatching } }

    /// How many cards were shown and are no more.
    var departureCount: Int { withState { $0.departureCount } }

    /// How long ago readers last saw a card; zero while they do, nil when they never did.
    var timeSinceCard: Duration? {
        withState { state in
            state.isPresented ? .zero : state.lastSeen.map { ContinuousClock.now - $0 }
        }
    }

    /// Tells `card` of the reader's field from now on; readers see it only where `isPresented`.
    func admit(_ card: any EmulatedCard, isPresented: Bool) {
        calls.lock()
        defer { calls.unlock() }
        withState { state in
            if state.card !== card { state.isTold = false }
            state.card = card
            state.isPresented = isPresented
            state.isWatching = !isPresented
        }
        tellFieldOn()
        // The card may have withdrawn itself when it was told.
        condition.broadcast()
    }

    /// Takes `card` out where it is the one in here; no call to it begins once this returns.
    func withdraw(_ card: any EmulatedCard) {
        calls.lock()
        defer { calls.unlock() }
        withState { state in
            guard state.card === card else { return }
            state.hide()
            state.card = nil
            state.isTold = false
            state.isWatching = false
        }
    }

    /// Tells the card of the field, once.
    private func tellFieldOn() {
        let card = withState { state -> (any EmulatedCard)? in
            guard state.isOn, !state.isTold else { return nil }
            state.isTold = state.card != nil
            return state.card
        }
        card?.fieldOn()
    }
}

// MARK: The reader's side

extension CardSlot {
    /// Raises the field and waits until a card is shown.
    /// - Returns: False when none was in time; the field stays on.
    func raise() -> Bool {
        calls.lock()
        withState { $0.isOn = true }
        tellFieldOn()
        calls.unlock()

        return wait { $0.isPresented }
    }

    /// Waits, as long as readers do, until a card is shown or wants to be told of readers; false without one.
    func awaitCard() -> Bool { wait { $0.isExpected } }

    /// Waits, as long as readers do, until the state is as wanted; false when it is not in time.
    private func wait(until isWanted: (State) -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: patienceSeconds)
        condition.lock()
        defer { condition.unlock() }
        while !isWanted(state) {
            guard !state.isWaitingOver, condition.wait(until: end) else { return isWanted(state) }
        }
        return true
    }

    /// Ends the wait of readers for a card, and lets none begin.
    func endWaiting() {
        withState { $0.isWaitingOver = true }
        condition.broadcast()
    }

    /// Waits until a card is shown, and lets it answer; without one in time the answer is 6985.
    ///
    /// Nothing is appended for a card that leaves instead of answering.
    func answer(_ command: Span<UInt8>, into response: inout OutputSpan<UInt8>) {
        if raise(), respond(to: command, into: &response) { return }
        response.append(.conditionsNotSatisfied)
    }

    /// Waits until a card is shown or wants to be told of readers; false when the time is over or `wake` came first.
    func awaitCard(seconds: Double) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        if !state.isExpected { _ = condition.wait(until: end) }
        return state.isExpected
    }

    /// Makes whoever waits for a card look again.
    func wake() { condition.broadcast() }

    /// Takes the field away.
    func drop() {
        calls.lock()
        defer { calls.unlock() }
        let card = withState { state -> (any EmulatedCard)? in
            defer {
                state.isOn = false
                state.isTold = false
            }
            return state.isTold ? state.card : nil
        }
        guard let card, !card.fieldOff() else { return }
        // It withdraws when it gets to it; until then it is in here, but nobody sees it.
        withState { state in
            if state.card === card { state.hide() }
        }
    }

    /// Lets the card answer; false, and nothing appended, when none is shown or the field is off.
    ///
    /// Whoever sends the response calls `responseSent` afterwards.
    func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>) -> Bool {
        calls.lock()
        defer { calls.unlock() }
        guard let card = visibleCard else { return false }
        card.respond(to: command, into: &response)
        return true
    }

    /// The response is on its way.
    func responseSent() {
        calls.lock()
        defer { calls.unlock() }
        visibleCard?.responseSent()
    }

    private var visibleCard: (any EmulatedCard)? {
        withState { $0.isOn && $0.isPresented ? $0.card : nil }
    }
}
