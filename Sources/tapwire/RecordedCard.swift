import BERTLV
import CommandLineKit
import EMVData
import ISO7816
import Octets
import Profiles
import TerminalKernels
import Traces
import Transport

/// A recorded card, and the terminal that can ask it what it was asked.
struct RecordedCard {
    /// The recording.
    let trace: Trace
    /// What the recorded terminal told the card first.
    private let activation: Trace.Activation?
    /// Unpredictable Numbers of all passes, in order.
    let unpredictableNumbers: [UInt32]

    /// Data objects that are no property of a terminal: of the payment, or worked out by a kernel.
    private static let transient: Set<Tag> = [
        .amountAuthorised, .amountOther, .transactionDate, .transactionTime, .transactionType,
        .transactionCurrencyCode, .transactionSequenceCounter, .unpredictableNumber,
        .terminalVerificationResults, .cvmResults, .dataAuthenticationCode, .iccDynamicNumber,
        .terminalType, .terminalCountryCode, .terminalCapabilities,
        .additionalTerminalCapabilities, .terminalTransactionQualifiers,
    ]

    /// Data objects of kernel 2 that a terminal's capabilities and limits stand for.
    private static let derived: Set<Tag> = [
        .cardDataInputCapability, .cvmCapabilityCVMRequired, .cvmCapabilityNoCVMRequired,
        .securityCapability, .readerContactlessFloorLimit,
        .readerContactlessTransactionLimitNoOnDeviceCVM,
        .readerContactlessTransactionLimitOnDeviceCVM, .readerCVMRequiredLimit,
    ]

    /// Whether a list of the card's asked for what is the card's own, such as its account number.
    private static func isCardData(_ tag: Tag) -> Bool {
        let definitions = DataObjectDefinition.all(of: tag)
        return !definitions.isEmpty && definitions.allSatisfy { $0.source == .card }
    }

    /// Reads a trace file.
    /// - Throws: `CommandFailure` with `ExitCode.badFile`.
    init(path: String) throws {
        let text = try InputFile.text(path, "card trace")
        do throws(TraceError) {
            trace = try Trace(parsing: text)
            let activations = try trace.activations()
            activation = activations.first
            unpredictableNumbers = activations.compactMap { activation in
                activation.value(.unpredictableNumber)?.reduce(0) { $0 << 8 | UInt32($1) }
            }
        } catch {
            throw CommandFailure(.badFile, "card trace \(path.quoted), \(error.message)")
        }
    }

    /// What the recording tells of a data object of the terminal; headers go before commands.
    func value(_ tag: Tag) -> [UInt8]? {
        trace.headerObjects.first { $0.tag == tag }?.value ?? activation?.value(tag)
    }

    /// Whether the card's numbers may be shown whole.
    var isPublic: Bool { trace[.publicCard] != nil }

    /// Whether secrets were replaced, so that certificates which held then hold no more.
    var hasLostCertificates: Bool {
        let results = value(.terminalVerificationResults)
            .flatMap(TerminalVerificationResults.init(bytes:))
        return trace[.masked] != nil && !(results?.cdaFailed ?? false)
    }

    /// How often the recorded card was presented: each time its payment directory is selected.
    var presentationCount: Int {
        trace.exchanges.count { $0.command == Self.selectDirectory }
    }

    private static let selectDirectory = CommandAPDU(
        .select,
        parameters: 0x0400,
        body: Array("2PAY.SYS.DDF01".utf8),
        expectedLength: 256
    ).bytes

