import CardEngine
import EMVData
import ISO7816

/// Everything a session's lock guards.
struct SessionCore: ~Copyable {
    var flow: PaymentFlow
    var card: Card?
    /// Whose `card` is, or was.
    var cardID: DigitalCard.ID?
    /// What is still to be done, in order, by the one thread that drains it.
    var effects: [PaymentFlow.Effect] = []
    var isDraining = false
    /// The requests to authenticate that were told, which keep the session until it ends.
    var authentications: [ContactlessPaymentSession.Authentication] = []
    var timer: (any ScheduledCall)?
    /// Tells the call of the running timer from one that came too late to be cancelled.
    var timerNumber = 0
    var alertMessage = ""
    /// Whether a reader is there that the session has not been told of, because the app has no right to it.
    private var hasHiddenReader = false
    /// Who waits for everything to be done.
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether the emulation that was started last has shown the card; nil while that is not known.
    private var hasShownCard: Bool?
    /// Who waits for that.
    private var awaitingCard: [CheckedContinuation<Bool, Never>] = []
    /// Keys that the session needs no more, on their way back to the store.
    private var unusedKeys = KeyBatch()

    init(requiresAuthentication: Bool) {
        flow = PaymentFlow(requiresAuthentication: requiresAuthentication)
        // Room enough that noting what a command led to does not allocate before its response is sent.
        effects.reserveCapacity(16)
    }

    /// Takes in what happened.
    mutating func handle(_ input: PaymentFlow.Input) { flow.handle(input, effects: &effects) }

    /// Answers a command and takes in what it led to; nobody is told yet.
    mutating func respond(
        to command: Span<UInt8>,
        into response: inout OutputSpan<UInt8>,
        now: Duration
    ) {
        handle(.command(now: now))
        guard flow.answersCommands, let event = card?.respond(to: command, into: &response) else {
            response.append(.conditionsNotSatisfied)
            return
        }
        let keyCount = card?.reservedKeyCount() ?? 0
        handle(.card(PaymentFlow.CardNews(event, keyCount: keyCount), now: now))
        // One payment a session: whatever the reader asks next, there is no second cryptogram.
        if flow.state == .paid { collectUnusedKeys() }
    }

    /// Keeps a reader from the session until the card is shown.
    mutating func hideReader() { hasHiddenReader = true }

    /// Whether a reader was kept from the session; from now on none is.
    mutating func takeHiddenReader() -> Bool { exchange(&hasHiddenReader, with: false) }

    /// Puts a reserved key into the card, or aside when the card is not to pay any more.
    mutating func reserve(_ key: consuming PaymentKey) {
        guard case .emulating = flow.state, card != nil else { return unusedKeys.push(key) }
        card?.reserve(key)
    }

    /// Has the card decline what keys that came later are not good for either; nil is no limit.
    mutating func limitAmount(toMinorUnits limit: UInt64?) {
        guard let limit else { return }
        let present = card?.amountLimitMinorUnits ?? limit
        card?.limitAmount(toMinorUnits: min(limit, present))
    }

    /// Drops the card and returns the keys that no reader touched.
    mutating func dropCard() -> KeyBatch {
        collectUnusedKeys()
        card = nil
        return exchange(&unusedKeys, with: KeyBatch())
    }

    private mutating func collectUnusedKeys() {
        card?.returnUnusedKeys { key in unusedKeys.push(key) }
    }

    /// Makes the caller the one that drains; false when somebody is at it.
    mutating func beginDraining() -> Bool {
        guard !isDraining else { return false }
        isDraining = true
        return true
    }

    /// Whether the session has ended and nothing is left to be done.
    private var isSettled: Bool { flow.state == .ended && effects.isEmpty && !isDraining }

    /// Lets somebody wait until everything is done; false when it is.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard !isSettled else { return false }
        waiting.append(continuation)
        return true
    }

    /// Returns who waits no more, because everything is done.
    mutating func settle() -> [CheckedContinuation<Void, Never>] {
        guard isSettled, !waiting.isEmpty else { return [] }
        return exchange(&waiting, with: [])
    }

    /// Forgets whether a card was shown where it is to be shown anew.
    mutating func beginEmulation() {
        if case .authenticated = flow.state { hasShownCard = nil }
    }

    /// Lets somebody wait until the card is shown, or never will be; where that is known, returns it instead.
    mutating func awaitCard(_ continuation: CheckedContinuation<Bool, Never>) -> Bool? {
        if hasShownCard == nil { awaitingCard.append(continuation) }
        return hasShownCard
    }

    /// Notes whether the card is shown, and returns who waits for that; what was noted before stays.
    mutating func concludeEmulation(
        isShown: Bool
    ) -> [CheckedContinuation<Bool, Never>] {
        if hasShownCard == nil { hasShownCard = isShown }
        return exchange(&awaitingCard, with: [])
    }

    /// Removes the next thing to be done; nil, and the draining is over, when there is none.
    mutating func nextEffect() -> PaymentFlow.Effect? {
        guard !effects.isEmpty else {
            isDraining = false
            return nil
        }
        return effects.removeFirst()
    }
}
