import EMVData
import Emulation
import IssuerHost
import NFCWallet
import Profiles
import TerminalKernels
import TokenService
import VirtualPOS

/// Pays 12.34 EUR from a wallet at a virtual point of sale, and prints what the app and the merchant see.
@main
struct Example {
    static func main() async throws {
        // The card, its issuer, and the token service that makes its payment keys.
        let personalization = try CardPersonalization(.builtIn(.visa))
        let application = personalization.profile.applications[0]
        let host = IssuerHost(
            issuers: personalization.issuers,
            accounts: [
                Account(
                    number: application.pan,
                    sequenceNumber: application.panSequenceNumber,
                    lastDay: application.expirationDate,
                    availableMinorUnits: 100_00
                )
            ]
        )
        let card = DigitalCard.ID(rawValue: "my card")
        let tokens = TokenService(ranges: personalization.issuers, host: host)
        try tokens.issue(
            Token(
                number: application.pan,
                sequenceNumber: application.panSequenceNumber,
                lastDay: application.expirationDate,
                version: application.cryptogram,
                account: application.pan,
                card: card
            )
        )

        // The wallet, with a field that a terminal in this process can tap.
        let field = SoftwareField()
        let wallet = Wallet(
            field: field,
            authenticator: SimulatedAuthenticator(),
            service: tokens
        )
        try wallet.add(DigitalCard(id: card, label: "Visa")) { personalization.makeCard() }
        try wallet.setDefaultCard(card)
        try wallet.replenish(card, count: 4)

        // The app: what an iOS app does with the SDK's session.
        let session = ContactlessPaymentSession(wallet: wallet)
        session.startPayment()
        for await event in session.eventStream {
            switch event {
            case .authenticationRequired(let authentication):
                print("app: authentication required")
                authentication.proceed()
            case .authenticationCompleted:
                print("app: authenticated, hold the phone to the reader")
                session.startEmulation()
                try tap(field, host: tokens)
            case .posConnected: print("app: a reader is there")
            case .posDisconnected: print("app: the reader is gone")
            case .transactionCompleted(let transactionContext):
                print("app: done, \(transactionContext.status)")
            case .errorEncountered(let error): print("app: failed, \(error)")
            }
        }
    }

    /// The merchant: a terminal that taps whatever is in the field.
    static func tap(_ field: SoftwareField, host: any AuthorizationHost) throws {
        guard let date = TransactionDate(text: "2026-11-30") else { return }
        let configuration = TerminalConfiguration.builtIn
        let terminal = try POSTerminal(configuration)
        var environment = POSEnvironment(caKeys: configuration.caKeys)
        var reader = field.makeTransport()
        let report = try terminal.tap(
            Transaction(
                amount: Amount(parsing: "12.34", currency: .init(rawValue: 978)),
                type: .purchase,
                date: date,
                time: [0x12, 0x00, 0x00],
                sequenceCounter: 1
            ),
            over: &reader,
            host: host,
            environment: &environment,
            surroundings: POSTerminal.Surroundings(clock: .continuous)
        )
        print("merchant: \(report.result)")
    }
}
