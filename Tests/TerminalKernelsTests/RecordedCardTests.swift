import BERTLV
import EMVData
import Octets
import TerminalKernels
import Testing

/// The terminals that recorded cards were tapped on, as far as the recorded commands tell.
enum RecordedTerminal {
    static func visa() throws -> (ReaderConfiguration, Transaction) {
        let combination = Combination(
            applicationIdentifier: try aid("A0000000031010"),
            kernelIdentifier: .kernel3,
            transactionTypes: [.purchase],
            terminalTransactionQualifiers: TerminalTransactionQualifiers(rawValue: 0x2400_4000)
        )
        let configuration = ReaderConfiguration(
            combinations: [combination],
            terminalData: [.terminalCountryCode: [0x08, 0x40]]
        )
        let transaction = try purchase(200, currency: .usd, date: "2019-08-19")
        return (configuration, transaction)
    }

    static func mastercardOffline() throws -> (ReaderConfiguration, Transaction) {
        let configuration = ReaderConfiguration(
            combinations: [try mastercard()],
            terminalData: [
                .terminalType: [0x26], .terminalCountryCode: [0x00, 0x56],
                .additionalTerminalCapabilities: [0x60, 0x00, 0xF0, 0x00, 0x01],
            ]
        )
        return (configuration, try purchase(1, currency: .eur, date: "2019-08-19"))
    }

    static func mastercardOnline() throws -> (ReaderConfiguration, Transaction) {
        let configuration = ReaderConfiguration(
            combinations: [try mastercard()],
            terminalData: [.terminalType: [0x22], .terminalCountryCode: [0x00, 0x56]]
        )
        return (configuration, try purchase(10, currency: .eur, date: "2019-08-19"))
    }

    private static func mastercard() throws -> Combination {
        Combination(
            applicationIdentifier: try aid("A0000000041010"),
            kernelIdentifier: .kernel2,
            transactionTypes: [.purchase],
            kernelData: [
                .securityCapability: [0x08], .cvmCapabilityNoCVMRequired: [0x08],
                .readerContactlessFloorLimit: [0, 0, 0, 0, 0x10, 0],
                .readerContactlessTransactionLimitNoOnDeviceCVM: [0, 0, 0, 0x03, 0, 0],
                .readerCVMRequiredLimit: [0, 0, 0, 0, 0x10, 0],
            ]
        )
    }

    static func aid(_ hex: String) throws -> ApplicationIdentifier {
        try #require(ApplicationIdentifier(bytes: [UInt8](hex: hex)))
    }

    static func purchase(
        _ minorUnits: UInt64,
        currency: Currency,
        date: String
    ) throws -> Transaction {
        Transaction(
            amount: try #require(Amount(minorUnits: minorUnits, currency: currency)),
            type: .purchase,
            date: try #require(TransactionDate(text: date)),
            time: [0, 0, 0],
            sequenceCounter: 1
        )
    }
}

/// Cards of strangers, tapped again: every command must be the recorded one, byte for byte.
@Suite("Recorded cards")
struct RecordedCardTests {
    @Test("Visa: approved offline by fDDA over the unpredictable number (EMV Book C-3, 5.6)")
    func visaOffline() throws {
        var card = try RecordedCard("visa-offline")
        let (configuration, transaction) = try RecordedTerminal.visa()
        let environment = TestEnvironment(
            number: 0xABAB_ABAB,
            keys: try RecordedCardKeys.all()
        )
        let tap = try TestReader.tap(
            &card,
            configuration: configuration,
            transaction: transaction,
            environment: environment
        )
        #expect(card.isFinished)
        #expect(tap.outcome.status == .approved)
        #expect(tap.outcome.cvm == .noCVM)
        #expect(tap.authentication == .successful(.fastDynamicData))
        #expect(tap.value(.iccDynamicNumber) == "0015")
        #expect(tap.value(.applicationCryptogram) == "20261203C3227D26")
        #expect(tap.messageIdentifiers == [.presentCard, .cardReadOK, .approved])
        #expect(tap.outcome.parameterSet.hex == "10F0F000A0F0FF00")
        #expect(tap.outcome.error.bytes.hex == "0000000000FF")
    }

    @Test("Mastercard: approved offline with CDA on an offline-only terminal (EMV Book C-2, 7)")
    func mastercardOffline() throws {
        var card = try RecordedCard("mastercard-offline")
        let (configuration, transaction) = try RecordedTerminal.mastercardOffline()
        let environment = TestEnvironment(
            number: 0x33BC_A47D,
            keys: try RecordedCardKeys.all()
        )
        let tap = try TestReader.tap(
            &card,
            configuration: configuration,
            transaction: transaction,
            environment: environment
        )
        #expect(card.isFinished)
        #expect(tap.outcome.status == .approved)
        #expect(tap.outcome.cvm == .noCVM)
        #expect(tap.authentication == .successful(.combined))
        #expect(tap.value(.terminalVerificationResults) == "0000000001")
        #expect(tap.value(.cvmResults) == "1F0302")
        #expect(tap.value(.iccDynamicNumber) == "AB803A04B0BCA313")
        #expect(tap.messageIdentifiers == [.presentCard, .clearDisplay, .approved])
        #expect(tap.outcome.parameterSet.hex == "10F0F000B0F0FF00")
    }

    @Test("Mastercard: asked for a TC, the card goes online; the ARQC is inside the signature")
    func mastercardOnline() throws {
        var card = try RecordedCard("mastercard-online")
        let (configuration, transaction) = try RecordedTerminal.mastercardOnline()
        let environment = TestEnvironment(
            number: 0xDC86_8126,
            keys: try RecordedCardKeys.all()
        )
        let tap = try TestReader.tap(
            &card,
            configuration: configuration,
            transaction: transaction,
            environment: environment
        )
        #expect(card.isFinished)
        #expect(tap.outcome.status == .onlineRequest)
        #expect(tap.outcome.cvm == .noCVM)
        #expect(tap.authentication == .successful(.combined))
        #expect(tap.value(.terminalVerificationResults) == "0000000001")
        #expect(tap.value(.cvmResults) == "3F0000")
        #expect(tap.value(.terminalCapabilities) == "000808")
        // The cryptogram comes in the signature alone.
        #expect(tap.value(.applicationCryptogram) == "AC123456789ABCDE")
        #expect(
            tap.outcome.dataRecord?.first { $0.tag == .applicationCryptogram }?.value.hex
                == "AC123456789ABCDE"
        )
        #expect(tap.messageIdentifiers == [.presentCard, .clearDisplay, .authorising])
        #expect(tap.outcome.parameterSet.hex == "30F0F000B0F0FF00")
    }
}
