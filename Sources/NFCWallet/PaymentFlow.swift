import CardEngine

/// The course of one payment, as a value: what happens goes in, what is to be done comes out.
///
/// It knows no clock, card or stream. Each attempt ends with exactly one `succeed` or `fail`, and the user is told
/// nothing after it.
struct PaymentFlow: Sendable {
    /// What has been reached.
    enum State: Hashable, Sendable {
        /// No card has been chosen.
        case idle
        /// The app has been asked to let the user authenticate.
        case awaitingAuthentication(DigitalCard.ID)
        /// The user has been asked.
        case authenticating(DigitalCard.ID)
        /// The card is not shown to readers yet; one may be there.
        case authenticated(Authenticated)
        /// Keys are being reserved.
        case starting(Authenticated)
        /// The card is shown; nil without a reader.
        case emulating(Authenticated, Reader?)
        /// The card has paid and is shown until the reader has left.
        case paid
        /// The end was told and the card is shown no more.
        case ended
    }

    /// A card whose owner has authenticated.
    struct Authenticated: Hashable, Sendable {
        /// The card.
        var card: DigitalCard.ID
        /// When the authentication expires, by the session's clock; nil when none is required.
        var expiry: Duration?
        /// Whether a reader's field was there before the card was shown.
        var isReaderPresent = false

        func isExpired(at now: Duration) -> Bool { expiry.map { now >= $0 } ?? false }
    }

    /// How far a reader got.
    enum Reader: Hashable, Sendable {
        /// It has sent no command yet.
        case silent
        /// It sends commands, and has asked neither for the list of applications nor for one of them.
        case searching
        /// Since that time it knows what the card has, or that it has not what was asked for; its next command may select.
        case choosing(since: Duration, hasList: Bool)
        /// It has the list, and has asked for an application that is not on it.
        case unsuited
        /// It has selected one of the card's applications.
        case selected

        /// How long a reader that knows an application of the card takes to select it, at most.
        ///
        /// Longer than it repeats a command whose answer was lost: a field that goes sooner may have been lost.
        static let patience = Duration.seconds(1)

        /// Whether it could have selected an application of the card by now, and did not.
        func hasPassedOver(at now: Duration) -> Bool {
            switch self {
            case .silent, .searching, .selected: false
            case .choosing(let since, hasList: _): now - since >= Self.patience
            case .unsuited: true
            }
        }
    }

    /// What happens.
    enum Input: Sendable {
        /// The app started a payment, and the checks let this card pass or not.
        case start(Result<DigitalCard.ID, PaymentError>)
        /// The app lets the user authenticate.
        case proceed
        /// The user authenticated, or did not.
        case authentication(AuthenticationResult, expiry: Duration)
        /// The app wants the card shown.
        case startEmulation(now: Duration)
        /// The card has its keys.
        case cardReady
        /// A reader came.
        case fieldOn(now: Duration)
        /// The reader sent a command, which the card has not heard yet.
        case command(now: Duration)
        /// The card answered a command.
        case card(CardNews, now: Duration)
        /// The reader has left.
        case fieldOff(now: Duration)
        /// The time for a payment is over.
        case timeUp(now: Duration)
        /// The session cannot go on, or was told not to.
        case stop(PaymentError)
    }

    /// What the card made of a command.
    enum CardNews: Hashable, Sendable {
        /// It answered something that changes nothing here.
        case answered
        /// It told which applications it has.
        case listed
        /// An application was selected.
        case applicationSelected
        /// An application was asked for that the card does not have.
        case applicationMissing
        /// A cryptogram was given.
        case paid(CryptogramEvent)
        /// The card wants its user authenticated first; a second tap may succeed.
        case userNeeded
        /// A command that the payment needs was refused.
        case refused(PaymentError)
    }

    /// What is to be done.
    enum Effect: Hashable, Sendable {
        /// Ask the app to let the user authenticate.
        case requireAuthentication
        /// Ask the user for face, finger or passcode.
        case prompt
        /// Take that prompt away.
        case dismissPrompt
        /// Drop every credential.
        case wipe
        /// Tell that the user has authenticated.
        case tellAuthenticated
        /// Be told of readers' fields.
        case watchField
        /// Reserve payment keys and put them into the card, which says whether its user has authenticated.
        case prepareCard(DigitalCard.ID, isAuthenticated: Bool)
        /// Show the card to readers.
        case showCard
        /// Count the time for a payment anew.
        case startTimer
        /// Reserve keys for those a broken tap has spent.
        case topUp(DigitalCard.ID)
        /// Tell that a reader came.
        case tellConnected
        /// Tell that the reader has left too early.
        case tellDisconnected
        /// Tell that the card has paid, and nothing more.
        case succeed(CryptogramEvent, by: DigitalCard.ID)
        /// Tell why there is no payment, and nothing more.
        case fail(PaymentError)
        /// Show the card no longer and give back the keys that no reader touched.
        case withdraw
    }

