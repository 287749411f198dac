import Emulation
import NFCWallet
import PassKitSimulator
import Synchronization
import Testing
import TokenService

/// A wallet's records that another program changes between the look at a card and its change.
private final class ContestedRecords: WalletRecords {
    private let base = MemoryRecords()
    private let rival = Mutex<(@Sendable (MemoryRecords) -> Void)?>(nil)

    /// Has the other program act before the next change.
    func interrupt(_ action: @escaping @Sendable (MemoryRecords) -> Void) {
        rival.withLock { $0 = action }
    }

    func contents() -> WalletContents { base.contents() }
    func update<Value: Sendable>(_ change: (inout WalletContents) -> Value) -> Value {
        rival.withLock { $0.take() }?(base)
        return base.update(change)
    }
    func record(_ entry: HistoryEntry) { base.record(entry) }
    func history(of card: DigitalCard.ID) -> [HistoryEntry] { base.history(of: card) }
    func removeHistory(of card: DigitalCard.ID) { base.removeHistory(of: card) }
}

@Suite("A card that another program changes at the same moment")
struct FasterProgramTests {
    private static let card = DigitalCard.ID(rawValue: "card")

    private static func wallet(_ records: some WalletRecords) -> Wallet {
        Wallet(
            field: SoftwareField(),
            authenticator: SimulatedAuthenticator(),
            service: OfflineCredentialService(),
            records: records
        )
    }

    @Test(
        "It is as it was to be, and that is no failure; otherwise it is",
        arguments: [DigitalCard.State.active, .retired],
        [DigitalCard.State.active, .retired]
    )
    func race(wanted: DigitalCard.State, made: DigitalCard.State) throws {
        let records = ContestedRecords()
        let wallet = Self.wallet(records)
        try wallet.add(DigitalCard(id: Self.card, label: "Card", state: .inactive))
        let desk = try ProvisioningDesk(.green)
        let element = SimulatedSecureElement(wallet, server: desk.tokens)
        records.interrupt { base in try? Self.wallet(base).setState(made, of: Self.card) }
        // An active card may still be deleted; a deleted one is never active again.
        if wanted == .active, made == .retired {
            #expect(throws: ProvisioningError.store) {
                try element.setState(wanted, of: Self.card)
            }
        } else {
            try element.setState(wanted, of: Self.card)
        }
        let expected: DigitalCard.State? = made == .retired || wanted == .retired ? nil : .active
        #expect(try wallet.cards.first?.state == expected)
    }
}
