import BERTLV
import EMVData
import Octets
import TerminalKernels
import Testing

/// A terminal for handmade cards: attended, in country 0056, on 2026-11-30, for euros.
struct TestTerminal {
    var minorUnits: UInt64 = 1000
    var amountOther: UInt64?
    var currency = Currency.eur
    var type = TransactionType.purchase
    var date = "2026-11-30"
    var terminalData: [BERTLV.Tag: [UInt8]] = [
        .terminalType: [0x22], .terminalCountryCode: [0x00, 0x56],
        .additionalTerminalCapabilities: [0x60, 0x00, 0xF0, 0x00, 0x01],
        .interfaceDeviceSerialNumber: [UInt8]("12345678".utf8),
    ]
    var combinations: [Combination]
    var environment: TestEnvironment
    var maximumRestarts = 5
    var floorLimitComparison = ReaderConfiguration.FloorLimitComparison.over

    /// Kernel 2: floor limit 20.00, CVM limit 50.00, transaction limits 100.00, with on-device CVM 200.00.
    static func mastercard() throws -> TestTerminal {
        let combination = Combination(
            applicationIdentifier: try RecordedTerminal.aid("A000000004"),
            kernelIdentifier: .kernel2,
            transactionTypes: [.purchase, .cash, .cashback, .manualCash, .refund, .inquiry],
            kernelData: [
                .cardDataInputCapability: [0x20], .securityCapability: [0x08],
                .cvmCapabilityCVMRequired: [0x60], .cvmCapabilityNoCVMRequired: [0x08],
                .kernelConfiguration: [0xA0],
                .terminalActionCodeDefault: [0x84, 0x00, 0x00, 0x00, 0x0C],
                .terminalActionCodeDenial: [0x00, 0x00, 0x00, 0x00, 0x00],
                .terminalActionCodeOnline: [0x84, 0x00, 0x00, 0x00, 0x0C],
                .readerContactlessFloorLimit: [0, 0, 0, 0, 0x20, 0x00],
                .readerContactlessTransactionLimitNoOnDeviceCVM: [0, 0, 0, 0x01, 0x00, 0x00],
                .readerContactlessTransactionLimitOnDeviceCVM: [0, 0, 0, 0x02, 0x00, 0x00],
                .readerCVMRequiredLimit: [0, 0, 0, 0, 0x50, 0x00],
            ]
        )
        let keys = [try CardKeys.authority(rid: ApplicationIdentifier.mastercardRID)]
        return TestTerminal(combinations: [combination], environment: TestEnvironment(keys: keys))
    }

    /// Kernel 3: floor limit 20.00, CVM limit 50.00, transaction limit 100.00, online PIN and signature.
    static func visa() throws -> TestTerminal {
        let combination = Combination(
            applicationIdentifier: try RecordedTerminal.aid("A000000003"),
            kernelIdentifier: .kernel3,
            transactionTypes: [.purchase, .cash, .cashback, .manualCash, .refund],
            limits: Combination.Limits(transaction: 10000, floor: 2000, cvm: 5000),
            terminalTransactionQualifiers: TerminalTransactionQualifiers(rawValue: 0x2600_4000)
        )
        let keys = [try CardKeys.authority(rid: ApplicationIdentifier.visaRID)]
        return TestTerminal(combinations: [combination], environment: TestEnvironment(keys: keys))
    }

    /// The transaction.
    func transaction() throws -> Transaction {
        Transaction(
            amount: try #require(Amount(minorUnits: minorUnits, currency: currency)),
            amountOther: amountOther.flatMap { Amount(minorUnits: $0, currency: currency) },
            type: type,
            date: try #require(TransactionDate(text: date)),
            time: [0x12, 0x34, 0x56],
            sequenceCounter: 42
        )
    }

    var configuration: ReaderConfiguration {
        ReaderConfiguration(
            combinations: combinations,
            terminalData: terminalData,
            floorLimitComparison: floorLimitComparison,
            maximumRestarts: maximumRestarts
        )
    }

    /// Taps a card.
    func tap(
        _ card: HandmadeCard,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Tap {
        var card = card
        return try tap(&card, sourceLocation: sourceLocation)
    }

    /// Taps a card that keeps what it learns.
    func tap(
        _ card: inout some TestCard,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Tap {
        try TestReader.tap(
            &card,
            configuration: configuration,
            transaction: transaction(),
            environment: environment,
            sourceLocation: sourceLocation
        )
    }

    /// Changes one object of the first combination's kernel.
    mutating func set(_ tag: BERTLV.Tag, _ hex: String) throws {
        combinations[0].kernelData[tag] = try [UInt8](hex: hex)
    }
}

extension Tap {
    /// The command of an instruction that was sent last.
    func command(_ instruction: UInt8) -> [UInt8]? { commands.last { $0[1] == instruction } }

    /// What GENERATE AC asked for: P1.
    var requestedCryptogram: UInt8? { command(0xAE)?[2] }

    /// What the last kernel concluded.
    var kernelOutcome: Outcome? { conclusion.attempts.last?.outcome }
}
