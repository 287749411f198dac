import BERTLV
import EMVCrypto
import EMVData
import ISO7816
import Profiles
import TerminalKernels

/// Taps an invented card on a reader with one kernel, to the end of the transaction.
///
/// The input starts with `ReaderSettings`; then follow the card's answers as messages. An empty one is a failure of
/// the field, one of a single byte the terminal's cancel key.
func fuzzReader(_ bytes: [UInt8], kernel: KernelIdentifier) {
    var input = InputReader(bytes)
    let settings = ReaderSettings(&input)
    _ = tap(settings, kernel: kernel) { _ in input.message() }
}

/// Runs a whole transaction with a card that is a function.
func tap(
    _ settings: ReaderSettings,
    kernel: KernelIdentifier,
    answer: ([UInt8]) -> [UInt8]
) -> Conclusion {
    var environment = settings
    var reader = EntryPoint(
        configuration: settings.configuration(kernel),
        transaction: settings.transaction
    )
    var event = ReaderEvent.start
    for _ in 0..<maximumStepCount {
        switch reader.handle(event, environment: &environment).action {
        case .awaitCard: event = .cardPresent
        case .wait, .fieldOff: event = .timer
        case .transmit(let command):
            precondition((try? CommandAPDU(parsing: command.bytes)) == command)
            event = readerEvent(for: answer(command.bytes))
        case .finish(let conclusion):
            precondition(conclusion.outcome.parameterSet.count == 8)
            return conclusion
        }
    }
    fatalError("the transaction never ends")
}

/// What an answer of an invented card means to the reader.
private func readerEvent(for answer: [UInt8]) -> ReaderEvent {
    switch answer.count {
    case 0: return .transmissionError(.timeout)
    case 1: return .stop
    default:
        guard let response = try? ResponseAPDU(parsing: answer) else {
            return .transmissionError(.protocolViolation)
        }
        return .response(response, elapsed: .milliseconds(10))
    }
}

/// More steps than any transaction needs: the directory, and for each of a few applications some hundred records.
private let maximumStepCount = 5000

/// The reader's side of an invented tap, twenty bytes.
struct ReaderSettings: KernelEnvironment {
    var options: UInt8
    var number: UInt32
    var amount: UInt64
    var currency: UInt16
    var date: [UInt8]
    var type: UInt8
    var terminalType: UInt8
    var country: UInt16

    init(
        options: UInt8 = 0,
        number: UInt32,
        amount: UInt64,
        currency: UInt16,
        date: [UInt8],
        type: UInt8 = 0,
        terminalType: UInt8,
        country: UInt16
    ) {
        self.options = options
        self.number = number
        self.amount = amount
        self.currency = currency
        self.date = date
        self.type = type
        self.terminalType = terminalType
        self.country = country
    }

    init(_ input: inout InputReader) {
        options = input.byte()
        number = UInt32(input.number(byteCount: 4))
        amount = input.number(byteCount: 6) % 1_000_000_000_000
        currency = UInt16(input.number(byteCount: 2))
        date = [input.byte(), input.byte(), input.byte()]
        type = input.byte()
        terminalType = input.byte()
        country = UInt16(input.number(byteCount: 2))
    }

    /// The settings as the initialiser reads them.
    var bytes: [UInt8] {
        func bigEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (UInt64($0) * 8)) }
        }
        return [options] + bigEndian(UInt64(number), 4) + bigEndian(amount, 6)
            + bigEndian(UInt64(currency), 2) + date + [type, terminalType]
            + bigEndian(UInt64(country), 2)
    }

    var transaction: Transaction {
        let currency = Currency(rawValue: currency)
        let amount = Amount(minorUnits: amount, currency: currency)
        let date = TransactionDate(bytes: date) ?? TransactionDate(year: 2026, month: 11, day: 30)
        guard let amount, let date else { fatalError("the settings hold an impossible value") }
        let type = TransactionType(rawValue: type)
        return Transaction(
            amount: amount,
            amountOther: options & 0x01 != 0 ? amount : nil,
            type: type,
            date: date,
            time: [0x12, 0x34, 0x56],
            sequenceCounter: 1
        )
    }

    /// A reader that takes every name of the scheme, with limits and choices out of the options.
    func configuration(_ kernel: KernelIdentifier) -> ReaderConfiguration {
        let name: [UInt8] = kernel == .kernel2 ? [0xA0, 0, 0, 0, 4] : [0xA0, 0, 0, 0, 3]
        guard let identifier = ApplicationIdentifier(bytes: name) else {
            fatalError("a name of five bytes")
        }
        var combination = Combination(
            applicationIdentifier: identifier,
            kernelIdentifier: kernel,
            transactionTypes: [TransactionType(rawValue: type)],
            limits: Combination.Limits(
                transaction: options & 0x02 != 0 ? 100_000 : nil,
                floor: options & 0x04 != 0 ? 0 : 5000,
                cvm: options & 0x08 != 0 ? 1 : 3000
            ),
            kernelData: [
                .securityCapability: [0x08], .cvmCapabilityNoCVMRequired: [0x08],
                .cvmCapabilityCVMRequired: [0x60],
                .kernelConfiguration: [options & 0x10 != 0 ? 0x20 : 0x00],
                .readerContactlessFloorLimit: [0, 0, 0, 0, options & 0x04 != 0 ? 0x00 : 0x50, 0],
                .readerContactlessTransactionLimitNoOnDeviceCVM: [0, 0, 0, 0x10, 0, 0],
                .readerContactlessTransactionLimitOnDeviceCVM: [0, 0, 0, 0x20, 0, 0],
                .readerCVMRequiredLimit: [0, 0, 0, 0, options & 0x08 != 0 ? 0x00 : 0x30, 0],
            ]
        )
        if kernel == .kernel3 {
            combination.terminalTransactionQualifiers = TerminalTransactionQualifiers(
                rawValue: options & 0x20 != 0 ? 0x2400_4000 : 0x3600_C000
            )
        }
        combination.supportsStatusCheck = options & 0x40 != 0
        combination.allowsZeroAmount = options & 0x80 != 0
        return ReaderConfiguration(
            combinations: [combination],
            terminalData: [
                .terminalType: [terminalType],
                .terminalCountryCode: [UInt8(country >> 8), UInt8(country & 0xFF)],
                .additionalTerminalCapabilities: [0x60, 0x00, 0xF0, 0x00, 0x01],
            ]
        )
    }

    mutating func unpredictableNumber() -> UInt32 { number }

    func certificationAuthorityKey(rid: [UInt8], index: UInt8) -> CAPublicKey? {
        let keys = Vectors.authorities + CAPublicKey.testKeys
        return keys.first { $0.rid == rid && $0.index == index }
    }

    func isRevoked(rid: [UInt8], index: UInt8, serialNumber: [UInt8]) -> Bool {
        serialNumber[0] == 0xFF
    }

    func isOnExceptionFile(pan: [UInt8], sequenceNumber: UInt8?) -> Bool { pan.last == 9 }
}