    private(set) var state = State.idle
    private let requiresAuthentication: Bool

    /// Begins; without `requiresAuthentication` every user passes for authenticated.
    init(requiresAuthentication: Bool) { self.requiresAuthentication = requiresAuthentication }

    /// Whether a card may be chosen now: before it is shown to readers.
    var acceptsCard: Bool {
        switch state {
        case .idle, .awaitingAuthentication, .authenticated: true
        case .authenticating, .starting, .emulating, .paid, .ended: false
        }
    }

    /// Whether the card is shown and no reader is there.
    var awaitsReader: Bool {
        if case .emulating(_, nil) = state { true } else { false }
    }

    /// Whether readers are to see the card.
    var showsCard: Bool {
        switch state {
        case .emulating, .paid: true
        case .idle, .awaitingAuthentication, .authenticating, .authenticated, .starting, .ended:
            false
        }
    }

    /// Whether commands of a reader go to the card.
    var answersCommands: Bool {
        switch state {
        case .emulating(_, .some), .paid: true
        default: false
        }
    }

    /// Takes in what happened and appends what is to be done, in this order.
    ///
    /// What does not fit the state is ignored: it came too late, or from an app that is ahead of its events.
    mutating func handle(_ input: Input, effects: inout [Effect]) {
        switch input {
        case .start(let checked): start(checked, &effects)
        case .proceed: proceed(&effects)
        case .authentication(let result, let expiry): authenticate(result, expiry, &effects)
        case .startEmulation(let now): startEmulation(now, &effects)
        case .cardReady: showCard(&effects)
        case .fieldOn(let now): fieldOn(now, &effects)
        case .command(let now): takeCommand(now, &effects)
        case .card(let news, let now): hear(news, now, &effects)
        case .fieldOff(let now): fieldOff(now, &effects)
        case .timeUp(let now): timeUp(now, &effects)
        case .stop(let error): stop(error, &effects)
        }
    }

    private mutating func start(
        _ checked: Result<DigitalCard.ID, PaymentError>,
        _ effects: inout [Effect]
    ) {
        guard acceptsCard else { return }
        switch (state, checked) {
        case (_, .failure(let error)):
            stop(error, &effects)
        case (.authenticated(var authenticated), .success(let card)):
            authenticated.card = card
            state = .authenticated(authenticated)
        case (.awaitingAuthentication, .success(let card)):
            state = .awaitingAuthentication(card)
        case (_, .success(let card)) where requiresAuthentication:
            state = .awaitingAuthentication(card)
            effects.append(.requireAuthentication)
        case (_, .success(let card)):
            state = .authenticated(Authenticated(card: card))
            effects += [.tellAuthenticated, .watchField]
        }
    }

    private mutating func proceed(_ effects: inout [Effect]) {
        guard case .awaitingAuthentication(let card) = state else { return }
        state = .authenticating(card)
        effects.append(.prompt)
    }

    private mutating func authenticate(
        _ result: AuthenticationResult,
        _ expiry: Duration,
        _ effects: inout [Effect]
    ) {
        guard case .authenticating(let card) = state else { return }
        if let error = PaymentError(result) {
            state = .ended
            if error == .authenticationKeyInvalidated { effects.append(.wipe) }
            effects.append(.fail(error))
        } else {
            state = .authenticated(Authenticated(card: card, expiry: expiry))
            effects += [.tellAuthenticated, .watchField]
        }
    }

    private mutating func startEmulation(_ now: Duration, _ effects: inout [Effect]) {
        switch state {
        case .authenticated(let authenticated):
            if authenticated.isExpired(at: now) { return stop(.authenticationExpired, &effects) }
            state = .starting(authenticated)
            effects.append(
                .prepareCard(authenticated.card, isAuthenticated: authenticated.expiry != nil)
            )
        case .emulating(let authenticated, _):
            if authenticated.isExpired(at: now) { return stop(.authenticationExpired, &effects) }
            effects.append(.startTimer)
        default:
            break
        }
    }

