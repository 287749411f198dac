import BERTLV
import EMVData
import ISO7816
import Octets

extension Kernel3 {
    /// What kernel 3 knows of a transaction, from its activation to its outcome.
    struct Context: Sendable {
        let activation: KernelActivation
        var database: KernelDatabase
        /// Terminal Transaction Qualifiers (9F66), as pre-processing made them.
        let qualifiers: TerminalTransactionQualifiers
        /// What the signed records contributed to the static data; nil when too long.
        var recordStaticData: [UInt8]? = []
        /// What offline data authentication came to.
        var authentication = OfflineDataAuthentication.notPerformed
        /// Decline Required by Reader.
        var isDeclineRequired = false
        /// Online Required by Reader.
        var isOnlineRequired = false

        /// Begins with everything the terminal knows.
        init(_ activation: KernelActivation, unpredictableNumber: UInt32) {
            self.activation = activation
            qualifiers =
                activation.indicators.terminalTransactionQualifiers
                ?? TerminalTransactionQualifiers()
            database = KernelDatabase(kernel: .kernel3, terminal: activation.initialData)
            database.terminal[.terminalTransactionQualifiers] = qualifiers.bytes
            database.terminal[.unpredictableNumber] = unpredictableNumber.bigEndianBytes
            database.terminal[.terminalVerificationResults] =
                TerminalVerificationResults().bytes
        }

        /// The payment.
        var transaction: Transaction { activation.transaction }
        /// The combination's choices.
        var options: Options { activation.combination.kernel3 }

        /// What the kernel knows, for people.
        var report: KernelReport {
            KernelReport(dataObjects: database.merged, authentication: authentication)
        }

        /// Stores what the card gave (5.4.2.2; 4.1.1.1).
        /// - Throws: `CardFault` for an object given twice or malformed, and for two different account numbers.
        mutating func store(_ objects: [TLV]) throws(CardFault) {
            try database.store(objects)
            if var indicator = database.cardValue(.formFactorIndicator) {
                indicator[3] &= 0xF0
                database.replace(.formFactorIndicator, indicator)
            }
            if let accountNumber = try accountNumber(.applicationPAN),
                let track2 = try track2(), track2.accountNumber != accountNumber
            {
                throw .wrong(.track2EquivalentData)
            }
        }

        /// Track 2 Equivalent Data (57); nil when the card has none.
        func track2() throws(CardFault) -> Track2? {
            try database.read(.track2EquivalentData) { try? Track2(parsing: $0) }
        }

        /// The account number (5A); nil when the card has none.
        private func accountNumber(_ tag: Tag) throws(CardFault) -> PrimaryAccountNumber? {
            try database.read(tag) { try? PrimaryAccountNumber(parsing: $0) }
        }

        /// Card Transaction Qualifiers (9F6C); nil when the card has none.
        func cardQualifiers() throws(CardFault) -> CardTransactionQualifiers? {
            try database.read(.cardTransactionQualifiers, CardTransactionQualifiers.init(bytes:))
        }

        /// Reads the File Control Information.
        mutating func readSelection() throws(CardFault) {
            let template = try CardResponse.template(
                activation.fileControlInformation,
                .fileControlInformation
            )
            try store(CardResponse.primitives(template))
            _ = try database.require(.dedicatedFileName)
        }

        /// GET PROCESSING OPTIONS with the data the card asks for, its qualifiers among them (5.2.1).
        func processingOptionsCommand() throws(CardFault) -> CommandAPDU {
            let bytes = try database.require(.processingOptionsList)
            guard let list = try? DataObjectList(parsing: bytes) else {
                throw .wrong(.processingOptionsList)
            }
            guard let command = CommandAPDU.getProcessingOptions(list.fill(database.value)) else {
                throw .wrong(.processingOptionsList)
            }
            return command
        }
    }
}
