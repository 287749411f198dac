import AirTime
import Emulation
import Foundation
import NFCWallet
import Profiles
import TerminalKernels
import Transport
import VirtualPOS

/// A payment in one process: a card in a wallet, a terminal, and the issuer behind both.
struct WalletPayment {
    private let field: SoftwareField
    private let wallet: CardWallet

    /// Puts the card into a wallet.
    /// - Parameters:
    ///   - card: The card.
    ///   - usesDeviceCVM: Whether the user authenticates on the device.
    ///   - seed: What random numbers follow from; nil for the system's.
    /// - Throws: `CommandFailure` when the card cannot pay.
    init(_ card: CardPersonalization, usesDeviceCVM: Bool, seed: UInt64?) throws {
        field = SoftwareField()
        wallet = try CardWallet(card, field: field, usesDeviceCVM: usesDeviceCVM, seed: seed)
    }

    /// Lets a card of a wallet in a file pay.
    /// - Parameters:
    ///   - path: Where the wallet is.
    ///   - card: The card, as people name it; nil for the default one.
    ///   - usesDeviceCVM: Whether the user authenticates on the device.
    /// - Throws: `CommandFailure` when the card cannot pay.
    init(path: String, card: String?, usesDeviceCVM: Bool) throws {
        field = SoftwareField()
        wallet = try CardWallet(path: path, card, field: field, usesDeviceCVM: usesDeviceCVM)
    }

    /// Lets the user pay at a terminal.
    /// - Parameters:
    ///   - transaction: The payment.
    ///   - terminal: The terminal.
    ///   - environment: What the terminal needs beside.
    ///   - link: The radio whose time is told.
    ///   - script: What the card shall answer otherwise than it would.
    /// - Returns: What there is to show.
    /// - Throws: `TransportError`, or what the timeline cannot be made of.
    func pay(
        _ transaction: Transaction,
        at terminal: POSTerminal,
        _ environment: POSEnvironment,
        over link: RadioLink,
        script: CardScript = CardScript(rules: [])
    ) async throws -> TapRun {
        let session = wallet.makeSession()
        var events = session.eventStream.makeAsyncIterator()
        var told: [String] = []
        _ = await session.showCard(&events) { told.append($0.text) }
        var environment = environment
        var card = ScriptedTransport(field.makeTransport(), script) { time in
            Thread.sleep(forTimeInterval: time / .seconds(1))
        }
        let timer = TapTimer()
        let report = try terminal.tap(
            transaction,
            over: &card,
            host: wallet.bank,
            environment: &environment,
            surroundings: POSTerminal.Surroundings(
                clock: .continuous,
                observe: { timer.note($0) }
            )
        )
        session.cancel()
        while let event = await events.next() { told.append(event.text) }
        await session.settled()
        return TapRun(
            report: report,
            cardName: wallet.profile.name,
            isPublic: wallet.profile.isPublic,
            walletEvents: told,
            timeline: TapTimeline(report, timer, link)
        )
    }
}

extension ContactlessPaymentSession.Event {
    /// The event, for people.
    var text: String {
        switch self {
        case .authenticationRequired: "authenticationRequired"
        case .authenticationCompleted: "authenticationCompleted"
        case .posConnected: "posConnected"
        case .posDisconnected: "posDisconnected"
        case .transactionCompleted(let context):
            "transactionCompleted (\(context.status.text))"
        case .errorEncountered(let error): "errorEncountered (\(error))"
        }
    }
}

extension TransactionContext.Status {
    /// The status, for people.
    var text: String {
        switch self {
        case .requestedOnline: "asked for the issuer"
        case .approvedOffline: "approved offline"
        case .declined: "declined"
        }
    }
}
