public import NFCWallet

/// Who takes part when a card gets into a wallet.
public enum Party: String, Hashable, Sendable, CaseIterable {
    /// Who holds the device.
    case user
    /// The issuer's app.
    case issuerApp
    /// The issuer's extension without a user interface.
    case handlerExtension
    /// The issuer's extension that authenticates the user.
    case authorizationExtension
    /// The Wallet app of the phone.
    case wallet
    /// Where the device keeps cards and keys.
    case secureElement
    /// The Apple Pay server.
    case applePayServer
    /// The token service of the payment network.
    case tokenService
    /// The issuer's server.
    case issuerServer
    /// What brings messages to the device.
    case push
    /// The network between the device and the servers.
    case connectivity

    /// The name for people.
    public var name: String {
        switch self {
        case .user: "user"
        case .issuerApp: "issuer app"
        case .handlerExtension: "extension"
        case .authorizationExtension: "UI extension"
        case .wallet: "Wallet"
        case .secureElement: "secure element"
        case .applePayServer: "Apple Pay server"
        case .tokenService: "token service"
        case .issuerServer: "issuer server"
        case .push: "push"
        case .connectivity: "network"
        }
    }

    /// Whether it is on the device, and needs the network to reach the others.
    var isOnDevice: Bool {
        switch self {
        case .user, .issuerApp, .handlerExtension, .authorizationExtension, .wallet, .secureElement:
            true
        case .applePayServer, .tokenService, .issuerServer, .push, .connectivity: false
        }
    }
}

/// How a party is to behave when it is called next.
public enum Behaviour: Hashable, Sendable {
    /// It takes so much longer.
    case delay(Duration)
    /// It refuses, for this reason.
    case refuse(String)
    /// It fails with an HTTP status and a message.
    case fail(status: Int, message: String)
    /// It cannot be reached.
    case unreachable
    /// It does what it is asked to, and its answer is lost.
    case loseAnswer
}

/// One party called another.
public struct Exchange: Hashable, Sendable {
    /// Counts the calls of a simulation, from 0.
    public var number: Int
    /// Who called.
    public var from: Party
    /// Who was called.
    public var to: Party
    /// The call.
    public var name: String
    /// What can be said about it; no account number, key or token.
    public var detail: String
    /// When it began, since the simulation did.
    public var start: Duration
    /// How long it took.
    public var duration: Duration = .zero
    /// Why it failed; nil when it did not.
    public var error: ProvisioningError?
    /// How many calls it was inside.
    public var depth: Int
}

/// Why a card does not get into the wallet, or does not change.
public enum ProvisioningError: Error, Hashable, Sendable {
    /// A party refused.
    case refused(Party, reason: String)
    /// A server answered with an HTTP status and a message.
    case server(Party, status: Int, message: String)
    /// A party cannot be reached.
    case unreachable(Party)
    /// A party did not answer within its time.
    case timedOut(Party, call: String, limit: Duration)
    /// A party took more than its time for all calls together; this was the last one.
    case timedOutInAll(Party, call: String, limit: Duration)
    /// The Apple Pay server does not accept the request.
    case request(PassDataError)
    /// The token service does not accept the card.
    case digitization(DigitizationError)
    /// The token service declined the card (red).
    case declined
    /// The user did not accept the terms, or chose nothing.
    case cancelled
    /// The user is not authenticated.
    case notAuthenticated
    /// The app lacks the entitlement to add passes.
    case missingEntitlement
    /// The device has a pass of this account already.
    case alreadyOnDevice
    /// There is no such pass, or it may not do this now.
    case unknownPass
    /// The watch is not paired or out of reach.
    case notPaired
    /// The device cannot keep the card.
    case store
    /// Somebody else is adding, activating or changing a card of the device, and takes long.
    case busy
    /// The process has ended; only for tests of what is left then.
    case processEnded

    /// An extension has no cards for Wallet to show.
    public static let noCards = Self.refused(.handlerExtension, reason: "it has no cards to add")
    /// An extension was asked for the request of a card and has none.
    public static let noRequest = Self.refused(.handlerExtension, reason: "it made no request")
}
