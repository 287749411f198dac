public import PassKitSimulator

/// One part of what an app configures the SDK with.
public struct ConfigParams: Sendable {
    /// A card that Wallet may offer.
    public struct CardParams: Sendable {
        let cardID: String
        let cardArt: CardArt
        let productTitle: String
        let last4: String?

        /// Describes a card.
        /// - Parameters:
        ///   - cardID: Its name at the issuer's server.
        ///   - cardArt: Its picture; `tapwire provision check-art` knows the rules.
        ///   - productTitle: What it is called.
        ///   - last4: The last four digits of its number. Without them a card counts as added once any card of the app
        ///     is in Wallet, which may be one of another user of the device.
        public init(
            cardID: String,
            cardArt: CardArt,
            productTitle: String,
            last4: String? = nil
        ) {
            self.cardID = cardID
            self.cardArt = cardArt
            self.productTitle = productTitle
            self.last4 = last4
        }
    }

    /// A card with whose it is, for apps of several issuers.
    public struct IssuerParams: Sendable {
        let cardParams: CardParams
        let issuerID: String
        let consumerID: String

        /// Joins a card with its issuer and consumer.
        public init(cardParams: CardParams, issuerID: String, consumerID: String) {
            self.cardParams = cardParams
            self.issuerID = issuerID
            self.consumerID = consumerID
        }
    }

    enum Content: Sendable {
        case core(consumerID: String)
        case card
        case cards([CardParams], appGroupID: String)
        case issuers([IssuerParams], appGroupID: String)
    }

    let content: Content

    /// Whose cards they are.
    public static func coreConfig(consumerID: String) -> Self {
        Self(content: .core(consumerID: consumerID))
    }

    /// That there are cards.
    public static func cardConfig() -> Self { Self(content: .card) }

    /// What the Wallet extension offers: the cards of one consumer and one issuer.
    public static func walletExtensionConfig(
        cardParamsList: [CardParams],
        appGroupID: String
    ) -> Self {
        Self(content: .cards(cardParamsList, appGroupID: appGroupID))
    }

    /// What the Wallet extension offers: cards of several consumers and issuers.
    public static func walletExtensionConfig(
        issuerParamsList: [IssuerParams],
        appGroupID: String
    ) -> Self {
        Self(content: .issuers(issuerParamsList, appGroupID: appGroupID))
    }
}
