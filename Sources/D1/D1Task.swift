import Foundation
public import PassKitSimulator

/// The SDK in the issuer's app.
public final class D1Task: Sendable {
    /// Which issuer's cards an app without `issuerParamsList` has.
    public let issuerID: String
    private let process: AppProcess

    /// Prepares the SDK in the process of an app.
    public init(issuerID: String, in process: AppProcess) {
        self.issuerID = issuerID
        self.process = process
    }

    /// Takes the app's configuration, and shares with its extensions what they need.
    ///
    /// Once after the installation is enough; at each start of the app keeps the cards up to date.
    /// - Parameters:
    ///   - configs: The parts; one `coreConfig` among them.
    ///   - completion: Called once, before this returns, with what failed; nil when nothing did.
    public func configure(_ configs: [ConfigParams], completion: ([D1Error]?) -> Void) {
        var errors: [D1Error] = []
        var consumerID: String?
        for config in configs {
            if case .core(let consumer) = config.content { consumerID = consumer }
        }
        if consumerID?.isEmpty ?? true { errors.append(D1Error(.invalidParameter)) }
        for config in configs {
            switch config.content {
            case .core, .card: break
            case .cards(let cards, let group):
                let shared = cards.map {
                    SharedCard($0, issuerID: issuerID, consumerID: consumerID ?? "")
                }
                share(shared, group, &errors)
            case .issuers(let issuers, let group):
                let shared = issuers.map {
                    SharedCard($0.cardParams, issuerID: $0.issuerID, consumerID: $0.consumerID)
                }
                share(shared, group, &errors)
            }
        }
        completion(errors.isEmpty ? nil : errors)
    }

    private func share(_ cards: [SharedCard], _ groupID: String, _ errors: inout [D1Error]) {
        guard let container = AppGroupContainer(groupID: groupID, of: process) else {
            errors.append(D1Error(.invalidAppGroupID))
            return
        }
        guard
            cards.allSatisfy({
                !$0.cardID.isEmpty && !$0.issuerID.isEmpty && !$0.title.isEmpty
                    && $0.last4.map { $0.count == 4 && $0.allSatisfy(\.isNumber) } ?? true
            })
        else {
            errors.append(D1Error(.invalidParameter))
            return
        }
        // Another user must not find what the one before him has left.
        let old = container.file(SharedCard.fileName).flatMap(SharedCard.decode) ?? []
        ExtensionSession.forgetLogins(of: old, except: cards, in: groupID, of: process)
        container.write(SharedCard.encode(cards), to: SharedCard.fileName)
    }
}

/// What the app tells its extensions about a card, in the container of their group.
struct SharedCard: Codable {
    var cardID: String
    var title: String
    var art: Data
    var last4: String?
    var issuerID: String
    var consumerID: String

    var login: ExtensionSession.Login {
        ExtensionSession.Login(issuerID: issuerID, consumerID: consumerID)
    }

    static let fileName = "D1WalletExtension.json"

    init(_ card: ConfigParams.CardParams, issuerID: String, consumerID: String) {
        cardID = card.cardID
        title = card.productTitle
        art = Data(card.cardArt.bytes)
        last4 = card.last4
        self.issuerID = issuerID
        self.consumerID = consumerID
    }

    static func encode(_ cards: [SharedCard]) -> Data {
        guard let text = try? JSONEncoder().encode(cards) else {
            preconditionFailure("texts cannot be written as JSON")
        }
        return text
    }

    static func decode(_ text: Data) -> [SharedCard]? {
        try? JSONDecoder().decode([SharedCard].self, from: text)
    }
}
