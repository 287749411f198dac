import CommandLineKit
import EMVData
import Emulation
import Foundation
import Glibc
import IssuerHost
import NFCWallet
import PassKitSimulator
import Profiles
import SecureStore
import TokenService

/// A wallet kept in a file, with the bank and the token service behind it, which keep theirs beside it.
struct StoredWallet {
    /// The option that names the file, for commands that can do without.
    static let option = CommandOption.value(
        "wallet",
        "FILE",
        "A wallet that tapwire wallet has filled pays; its keys and history are kept."
    )

    /// The option that chooses one of its cards.
    static let cardOption = CommandOption.value(
        "card",
        "CARD",
        "Which card of the wallet; the default one without."
    )

    /// Where the wallet of a command is that can do without; nil where it does.
    /// - Throws: `CommandFailure` when another card is asked for as well.
    static func path(_ arguments: Arguments) throws -> String? {
        guard let path = arguments["wallet"] else {
            if arguments.has("card") {
                throw CommandFailure(.usage, "--card chooses a card of a wallet; add --wallet FILE")
            }
            return nil
        }
        for option in ["scheme", "profile", "seed"] where arguments.has(option) {
            throw CommandFailure(.usage, "leave out --\(option): the card of the wallet pays")
        }
        return path
    }

    /// Whether nothing has this name yet, or a file without anything in it.
    private static func isVacant(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    }

    /// All files that belong to a wallet and its phone or watch: their own, the bank's and the passes', with their keys,
    /// journals and locks.
    static func files(of path: String) -> [String] {
        let phone = phonePath(of: path)
        let stores = [phone, watchPath(of: phone)].flatMap { device in
            ["", ".bank", ".passes"].flatMap { name in
                ["", ".key", "-wal", "-shm"].map { device + name + $0 }
            }
        }
        return stores + [lockPath(of: phone), lockPath(of: watchPath(of: phone))]
    }

    private static let watchSuffix = ".watch"

    /// Where the wallet of the watch is that is paired with a phone.
    static func watchPath(of phone: String) -> String { phone + watchSuffix }

    /// The wallet of the phone that a watch is paired with; the path itself for any other wallet.
    private static func phonePath(of path: String) -> String {
        let phone = String(path.dropLast(watchSuffix.count))
        let isWatch =
            path.hasSuffix(watchSuffix) && FileManager.default.fileExists(atPath: phone)
            && !FileManager.default.fileExists(atPath: path + ".bank")
        return isWatch ? phone : path
    }

    /// The file that a program locks while it adds a card.
    static func lockPath(of path: String) -> String {
        StoredPassRecords.lockPath(of: path + ".passes")
    }

    /// Where the wallet is.
    let path: String
    /// The wallet.
    let wallet: Wallet
    /// Makes tokens and payment keys.
    let tokens: TokenService
    /// Whose tokens they are: a phone and its watch share a bank.
    let device: DeviceIdentifier
    /// The token service as the device sees it.
    let server: any CardService
    /// What the wallet is kept in.
    let store: WalletStore
    /// What the token service keeps its tokens in.
    private let records: StoredTokenRecords
    private let bankPath: String

    /// How much each account has, in the smallest unit of any currency.
    private static let availableMinorUnits: UInt64 = 1_000_000
    /// The accounts people may add cards of, by scheme.
    static let accountCount = 9

    /// What the token service is to decide on a card, and how the wallet is used.
    struct Settings {
        var colour = DigitizationDecision.Colour.green
        var isOffline = false
        /// Whether the wallet is made where there is none.
        var makesFile = false
        var usesDeviceCVM = true
        var deliverCode: @Sendable (IDVMethod, String) -> Void = { _, _ in }
        /// Decides in view of the reasons to look at a card twice.
        var weigh: DigitizationRules.Weighing?
        /// The token service's time, in seconds since 1970.
        var now: @Sendable () -> Int64 = { WallClock.now }
    }

    /// The cards as they stood when the wallet was opened: people count by what they have seen.
    private let numbering: [DigitalCard.ID]

