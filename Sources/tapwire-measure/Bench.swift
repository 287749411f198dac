import CardEngine
import EMVCrypto
import EMVData
import Profiles
import TerminalKernels
import Transport
import VirtualPOS

/// Taps a built-in card on the built-in terminal, with everything put in beforehand as a wallet does.
enum Bench {
    /// How many taps come first and do not count.
    private static let warmUpCount = 6
    /// Amounts in turn below and above the floor and CVM limits, so that cards sign and go online.
    private static let amounts: [UInt64] = [500, 2000, 8000]

    static func run(_ scheme: Scheme, taps: Int, isPlanted: Bool = false) throws -> Figures {
        let terminal = try POSTerminal(.builtIn)
        let personalization = try CardPersonalization(.builtIn(scheme))
        var card = MeasuredCard(personalization.makeCard())
        card.isPlanted = isPlanted
        for number in 1...(taps + warmUpCount) {
            prepare(&card.card, personalization, number)
            card.isMeasuring = number > warmUpCount
            card.signsProcessingOptions = scheme == .visa && amounts[number % amounts.count] == 500
            try tap(&card, terminal, number)
            for command in others { card.transmit(command, as: .others) }
        }
        return card.figures
    }

    /// Puts in what the next tap needs.
    private static func prepare(
        _ card: inout Card,
        _ personalization: CardPersonalization,
        _ number: Int
    ) {
        let application = personalization.profile.applications[0]
        let counter = UInt16(truncatingIfNeeded: number)
        // A tap that the card refused has left its key.
        card.returnUnusedKeys { _ in }
        card.reserve(personalization.issuers[0].makePaymentKey(for: application, counter: counter))
        let random = [UInt8](repeating: 0x5C, count: 8)
        card.addRandomBytes(random.span)
        card.userAuthenticated = number % 2 == 0
    }

    private static func tap(
        _ card: inout MeasuredCard,
        _ terminal: POSTerminal,
        _ number: Int
    ) throws {
        let amount = Amount(minorUnits: amounts[number % amounts.count], currency: .eur)
        guard let amount, let date = TransactionDate(year: 2026, month: 11, day: 30) else {
            preconditionFailure("both exist")
        }
        let transaction = Transaction(
            amount: amount,
            type: .purchase,
            date: date,
            time: [0x12, 0x00, 0x00],
            sequenceCounter: UInt32(number)
        )
        var environment = POSEnvironment(caKeys: terminal.configuration.caKeys)
        _ = try terminal.tap(
            transaction,
            over: &card,
            host: nil,
            environment: &environment,
            surroundings: POSTerminal.Surroundings(clock: .continuous)
        )
    }

    /// Commands no tap sends: what anybody may ask, and what every card refuses.
    private static let others: [[UInt8]] = [
        [0x80, 0xCA, 0x9F, 0x36, 0x00], [0xFF, 0xCA, 0x00, 0x00, 0x00],
        [], [0x00], [0x00, 0xA4, 0x04, 0x00], [0x00, 0x20, 0x00, 0x80, 0x00],
        [0x00, 0xA4, 0x04, 0x00, 0x02, 0xA0, 0x00, 0x00],
        [0x80, 0xA8, 0x00, 0x00, 0x02, 0x83, 0x00, 0x00],
        [0x80, 0xAE, 0x80, 0x00, 0x01, 0x00, 0x00], [0x00, 0xB2, 0x1F, 0x0C, 0x00],
    ]
}
