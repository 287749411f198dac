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
        /// Whether a reader has left that looked for an application and selected none.
        ///
        /// Once that may be a field lost too early; twice, or at the end of the time, the terminal does not know the card.
        var hasSearchedInVain = false

        func isExpired(at now: Duration) -> Bool { expiry.map { now >= $0 } ?? false }
    }

    /// How far a reader got.
    enum Reader: Hashable, Sendable {
        /// It has sent no command yet.
        case silent
        /// It sends commands and has not selected an application.
        case searching
        /// It has asked for an application that the card does not have, and for none that it has.
        case unsuited
        /// It has selected one of the card's applications.
        case selected
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
        /// The card answered a command.
        case card(CardNews)
        /// The reader has left.
        case fieldOff
        /// The time for a payment is over.
        case timeUp
        /// The session cannot go on, or was told not to.
        case stop(PaymentError)
    }

    /// What the card made of a command.
    enum CardNews: Hashable, Sendable {
        /// It answered something that changes nothing here.
        case answered
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
        case .card(let news): hear(news, &effects)
        case .fieldOff: fieldOff(&effects)
        case .timeUp: timeUp(&effects)
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
        case .emulating:
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

    private mutating func hear(_ news: CardNews, _ effects: inout [Effect]) {
        guard case .emulating(let authenticated, let reader?) = state else { return }
        switch news {
        case .answered:
            guard reader == .silent else { return }
            state = .emulating(authenticated, .searching)
        case .applicationMissing:
            guard reader != .selected else { return }
            state = .emulating(authenticated, .unsuited)
        case .applicationSelected:
            var authenticated = authenticated
            authenticated.hasSearchedInVain = false
            state = .emulating(authenticated, .selected)
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

    private mutating func fieldOff(_ effects: inout [Effect]) {
        switch state {
        case .authenticated(var authenticated) where authenticated.isReaderPresent:
            authenticated.isReaderPresent = false
            state = .authenticated(authenticated)
            effects.append(.tellDisconnected)
        case .starting(var authenticated) where authenticated.isReaderPresent:
            authenticated.isReaderPresent = false
            state = .starting(authenticated)
            effects.append(.tellDisconnected)
        case .emulating(_, .unsuited):
            stop(.posNotSupported, &effects)
        case .emulating(let authenticated, .searching) where authenticated.hasSearchedInVain:
            stop(.posNotSupported, &effects)
        case .emulating(var authenticated, .searching):
            authenticated.hasSearchedInVain = true
            state = .emulating(authenticated, nil)
            effects += [.tellDisconnected, .topUp(authenticated.card)]
        case .emulating(let authenticated, .some):
            state = .emulating(authenticated, nil)
            effects += [.tellDisconnected, .topUp(authenticated.card)]
        case .paid:
            state = .ended
            effects.append(.withdraw)
        default:
            break
        }
    }

    private mutating func timeUp(_ effects: inout [Effect]) {
        switch state {
        case .emulating(let authenticated, nil) where authenticated.hasSearchedInVain:
            stop(.posNotSupported, &effects)
        case .emulating: stop(.maxSessionDurationReached, &effects)
        case .paid: fieldOff(&effects)
        default: break
        }
    }

    private mutating func stop(_ error: PaymentError, _ effects: inout [Effect]) {
        switch state {
        case .idle, .awaitingAuthentication: break
        case .authenticating: effects.append(.dismissPrompt)
        // Before the end is told, so that whoever then starts anew finds the radio free.
        case .authenticated, .starting, .emulating: effects.append(.withdraw)
        case .paid: return fieldOff(&effects)
        case .ended: return
        }
        state = .ended
        effects.append(.fail(error))
    }
}
