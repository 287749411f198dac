import CommandLineKit
import EMVData
import Emulation
import NFCWallet
import Profiles
import Synchronization
import TokenService

/// A wallet with one card, and the bank that makes its payment keys.
struct CardWallet {
    /// The card.
    let profile: CardProfile
    /// The issuer's side.
    let bank: any AuthorizationHost
    private let wallet: Wallet
    private let card: DigitalCard.ID
    /// The wallet in a file that the card is of; nil where the card is the only one.
    private let stored: StoredWallet?

    /// How much the account behind the card has, in the smallest unit of any currency.
    static let availableMinorUnits: UInt64 = 1_000_000
    /// How many payment keys are fetched at a time.
    private static let batchCount = 32

    /// Puts a card into a wallet.
    /// - Parameters:
    ///   - card: The card.
    ///   - field: The radio.
    ///   - usesDeviceCVM: Whether the user authenticates on the device.
    ///   - seed: What random numbers follow from; nil for the system's.
    ///   - spentCounter: The counter before that of the first payment.
    ///   - availableMinorUnits: How much the account behind the card has.
    /// - Throws: `CommandFailure` when the card cannot pay.
    init(
        _ card: CardPersonalization,
        field: some CardField,
        usesDeviceCVM: Bool,
        seed: UInt64? = nil,
        spentCounter: UInt16 = 0,
        availableMinorUnits: UInt64 = Self.availableMinorUnits
    ) throws {
        profile = card.profile
        stored = nil
        let application = card.profile.applications[0]
        var configuration = Wallet.Configuration()
        configuration.requiresAuthentication = usesDeviceCVM
        if let seed {
            // Not the terminal's numbers, which follow from the seed itself.
            let generator = Mutex(SeededGenerator(seed: ~seed))
            configuration.randomBytes = { count in
                generator.withLock { generator in
                    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
                }
            }
        }
        do {
            let bank = try TestBank([card], availableMinorUnits: availableMinorUnits)
            self.bank = bank
            self.card = application.digitalCardID
            wallet = Wallet(
                field: field,
                authenticator: SimulatedAuthenticator(),
                service: bank.tokens,
                keys: MemoryKeyStore(spentCounters: [application.digitalCardID: spentCounter]),
                configuration: configuration
            )
            try wallet.add(DigitalCard(id: application.digitalCardID, label: application.label)) {
                card.makeCard()
            }
            try wallet.setDefaultCard(application.digitalCardID)
        } catch {
            throw CommandFailure(.internalFault, "the wallet cannot take the card: \(error)")
        }
        try replenish()
    }

    /// Takes a card of a wallet in a file, which becomes its default one.
    /// - Parameters:
    ///   - path: Where the wallet is.
    ///   - name: The card, as people name it; nil for the default one.
    ///   - field: The radio.
    ///   - usesDeviceCVM: Whether the user authenticates on the device.
    /// - Throws: `CommandFailure`.
    init(
        path: String,
        _ name: String?,
        field: some CardField,
        usesDeviceCVM: Bool
    ) throws {
        var settings = StoredWallet.Settings()
        settings.usesDeviceCVM = usesDeviceCVM
        let stored = try StoredWallet(path: path, field: field, settings)
        let chosen = try stored.card(name)
        guard chosen.state == .active else {
            throw CommandFailure(.failure, "\(chosen.shown) does not pay: it is \(chosen.state)")
        }
        guard let profile = try? chosen.contents?.personalization().profile else {
            throw CommandFailure(
                .failure,
                "\(chosen.shown) does not pay: \(PaymentError.cardNotSupported.text)"
            )
        }
        self.profile = CardProfile(
            name: "\(chosen.label) of the wallet",
            // A token is nobody's published number.
            isPublic: false,
            uid: profile.uid,
            historicalBytes: profile.historicalBytes,
            applications: profile.applications
        )
        card = chosen.id
        wallet = stored.wallet
        bank = stored.tokens
        self.stored = stored
        try stored.wrap { () throws(WalletError) in try stored.wallet.setDefaultCard(chosen.id) }
        try replenish()
    }

    /// Fetches payment keys where few are left.
    /// - Returns: How many payments the card can still make; zero after the last counter, FFFF.
    @discardableResult
    func replenish() throws -> Int {
        do throws(WalletError) {
            if try wallet.paymentCount(of: card) < wallet.reservedKeyCount {
                try wallet.replenish(card, count: Self.batchCount)
            }
            return try wallet.paymentCount(of: card)
        } catch {
            guard let stored else {
                throw CommandFailure(.internalFault, "the wallet gets no payment keys: \(error)")
            }
            throw stored.storeFailure ?? CommandFailure(error, stored.path)
        }
    }

    /// Begins a payment.
    func makeSession() -> ContactlessPaymentSession { ContactlessPaymentSession(wallet: wallet) }

    /// Says why no session shows the card any more.
    func failure(_ error: PaymentError?) -> CommandFailure {
        let reason = error?.text ?? "no reason given"
        guard let stored else {
            return CommandFailure(.internalFault, "the wallet does not pay: \(reason)")
        }
        let isStore = error == .keychainError || error == .setDefaultCardFailure
        return (isStore ? stored.storeFailure : nil)
            ?? CommandFailure(.failure, "the wallet does not pay: \(reason)")
    }
}

extension ContactlessPaymentSession {
    /// Starts the payment and lets the user authenticate, until the card is shown to readers.
    ///
    /// Everything up to there follows from calls made here, so nothing is waited for.
    /// - Parameters:
    ///   - events: What the session tells.
    ///   - tell: Told each event.
    /// - Returns: False when the session has ended.
    func showCard(
        _ events: inout AsyncStream<Event>.Iterator,
        tell: (Event) -> Void
    ) async -> Bool {
        startPayment()
        while let event = await events.next(isolation: #isolation) {
            tell(event)
            switch event {
            case .authenticationRequired(let authentication): authentication.proceed()
            case .authenticationCompleted:
                startEmulation()
                return true
            default: break
            }
        }
        return false
    }
}