    private mutating func showCard(_ effects: inout [Effect]) {
        guard case .starting(let authenticated) = state else { return }
        state = .emulating(authenticated, authenticated.isReaderPresent ? .silent : nil)
        effects += [.startTimer, .showCard]
    }

    private mutating func fieldOn(_ now: Duration, _ effects: inout [Effect]) {
        switch state {
        case .authenticated(var authenticated) where !authenticated.isReaderPresent:
            authenticated.isReaderPresent = true
            state = .authenticated(authenticated)
        case .starting(var authenticated) where !authenticated.isReaderPresent:
            authenticated.isReaderPresent = true
            state = .starting(authenticated)
        case .emulating(let authenticated, nil):
            if authenticated.isExpired(at: now) { return stop(.authenticationExpired, &effects) }
            state = .emulating(authenticated, .silent)
        default:
            return
        }
        effects.append(.tellConnected)
    }

    /// Ends the session before the card hears a command that comes when the authentication is over.
    private mutating func takeCommand(_ now: Duration, _ effects: inout [Effect]) {
        guard case .emulating(let authenticated, .some) = state,
            authenticated.isExpired(at: now)
        else { return }
        stop(.authenticationExpired, &effects)
    }

    private mutating func hear(_ news: CardNews, _ now: Duration, _ effects: inout [Effect]) {
        guard case .emulating(let authenticated, let reader?) = state else { return }
        switch news {
        case .answered, .listed, .applicationMissing, .applicationSelected:
            state = .emulating(authenticated, reader.following(news, at: now))
        case .paid(let cryptogram):
            state = .paid
            effects.append(.succeed(cryptogram, by: authenticated.card))
        case .userNeeded where authenticated.expiry == nil:
            // The reader sends its user to the device; what follows is a payment with an authentication.
            state = .awaitingAuthentication(authenticated.card)
            effects += [.withdraw, .requireAuthentication]
        case .userNeeded:
            stop(.apduFailure, &effects)
        case .refused(let error):
            stop(error, &effects)
        }
    }

    private mutating func fieldOff(_ now: Duration, _ effects: inout [Effect]) {
        switch state {
        case .authenticated(var authenticated) where authenticated.isReaderPresent:
            authenticated.isReaderPresent = false
            state = .authenticated(authenticated)
            effects.append(.tellDisconnected)
        case .starting(var authenticated) where authenticated.isReaderPresent:
            authenticated.isReaderPresent = false
            state = .starting(authenticated)
            effects.append(.tellDisconnected)
        case .emulating(_, let reader?) where reader.hasPassedOver(at: now):
            stop(.posNotSupported, &effects)
        case .emulating(let authenticated, .some):
            state = .emulating(authenticated, nil)
            effects += [.tellDisconnected, .topUp(authenticated.card)]
        case .paid:
            end(&effects)
        default:
            break
        }
    }

    private mutating func timeUp(_ now: Duration, _ effects: inout [Effect]) {
        switch state {
        case .emulating(_, let reader?) where reader.hasPassedOver(at: now):
            stop(.posNotSupported, &effects)
        case .emulating: stop(.maxSessionDurationReached, &effects)
        case .paid: end(&effects)
        default: break
        }
    }

    /// Lets go of a reader whose payment was told.
    private mutating func end(_ effects: inout [Effect]) {
        state = .ended
        effects.append(.withdraw)
    }

    private mutating func stop(_ error: PaymentError, _ effects: inout [Effect]) {
        switch state {
        case .idle, .awaitingAuthentication: break
        case .authenticating: effects.append(.dismissPrompt)
        // Before the end is told, so that whoever then starts anew finds the radio free.
        case .authenticated, .starting, .emulating: effects.append(.withdraw)
        case .paid: return end(&effects)
        case .ended: return
        }
        state = .ended
        effects.append(.fail(error))
    }
}

extension PaymentFlow.Reader {
    /// How far the reader is after the card has answered a command.
    fileprivate func following(_ news: PaymentFlow.CardNews, at now: Duration) -> Self {
        switch (self, news) {
        case (_, .applicationSelected): .selected
        // What was once selected, or passed over, stays so for as long as the reader stays.
        case (.selected, _), (.unsuited, _): self
        case (_, .listed): .choosing(since: now, hasList: true)
        case (.choosing(since: _, hasList: true), .applicationMissing): .unsuited
        case (_, .applicationMissing): .choosing(since: now, hasList: false)
        case (.silent, .answered): .searching
        default: self
        }
    }
}
