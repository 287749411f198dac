public import BERTLV
public import EMVData
import Octets

/// What the entry point hands to a kernel when an application is selected (EMV Book B, 3.4).
public struct KernelActivation: Hashable, Sendable {
    /// The data of the card's answer to the final SELECT, without its status word.
    public var fileControlInformation: [UInt8]
    /// The name the application was selected by (4F of the directory entry).
    public var applicationIdentifier: ApplicationIdentifier
    /// The combination that was chosen.
    public var combination: Combination
    /// What pre-processing found out about it.
    public var indicators: EntryPointIndicators
    /// The payment.
    public var transaction: Transaction
    /// The data objects of the terminal.
    public var terminalData: [Tag: [UInt8]]

    /// Collects the parts.
    public init(
        fileControlInformation: [UInt8],
        applicationIdentifier: ApplicationIdentifier,
        combination: Combination,
        indicators: EntryPointIndicators,
        transaction: Transaction,
        terminalData: [Tag: [UInt8]]
    ) {
        self.fileControlInformation = fileControlInformation
        self.applicationIdentifier = applicationIdentifier
        self.combination = combination
        self.indicators = indicators
        self.transaction = transaction
        self.terminalData = terminalData
    }

    /// The data objects a kernel starts with: the kernel's own, the terminal's and those of the payment.
    var initialData: [Tag: [UInt8]] {
        let payment: [Tag: [UInt8]] = [
            .amountAuthorised: transaction.amount.numeric,
            .amountOther: transaction.amountOther?.numeric ?? [UInt8](repeating: 0, count: 6),
            .transactionCurrencyCode: transaction.amount.currency.bytes,
            .transactionType: [transaction.type.rawValue],
            .transactionDate: transaction.date.bytes,
            .transactionTime: transaction.time,
            .transactionSequenceCounter: PackedDigits.numeric(
                UInt64(transaction.sequenceCounter),
                byteCount: 4
            ) ?? [0, 0, 0, 0],
        ]
        return
            terminalData
            .merging(combination.kernelData) { _, kernel in kernel }
            .merging(payment) { _, payment in payment }
    }
}
