import Foundation
import PassKitSimulator

/// What the two extensions of an app share: the cards the app has put down, and who is logged in.
struct ExtensionSession {
    let process: AppProcess
    private let groupID: String
    /// The cards the app has put down.
    let cards: [SharedCard]

    private static let service = "D1.AccessToken"

    /// Finds what the app has put down in one of the process's groups.
    /// - Throws: `D1Error` 20009 where it has put down nothing.
    init(_ process: AppProcess?, in api: String?) throws(D1Error) {
        let groups = process?.entitlements.appGroups.sorted() ?? []
        for groupID in groups {
            guard let process,
                let text = AppGroupContainer(groupID: groupID, of: process)?
                    .file(SharedCard.fileName),
                let cards = SharedCard.decode(text)
            else { continue }
            self.process = process
            self.groupID = groupID
            self.cards = cards
            return
        }
        throw D1Error(
            .walletExtensionAppGroupIDNotFound,
            in: api,
            cause: .storage(KeychainStatus.itemNotFound.rawValue)
        )
    }

    /// A consumer of an issuer, who logs in there.
    struct Login: Hashable {
        var issuerID: String
        var consumerID: String

        /// The name of the keychain item.
        fileprivate var account: String { "\(issuerID.utf8.count) \(issuerID) \(consumerID)" }
    }

    /// Who logs in for the cards, each once.
    var logins: [Login] { Self.logins(cards) }

    private static func logins(_ cards: [SharedCard]) -> [Login] {
        cards.reduce(into: []) { if !$0.contains($1.login) { $0.append($1.login) } }
    }

    /// The access token of a consumer; nil before he has logged in.
    func accessToken(_ login: Login) -> Data? {
        Keychain(of: process)
            .copyMatching(service: Self.service, account: login.account, accessGroup: groupID)
            .value
    }

    /// Keeps an access token.
    func keep(_ token: Data, for login: Login) -> KeychainStatus {
        let keychain = Keychain(of: process)
        let status = keychain.add(
            service: Self.service,
            account: login.account,
            accessGroup: groupID,
            value: token
        )
        guard status == .duplicateItem else { return status }
        return keychain.update(
            service: Self.service,
            account: login.account,
            accessGroup: groupID,
            value: token
        )
    }

    /// Forgets an access token, so that the user has to log in again.
    func forget(_ login: Login) {
        Keychain(of: process)
            .delete(service: Self.service, account: login.account, accessGroup: groupID)
    }

    /// Forgets the access tokens of those who have no card any more.
    static func forgetLogins(
        of old: [SharedCard],
        except new: [SharedCard],
        in groupID: String,
        of process: AppProcess
    ) {
        let kept = Set(logins(new))
        for login in logins(old) where !kept.contains(login) {
            Keychain(of: process)
                .delete(service: service, account: login.account, accessGroup: groupID)
        }
    }

    /// The cards that a device does not have, as far as that is known without asking a server.
    func missingCards(onWatch: Bool) -> [SharedCard] {
        let library = PKPassLibrary(process)
        let passes =
            onWatch ? library.remoteSecureElementPasses : library.passes(of: .secureElement)
        let live = passes.filter {
            AddToWalletButton($0.passActivationState) != .add
        }
        return cards.filter { card in
            guard let last4 = card.last4 else { return live.isEmpty }
            return !live.contains { $0.primaryAccountNumberSuffix == last4 }
        }
    }
}