    /// Opens a wallet, and finishes what an earlier program broke off between the wallet and its server.
    /// - Throws: `CommandFailure`.
    init(
        path: String,
        field: some CardField = SoftwareField(),
        _ settings: Settings = Settings()
    ) throws {
        self.path = path
        let phone = Self.phonePath(of: path)
        device = DeviceIdentifier(rawValue: phone == path ? "" : "watch")
        bankPath = phone + ".bank"
        // These come after the wallet where another program is making one.
        let others = [path + ".key", bankPath]
        let hasOthers = others.allSatisfy(FileManager.default.fileExists)
        let isVacant = Self.isVacant(path)
        guard !isVacant || !hasOthers else {
            throw CommandFailure(
                .badFile,
                "\(path): the wallet is missing or empty, and \(others[0]) and \(others[1]) belong to it; "
                    + "restore it from a copy, or begin anew with another file"
            )
        }
        guard settings.makesFile || !isVacant else {
            throw CommandFailure(
                .badFile,
                "there is no wallet at \(path); tapwire wallet add makes one"
            )
        }
        do throws(SecureStoreError) {
            store = try WalletStore(path: path)
        } catch {
            throw CommandFailure(error, path)
        }
        let hasCards: Bool
        do throws(PaymentKeyStoreError) {
            hasCards = try !store.contents().cards.isEmpty
        } catch {
            throw CommandFailure(.keyStore(error), path)
        }
        do throws(StoreFileError) {
            // A bank that has no cards in a wallet yet is made; one that was lost is not made anew.
            records = StoredTokenRecords(
                try store.companion("bank", at: bankPath, isMade: !hasCards)
            )
        } catch {
            throw CommandFailure(error.cause, error.path)
        }
        var rules = DigitizationRules { number in
            Scheme.allCases.first { scheme in
                (1...Self.accountCount).contains { Self.account(scheme, $0) == number }
            }.map { [UInt8](CardProfile.builtInJSON($0).utf8) }
        }
        rules.decide = { [colour = settings.colour] _ in colour }
        rules.deliverCode = settings.deliverCode
        rules.weigh = settings.weigh
        tokens = TokenService(
            ranges: IssuerProfile.builtIn,
            host: IssuerHost(issuers: IssuerProfile.builtIn, accounts: Self.accounts()),
            records: records,
            rules: rules,
            now: settings.now
        )
        server = tokens.service(for: device)
        var configuration = Wallet.Configuration()
        configuration.requiresAuthentication = settings.usesDeviceCVM
        wallet = Wallet(
            field: field,
            authenticator: SimulatedAuthenticator(),
            service: settings.isOffline ? OfflineCredentialService() : server,
            keys: store,
            records: store,
            configuration: configuration
        )
        numbering = (try? wallet.cards.map(\.id)) ?? []
        if !settings.isOffline { finishOperations() }
    }

    /// Which file is at fault, and why, where a room has said no more than that its store failed; nil where none is.
    var storeFailure: CommandFailure? {
        store.lastFailure.map { CommandFailure($0, path) }
            ?? records.lastFailure.map { CommandFailure($0, bankPath) }
    }

    /// Opens the passes of the wallet's cards; makes their file where the wallet has had none so far.
    /// - Throws: `CommandFailure`.
    func passes() throws -> StoredPassRecords {
        do throws(StoreFileError) {
            let records = StoredPassRecords(try store.companion("passes", isMade: true))
            do throws(SecureStoreError) {
                // Wallet takes passes that cannot be read for passes that are not there.
                _ = try records.passes()
            } catch {
                throw StoreFileError(path + ".passes", error)
            }
            return records
        } catch {
            throw CommandFailure(error.cause, error.path)
        }
    }

    /// Brings the cards into the states the server has them in; where that fails, what is done next says why.
    private func finishOperations() {
        let manager = DigitalCardManager(wallet: wallet, server: server)
        for card in (try? manager.synchronize()) ?? [] {
            let state = card.state == .retired ? "deleted" : "\(card.state)"
            Console.diagnostics.write(
                "tapwire: \(card.shown) is \(state) now, as at its bank; an earlier command was broken off, or the "
                    + "wallet is an older copy\n"
            )
        }
    }

    /// The number of an account of the test bank: the range's first digits, zeros and a serial number.
    static func account(_ scheme: Scheme, _ serial: Int) -> PrimaryAccountNumber? {
        let range = IssuerProfile.builtIn.first { $0.scheme == scheme }
        guard let range else { return nil }
        let front = range.identificationNumber.map(String.init).joined()
        let serialText = String(serial)
        let zeros = String(repeating: "0", count: 15 - front.count - serialText.count)
        return (0...9).lazy
            .compactMap { PrimaryAccountNumber(text: front + zeros + serialText + String($0)) }
            .first(where: \.hasValidCheckDigit)
    }

    private static func accounts() -> [Account] {
        Scheme.allCases.flatMap { scheme in
            (1...accountCount).compactMap { serial in
                account(scheme, serial).map { number in
                    Account(
                        number: number,
                        sequenceNumber: 0,
                        lastDay: lastDay(scheme),
                        availableMinorUnits: availableMinorUnits
                    )
                }
            }
        }
    }

    /// The last day of the accounts of a scheme: that of its built-in card.
    static func lastDay(_ scheme: Scheme) -> TransactionDate {
        CardProfile.builtIn(scheme).applications[0].expirationDate
    }

    /// The wallet's cards.
    /// - Throws: `CommandFailure`.
    func cards() throws -> [DigitalCard] {
        try wrap { () throws(WalletError) in try wallet.cards }
    }

