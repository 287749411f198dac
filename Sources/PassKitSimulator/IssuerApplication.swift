public import NFCWallet

/// An issuer's app that is installed on the phone, with the extensions that came with it.
public struct IssuerApplication: Sendable {
    /// The bundle identifier of the app.
    public var bundleIdentifier: String
    /// What the app and its extensions may do; the extensions may have less.
    public var entitlements: Entitlements
    /// What the extension without a user interface may do.
    public var extensionEntitlements: Entitlements
    /// What the extension that authenticates the user may do.
    public var authorizationEntitlements: Entitlements
    /// The way to the issuer's server.
    public var issuerServer: any IssuerServer
    /// Makes the extension without a user interface, the `NSExtensionPrincipalClass` of `com.apple.PassKit.issuer-provisioning`.
    public var makeHandler: @Sendable () -> PKIssuerProvisioningExtensionHandler
    /// Makes the extension that authenticates the user, of `com.apple.PassKit.issuer-provisioning.authorization`.
    public var makeAuthorization:
        (@Sendable () -> any PKIssuerProvisioningExtensionAuthorizationProviding)?
    /// Does what the user does in that extension, such as touching its button.
    public var useAuthorization:
        @Sendable (any PKIssuerProvisioningExtensionAuthorizationProviding) -> Void

    /// Collects the parts.
    public init(
        bundleIdentifier: String,
        entitlements: Entitlements,
        extensionEntitlements: Entitlements? = nil,
        authorizationEntitlements: Entitlements? = nil,
        issuerServer: any IssuerServer,
        makeHandler: @escaping @Sendable () -> PKIssuerProvisioningExtensionHandler = {
            PKIssuerProvisioningExtensionHandler()
        },
        makeAuthorization: (
            @Sendable () -> any PKIssuerProvisioningExtensionAuthorizationProviding
        )? = nil,
        useAuthorization:
            @escaping @Sendable (any PKIssuerProvisioningExtensionAuthorizationProviding) -> Void =
            { _ in }
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.entitlements = entitlements
        let extensionEntitlements = extensionEntitlements ?? entitlements
        self.extensionEntitlements = extensionEntitlements
        self.authorizationEntitlements = authorizationEntitlements ?? extensionEntitlements
        self.issuerServer = issuerServer
        self.makeHandler = makeHandler
        self.makeAuthorization = makeAuthorization
        self.useAuthorization = useAuthorization
    }
}

/// What Wallet found out about an issuer's app.
public struct IssuerDiscovery: Hashable, Sendable {
    /// Whether Wallet shows the app: it has cards, and said so in time.
    public var isShown: Bool
    /// Whether the user has to authenticate.
    public var requiresAuthentication: Bool
    /// How long `status` took.
    public var duration: Duration
    /// Why there is no status.
    public var error: ProvisioningError?
    /// Whether it took longer than it may.
    public var isLate: Bool {
        switch error {
        case .timedOut, .timedOutInAll: true
        default: false
        }
    }
}

/// A card that an extension has offered.
public struct PassOffer: Hashable, Sendable {
    /// Names it between Wallet and extension.
    public var identifier: String
    /// What it is called.
    public var title: String
    /// Its picture.
    public var art: CardArt
    /// Whether it is for the watch.
    public var isForWatch: Bool
    var configuration: PassConfiguration

    /// The name on the card.
    public var cardholderName: String? { configuration.cardholderName }
    /// The last digits of the account number.
    public var primaryAccountSuffix: String? { configuration.primaryAccountSuffix }
}

/// What the user does while a card is added.
public struct WalletUser: Sendable {
    /// Whether he accepts terms.
    public var acceptsTerms: @Sendable (String) -> Bool = { _ in true }
    /// Which of the offered cards he chooses; nil for none.
    public var choose: @Sendable ([PassOffer]) -> PassOffer? = { $0.first }
    /// Why his card is looked at twice.
    public var reasons: Set<ReasonCode> = []

    /// Takes the first card and accepts its terms.
    public init() {}
}
