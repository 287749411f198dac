import CardEngine
import Synchronization

/// One contactless payment, from the choice of a card to the reader's field and the receipt.
///
/// Start it, then follow `eventStream` to its end:
///
/// ```swift
/// let session = ContactlessPaymentSession()
/// session.startPayment()
/// for await event in session.eventStream {
///     switch event {
///     case .authenticationRequired(let authentication): authentication.proceed()
///     case .authenticationCompleted: session.startEmulation()
///     case .posConnected, .posDisconnected: break
///     case .transactionCompleted(let transactionContext): show(transactionContext)
///     case .errorEncountered(let error): show(error)
///     }
/// }
/// ```
///
/// Each attempt has its own session. All methods may be called from any thread, and return at once; what they
/// lead to is told by the stream.
public final class ContactlessPaymentSession: Sendable {
    /// What happens, in order; ends after `transactionCompleted` or `errorEncountered`.
    ///
    /// A listener that falls far behind misses the oldest events, never the last one. When the task that listens
    /// is cancelled, so is the session.
    public let eventStream: AsyncStream<Event>

    let wallet: Wallet
    let continuation: AsyncStream<Event>.Continuation
    let core: Mutex<SessionCore>

    /// Prepares a payment with a card of `wallet`.
    public init(wallet: Wallet = .shared) {
        self.wallet = wallet
        (eventStream, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(Self.maximumBufferedEvents)
        )
        core = Mutex(
            SessionCore(requiresAuthentication: wallet.configuration.requiresAuthentication)
        )
        continuation.onTermination = { [weak self] reason in
            if case .cancelled = reason { self?.cancel() }
        }
        wallet.admit(self)
    }

    deinit { wallet.dismiss(ObjectIdentifier(self)) }

    /// How many events wait for a listener.
    private static let maximumBufferedEvents = 64
}

// MARK: What the app calls

extension ContactlessPaymentSession {
    /// Asks whether the app may pay contactless on this device, before the first payment.
    /// - Throws: `PaymentError.nfcPermissionNotAccepted`, `.systemEligibilityFailed` or `.unknown`.
    public func requestAuthorization() throws(PaymentError) {
        do throws(CardFieldError) {
            try wallet.field.requestAccess()
        } catch {
            throw PaymentError(error)
        }
    }

    /// Whether the card is shown to readers, and the user sees so.
    public var isShowingCard: Bool { core.withLock { $0.flow.showsCard } }

    /// Starts a payment with one card, or with the default one.
    ///
    /// A card that is named becomes the default and stays it, however the payment ends. Until the emulation starts
    /// this may be called again to choose another card; later calls do nothing.
    /// - Parameter digitalCardID: The card; nil for the default one.
    public func startPayment(withDigitalCardID digitalCardID: DigitalCard.ID? = nil) {
        guard core.withLock({ $0.flow.acceptsCard }) else { return }
        do throws(PaymentError) {
            handle(.start(.success(try wallet.choose(digitalCardID))))
        } catch {
            handle(.start(.failure(error)))
        }
    }

    /// Shows the card to readers, for as long as a session may last.
    ///
    /// Does nothing before `authenticationCompleted`. While the card is shown, another call gives the whole time anew,
    /// as long as the authentication is good.
    public func startEmulation() {
        core.withLock { $0.beginEmulation() }
        handle(.startEmulation(now: wallet.clock.now))
    }

    /// Waits until the card is shown that `startEmulation` shows.
    ///
    /// That may be after `startEmulation` has returned: where a reader's thread is telling the session something, that
    /// thread shows the card.
    /// - Returns: False when the session ended before; true as well when the card was shown and is no more.
    public func emulationStarted() async -> Bool {
        await withCheckedContinuation { continuation in
            if let isShown = core.withLock({ $0.awaitCard(continuation) }) {
                continuation.resume(returning: isShown)
            }
        }
    }

    /// Ends the session with `cancelled`, unless it has ended already.
    public func cancel() { handle(.stop(.cancelled)) }

    /// Waits until nothing of the session is left: its end was told, the card is shown no more, and the payment keys that
    /// no reader touched are back in the store.
    ///
    /// That may be after the last event: a card that has paid is shown until the reader has left. Whoever starts the next
    /// session sooner takes the radio, and wastes the keys that are not back yet.
    public func settled() async {
        await withCheckedContinuation { continuation in
            if !core.withLock({ $0.wait(continuation) }) { continuation.resume() }
        }
    }

    /// Sets what the device shows while it waits for a reader.
    public func setAlertMessage(_ message: String) {
        core.withLock { $0.alertMessage = message }
    }

    /// What the device shows while it waits for a reader.
    public var alertMessage: String { core.withLock { $0.alertMessage } }

    /// Ends the session because the radio went to somebody else, or the app left the foreground.
    func invalidate() { handle(.stop(.sessionInvalidated)) }

    /// Ends the session where it has a card that may not pay any more.
    func end(showing id: DigitalCard.ID) {
        if core.withLock({ $0.cardID == id }) { handle(.stop(.cardNotActive)) }
    }
}

// MARK: What the field calls

extension ContactlessPaymentSession: EmulatedCard {
    /// A reader's field is there.
    public func fieldOn() {
        let (isShown, awaiting) = core.withLock { core in
            core.card?.fieldOn()
            return (core.flow.showsCard, core.flow.awaitsReader ? core.cardID : nil)
        }
        // What the device shows is the app's while the card is shown; before that the system decides.
        let route = isShown ? .session : wallet.system?.readerDetected() ?? .session
        switch route {
        case .session:
            // Before the reader sends a command, since nothing is looked up between a command and its response.
            if let awaiting { checkCard(awaiting) }
            handle(.fieldOn(now: wallet.clock.now))
        case .scene: core.withLock { $0.hideReader() }
        // The app has left the foreground, and the session with it.
        case .otherApp: break
        }
    }

    /// Answers one command APDU from the card, or refuses it when no card is shown.
    public func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>) {
        let now = wallet.clock.now
        core.withLock { $0.respond(to: command, into: &response, now: now) }
    }

    /// Tells what the last command led to.
    public func responseSent() { drain() }

    /// The reader's field is gone.
    @discardableResult
    public func fieldOff() -> Bool {
        let now = wallet.clock.now
        let isShown = core.withLock { core in
            core.card?.fieldOff()
            _ = core.takeHiddenReader()
            core.handle(.fieldOff(now: now))
            return core.flow.showsCard
        }
        drain()
        return isShown
    }
}
