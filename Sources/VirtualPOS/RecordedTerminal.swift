public import BERTLV
public import EMVData
import ISO7816
import Octets
public import Profiles
public import TerminalKernels
public import Traces
import Transport

/// The terminal of a recording, as far as the recording tells what it was.
public struct RecordedTerminal: Sendable {
    /// The recording.
    public let trace: Trace
    /// What the recorded terminal told the card first.
    private let activation: Trace.Activation?
    /// Unpredictable Numbers of all passes, in order.
    public let unpredictableNumbers: [UInt32]

    /// Data objects that are no property of a terminal: of the payment, or worked out by a kernel.
    private static let transient: Set<Tag> = [
        .amountAuthorised, .amountOther, .transactionDate, .transactionTime, .transactionType,
        .transactionCurrencyCode, .transactionSequenceCounter, .unpredictableNumber,
        .terminalVerificationResults, .cvmResults, .dataAuthenticationCode, .iccDynamicNumber,
        .terminalType, .terminalCountryCode, .terminalCapabilities,
        .additionalTerminalCapabilities, .terminalTransactionQualifiers,
    ]

    /// Data objects of kernel 2 that a terminal's limits stand for.
    private static let limits: Set<Tag> = [
        .readerContactlessFloorLimit, .readerContactlessTransactionLimitNoOnDeviceCVM,
        .readerContactlessTransactionLimitOnDeviceCVM, .readerCVMRequiredLimit,
    ]

    /// Data objects of kernel 2 that a terminal's capabilities stand for.
    private static let capabilities: Set<Tag> = [
        .cardDataInputCapability, .cvmCapabilityCVMRequired, .cvmCapabilityNoCVMRequired,
        .securityCapability,
    ]

    /// Whether a list of the card's asked for what is the card's own, such as its account number.
    private static func isCardData(_ tag: Tag) -> Bool {
        let definitions = DataObjectDefinition.all(of: tag)
        return !definitions.isEmpty && definitions.allSatisfy { $0.source == .card }
    }

    /// Finds out what the commands tell.
    /// - Throws: `TraceError` when a command does not fit the list the card gave for it.
    public init(_ trace: Trace) throws(TraceError) {
        self.trace = trace
        let activations = try trace.activations()
        activation = activations.first
        unpredictableNumbers = activations.compactMap { activation in
            activation.value(.unpredictableNumber)?.reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// What the recording tells of a data object of the terminal; headers go before commands.
    public func value(_ tag: Tag) -> [UInt8]? {
        trace.headerObjects.first { $0.tag == tag }?.value ?? activation?.value(tag)
    }

    /// Whether secrets were replaced, so that certificates which held then hold no more.
    public var hasLostCertificates: Bool {
        let results = value(.terminalVerificationResults)
            .flatMap(TerminalVerificationResults.init(bytes:))
        return trace[.masked] != nil && !(results?.cdaFailed ?? false)
    }

    /// Whether the recorded card was presented as often as `number`: it was whenever its payment directory is selected, and
    /// once in any case.
    public func isPresented(_ number: Int) -> Bool {
        number <= max(1, trace.exchanges.count { $0.command == Self.selectDirectory })
    }

    static let selectDirectory = CommandAPDU(
        .select,
        parameters: 0x0400,
        body: Array("2PAY.SYS.DDF01".utf8),
        expectedLength: 256
    ).bytes

    /// The currency of the recorded payment; nil when the recording does not tell.
    public var currency: Currency? {
        value(.transactionCurrencyCode).flatMap(Currency.init(bytes:))
    }

    /// The recorded amount, in a currency the recording need not tell; nil when it does not tell the amount.
    public func amount(in currency: Currency) -> Amount? {
        value(.amountAuthorised).flatMap { Amount(numeric: $0, currency: currency) }
    }

    /// The payment that was recorded.
    /// - Parameter payment: What holds where the recording does not tell; the amount's currency is the recording's
    ///   where that does.
    /// - Returns: The payment.
    public func transaction(_ payment: Transaction) -> Transaction {
        let currency = currency ?? payment.amount.currency
        let other = value(.amountOther).flatMap { Amount(numeric: $0, currency: currency) }
        let time = value(.transactionTime).flatMap { $0.count == 3 ? $0 : nil }
        return Transaction(
            amount: amount(in: currency) ?? payment.amount,
            amountOther: other.flatMap { $0.minorUnits == 0 ? nil : $0 } ?? payment.amountOther,
            type: value(.transactionType)?.first.map(TransactionType.init(rawValue:))
                ?? payment.type,
            date: value(.transactionDate).flatMap(TransactionDate.init(bytes:)) ?? payment.date,
            time: time ?? payment.time,
            sequenceCounter: payment.sequenceCounter
        )
    }

    /// The terminal that was recorded: `configuration` with what the recording tells.
    ///
    /// Limits are set so that the kernels find what the recorded terminal found about the amount.
    public func configuration(
        _ configuration: TerminalConfiguration,
        for transaction: Transaction
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
        // What follows from limits, and from capabilities that are told, is worked out anew.
        let areCapabilitiesTold = value(.terminalCapabilities) != nil
        combination.dataObjects.removeAll { object in
            Self.limits.contains(object.tag)
                || areCapabilitiesTold && Self.capabilities.contains(object.tag)
                || trace.headerObjects.contains { $0.tag == object.tag }
        }
        if !combination.transactionTypes.contains(transaction.type.rawValue) {
            combination.transactionTypes.append(transaction.type.rawValue)
        }
    }
}