    /// The payment that was recorded; the command line fills in what the recording does not tell.
    /// - Throws: `CommandFailure` when something is told by neither.
    func transaction(_ options: PaymentOptions, _ arguments: Arguments) throws -> Transaction {
        for (option, tag) in [
            ("amount", Tag.amountAuthorised), ("currency", .transactionCurrencyCode),
            ("type", .transactionType), ("date", .transactionDate), ("un", .unpredictableNumber),
            ("cashback", .amountOther),
        ] where arguments.has(option) && value(tag) != nil {
            throw CommandFailure(.usage, "leave out --\(option): the recording tells it (\(tag))")
        }
        let currency =
            value(.transactionCurrencyCode).flatMap(Currency.init(bytes:)) ?? options.currency
        let recorded = value(.amountAuthorised).flatMap { Amount(numeric: $0, currency: currency) }
        guard let amount = recorded ?? options.amount else {
            throw CommandFailure(
                .usage,
                "the recording does not tell the amount; give it with --amount"
            )
        }
        let other = value(.amountOther).flatMap { Amount(numeric: $0, currency: currency) }
        let time = value(.transactionTime).flatMap { $0.count == 3 ? $0 : nil }
        return Transaction(
            amount: amount,
            amountOther: other.flatMap { $0.minorUnits == 0 ? nil : $0 } ?? options.amountOther,
            type: value(.transactionType)?.first.map(TransactionType.init(rawValue:))
                ?? options.type,
            date: value(.transactionDate).flatMap(TransactionDate.init(bytes:)) ?? options.date,
            time: time ?? options.time,
            sequenceCounter: 1
        )
    }

    /// The terminal that was recorded: `configuration` with what the recording tells.
    ///
    /// Limits are set so that the kernels find what the recorded terminal found about the amount.
    func terminal(
        _ configuration: TerminalConfiguration,
        _ transaction: Transaction
    ) -> TerminalConfiguration {
        var terminal = configuration
        if let type = value(.terminalType)?.first { terminal.terminalType = type }
        if let country = value(.terminalCountryCode).flatMap({ PackedDigits.number($0) }) {
            terminal.country = UInt16(truncatingIfNeeded: country)
        }
        if let capabilities = value(.terminalCapabilities), capabilities.count == 3 {
            terminal.capabilities = capabilities
        }
        if let capabilities = value(.additionalTerminalCapabilities), capabilities.count == 5 {
            terminal.additionalCapabilities = capabilities
        }
        let recorded =
            trace.headerObjects + (activation?.generateAC ?? [])
            + (activation?.processingOptions ?? [])
        for object in recorded
        where !Self.transient.contains(object.tag) && !Self.isCardData(object.tag)
            && !terminal.dataObjects.contains(where: { $0.tag == object.tag })
        {
            terminal.dataObjects.append(DataObject(object.tag, object.value))
        }
        for index in terminal.combinations.indices {
            adapt(&terminal.combinations[index], transaction)
        }
        return terminal
    }

    private func adapt(
        _ combination: inout TerminalConfiguration.Combination,
        _ transaction: Transaction
    ) {
        let results = value(.terminalVerificationResults)
            .flatMap(TerminalVerificationResults.init(bytes:))
        var isFloorLimitExceeded = results?.floorLimitExceeded ?? false
        // 010002: the amount was above the limit from which the device verifies the cardholder.
        var isCVMRequired = value(.cvmResults) == [0x01, 0x00, 0x02]
        if combination.transactionQualifiers != nil,
            let bytes = value(.terminalTransactionQualifiers),
            let qualifiers = TerminalTransactionQualifiers(bytes: bytes)
        {
            combination.transactionQualifiers = bytes
            isFloorLimitExceeded = qualifiers.requiresOnlineCryptogram
            isCVMRequired = qualifiers.requiresCVM
        }
        combination.transactionLimitMinorUnits = nil
        combination.floorLimitMinorUnits = isFloorLimitExceeded ? 0 : nil
        combination.cvmLimitMinorUnits = isCVMRequired ? 0 : nil
        combination.supportsStatusCheck = false
        // What follows from capabilities and limits is worked out anew.
        combination.dataObjects.removeAll { object in
            Self.derived.contains(object.tag)
                || trace.headerObjects.contains { $0.tag == object.tag }
        }
        if !combination.transactionTypes.contains(transaction.type.rawValue) {
            combination.transactionTypes.append(transaction.type.rawValue)
        }
    }
}