    /// The card people mean: by its number in the list, or its identifier; the default one when they name none.
    /// - Throws: `CommandFailure`.
    func card(_ name: String?) throws -> DigitalCard {
        let cards = try cards()
        guard let name else {
            let id = try wrap { () throws(WalletError) in try wallet.defaultCard }
            guard let card = cards.first(where: { $0.id == id }) else {
                throw CommandFailure(
                    .usage,
                    cards.isEmpty
                        ? "the wallet has no card yet; add one: tapwire wallet add --scheme visa"
                        : "the wallet has no default card; name one, or set it: tapwire wallet default 1"
                )
            }
            return card
        }
        let number = Int(name).flatMap { numbering.indices.contains($0 - 1) ? $0 : nil }
        let id = number.map { numbering[$0 - 1] } ?? DigitalCard.ID(rawValue: name)
        guard let card = cards.first(where: { $0.id == id }) else {
            throw CommandFailure(
                .usage,
                "the wallet has no card \(name.quoted); tapwire wallet list shows those it has"
            )
        }
        return card
    }

    /// Does something while no other program adds, activates or changes a card.
    func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
        let lock = Self.lockPath(of: path)
        let result: Result<Value, any Error>
        do throws(SecureStoreError) {
            result = try FileLock.hold(lock, body)
        } catch {
            throw CommandFailure(error, lock)
        }
        return try result.get()
    }

    /// Does something with the wallet and puts its error into words.
    func wrap<Value>(_ body: () throws(WalletError) -> Value) throws -> Value {
        do throws(WalletError) {
            return try body()
        } catch .credentials(.serverError) {
            throw storeFailure ?? CommandFailure(CredentialError.serverError)
        } catch {
            throw CommandFailure(error, path)
        }
    }
}

extension CommandFailure {
    /// Says what is wrong with a store.
    init(_ error: SecureStoreError, _ path: String) {
        let sentence =
            if case .damagedRecord(let id) = error { id.damage } else { error.description }
        self.init(error == .locked ? .unavailable : .badFile, "\(path): \(sentence)")
    }

    /// Says why a wallet does not do what it was asked to.
    init(_ error: WalletError, _ path: String) {
        switch error {
        case .unknownCard:
            self.init(.usage, "the wallet has no such card; tapwire wallet list shows those it has")
        case .illegalTransition(let old, let new) where old == new:
            self.init(.failure, "the card is \(old) already")
        case .illegalTransition(.inactive, _):
            self.init(.failure, "the card waits to be activated; tapwire wallet activate does that")
        case .illegalTransition(let old, let new):
            self.init(.failure, "a card that is \(old) cannot become \(new)")
        case .keyStore(let error):
            if let cause = error.cause {
                self.init(cause, path)
            } else {
                self.init(.badFile, "\(path) cannot be used")
            }
        case .credentials(let error): self.init(error)
        }
    }

    /// Says why the server did nothing.
    init(_ error: CredentialError) {
        switch error {
        case .networkError:
            self.init(
                .unavailable,
                "the server cannot be reached; the keys that are left still pay"
            )
        case .cardNotActive:
            self.init(
                .failure,
                "the server makes no keys for a card that is not active; activate or resume it"
            )
        case .unknownCard, .clientError:
            self.init(.failure, "the server does not know the card; delete it and add it anew")
        case .serverError:
            self.init(
                .failure,
                "the server failed, or makes no more keys for the card this hour; try again later"
            )
        case .replenishmentLimitReached:
            self.init(
                .failure,
                "the card has got keys as often as it may; delete it and add it anew"
            )
        }
    }
}

extension RecordID {
    /// What was in a damaged record of a wallet, its bank or its passes, and what helps.
    fileprivate var damage: String {
        let restore = "restore the file from a copy"
        let renew =
            "\(restore), or delete the card (tapwire wallet delete \(owner)) and add it anew"
        let (name, advice) =
            switch kind {
            case "key": ("payment key \(number) of card \(owner)", renew)
            case "sum": ("the sum that is left to payment key \(number) of card \(owner)", renew)
            case "payment": ("payment \(number) in the history of card \(owner)", renew)
            case "counters": ("the record of how far card \(owner) has counted", restore)
            case "use": ("the record of who has keys of card \(owner)", restore)
            case "wallet": ("the list of the cards", restore)
            case "card": ("card \(owner)", restore)
            case "companion": ("the record of which \(owner) belongs to it", restore)
            case "token": ("token \(number)", restore)
            case "pass": ("pass \(number)", restore)
            case "secret": ("the secret of the Apple Pay server", restore)
            default: ("its record \(self)", restore)
            }
        return "\(name) is damaged or was changed; \(advice)"
    }
}
