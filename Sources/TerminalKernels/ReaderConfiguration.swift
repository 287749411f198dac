public import BERTLV
public import EMVData

/// What a reader accepts and how: its combinations in order of preference, and the data all kernels share.
public struct ReaderConfiguration: Sendable {
    /// The combinations, in the order that breaks a tie between several kernels for one application.
    public var combinations: [Combination]
    /// Data objects of the terminal that every kernel is given (9F1A, 9F33, 9F35, 9F40, 9F1E, 9F4E ...).
    public var terminalData: [Tag: [UInt8]]
    /// How an amount equal to a floor limit counts in pre-processing.
    public var floorLimitComparison: FloorLimitComparison
    /// How often the entry point asks for the card again before it gives up.
    ///
    /// The books set no bound; without one a card that fails in the same way each time never ends.
    public var maximumRestarts: Int

    /// Collects the parts.
    public init(
        combinations: [Combination],
        terminalData: [Tag: [UInt8]],
        floorLimitComparison: FloorLimitComparison = .over,
        maximumRestarts: Int = 5
    ) {
        self.combinations = combinations
        self.terminalData = terminalData
        self.floorLimitComparison = floorLimitComparison
        self.maximumRestarts = maximumRestarts
    }

    /// When an amount exceeds a floor limit: sources disagree about EMV Book B, 3.1.1.6 and 3.1.1.7.
    public enum FloorLimitComparison: Hashable, Sendable {
        /// Above the limit only, as kernels with a floor limit of their own compare. The default.
        case over
        /// From the limit on, as the transaction and CVM limits are compared.
        case atOrOver
    }
}

/// An application, the kernel that serves it, and the limits for it (EMV Book B, 3.1.1).
public struct Combination: Hashable, Sendable {
    /// The application identifier; longer names on the card that start with it match too.
    public var applicationIdentifier: ApplicationIdentifier
    /// The kernel.
    public var kernelIdentifier: KernelIdentifier
    /// The transaction types (9C) it is offered for.
    public var transactionTypes: Set<TransactionType>
    /// The entry point's limits.
    public var limits: Limits
    /// Status Check Support: one unit of currency asks for the card's status.
    public var supportsStatusCheck: Bool
    /// Zero Amount Allowed; nil when the flag is not configured, which allows it.
    public var allowsZeroAmount: Bool?
    /// Extended Selection Support: 9F29 of the card is added to the name in the final selection.
    public var supportsExtendedSelection: Bool
    /// Terminal Transaction Qualifiers (9F66) as configured; nil for kernels without them.
    public var terminalTransactionQualifiers: TerminalTransactionQualifiers?
    /// The kernel's own data objects (DF8123 ...), which go before those of the terminal.
    public var kernelData: [Tag: [UInt8]]
    /// Choices of kernel 2.
    public var kernel2: Kernel2.Options
    /// Choices of kernel 3.
    public var kernel3: Kernel3.Options

    /// Amounts in the smallest unit of the transaction's currency; nil where there is no limit.
    public struct Limits: Hashable, Sendable {
        /// Reader Contactless Transaction Limit: from it on the combination is not allowed.
        public var transaction: UInt64?
        /// Reader Contactless Floor Limit: above it the issuer is asked.
        public var floor: UInt64?
        /// Terminal Floor Limit (9F1B), used where there is no contactless one.
        public var terminalFloor: UInt64?
        /// Reader CVM Required Limit: from it on the cardholder is verified.
        public var cvm: UInt64?

        /// Collects the limits.
        public init(
            transaction: UInt64? = nil,
            floor: UInt64? = nil,
            terminalFloor: UInt64? = nil,
            cvm: UInt64? = nil
        ) {
            self.transaction = transaction
            self.floor = floor
            self.terminalFloor = terminalFloor
            self.cvm = cvm
        }
    }

    /// Collects what a combination needs; everything else has its default.
    public init(
        applicationIdentifier: ApplicationIdentifier,
        kernelIdentifier: KernelIdentifier,
        transactionTypes: Set<TransactionType>,
        limits: Limits = Limits(),
        terminalTransactionQualifiers: TerminalTransactionQualifiers? = nil,
        kernelData: [Tag: [UInt8]] = [:]
    ) {
        self.applicationIdentifier = applicationIdentifier
        self.kernelIdentifier = kernelIdentifier
        self.transactionTypes = transactionTypes
        self.limits = limits
        supportsStatusCheck = false
        allowsZeroAmount = nil
        supportsExtendedSelection = true
        self.terminalTransactionQualifiers = terminalTransactionQualifiers
        self.kernelData = kernelData
        kernel2 = Kernel2.Options()
        kernel3 = Kernel3.Options()
    }
}
