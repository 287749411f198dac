import BERTLV
import EMVData
import ISO7816
import Octets

extension Kernel2 {
    /// What kernel 2 knows of a transaction, from its activation to its outcome.
    struct Context: Sendable {
        let activation: KernelActivation
        let configuration: Configuration
        var database: KernelDatabase
        /// Application Interchange Profile (82); all clear before GET PROCESSING OPTIONS.
        var profile = ApplicationInterchangeProfile()
        /// Terminal Verification Results (95).
        var results = TerminalVerificationResults()
        /// Terminal Capabilities (9F33), as the amount makes them.
        var capabilities = TerminalCapabilities()
        /// CVM in the Outcome Parameter Set.
        var cvm: Outcome.CVM?
        /// Receipt in the Outcome Parameter Set.
        var isReceiptNeeded = false
        /// Field Off Request in the Outcome Parameter Set.
        var fieldOffHoldTime: UInt8?
        /// Language Preference (5F2D) of the selected application.
        var languagePreference: [UInt8] = []
        /// Reader Contactless Transaction Limit, the one of DF8124 and DF8125 that applies.
        var transactionLimit: UInt64 = 0
        /// CDA in the ODA status.
        var isCombinedAuthenticationDue = false
        /// What the signed records contributed to the static data; nil when too long.
        var recordStaticData: [UInt8]? = []
        /// PDOL Related Data (DF8111).
        var pdolValues: [UInt8] = []
        /// What offline data authentication came to.
        var authentication = OfflineDataAuthentication.notPerformed

        /// Begins with everything the terminal knows (EMV Book C-2, S1.7 to S1.9).
        init(_ activation: KernelActivation, unpredictableNumber: UInt32) {
            self.activation = activation
            let objects = activation.initialData
            configuration = Configuration(objects)
            database = KernelDatabase(kernel: .kernel2, terminal: configuration.complete)
            database.terminal[.unpredictableNumber] = unpredictableNumber.bigEndianBytes
            capabilities[byte: 1] = configuration.cardDataInputCapability
            capabilities[byte: 3] = configuration.securityCapability
            publish()
        }

        /// Puts what the kernel worked out where data object lists and records find it.
        mutating func publish(_ cvmResults: CVMResults? = nil) {
            database.terminal[.terminalVerificationResults] = results.bytes
            database.terminal[.terminalCapabilities] = capabilities.bytes
            let known = database.terminal[.cvmResults] ?? [0, 0, 0]
            database.terminal[.cvmResults] = cvmResults?.bytes ?? known
        }

        /// The amount of the transaction.
        var amount: Amount { activation.transaction.amount }

        /// Whether card and reader verify the cardholder on the card's own device (CVM.1).
        var usesOnDeviceCVM: Bool {
            profile.supportsOnDeviceCardholderVerification && configuration.supportsOnDeviceCVM
        }

        /// What the kernel knows, for people.
        var report: KernelReport {
            KernelReport(dataObjects: database.merged, authentication: authentication)
        }

        /// Stores what the card gave.
        /// - Throws: `CardFault` for an object of the terminal's own, which a card may not send, beside the
        ///   faults of the database.
        mutating func store(_ objects: [TLV]) throws(CardFault) {
            for object in objects where database.terminal[object.tag] != nil {
                throw .malformed(object.tag)
            }
            try database.store(objects)
        }

        // MARK: Selection and processing options

        /// What the kernel takes from the selection; issuers put other things there under any tag.
        private static let selectionObjects: Set<Tag> = [
            .dedicatedFileName, .applicationLabel, .applicationPriority, .languagePreference,
            .issuerCodeTableIndex, .applicationPreferredName, .processingOptionsList,
            .applicationCapabilitiesInformation, .dataStorageIdentifier, .thirdPartyData,
            .paymentAccountReference,
        ]

        /// Reads the File Control Information (S1.7).
        mutating func readSelection() throws(CardFault) {
            let template = try CardResponse.template(
                activation.fileControlInformation,
                .fileControlInformation
            )
            let known = CardResponse.primitives(template).filter {
                Self.selectionObjects.contains($0.tag)
            }
            try store(known)
            _ = try database.require(.dedicatedFileName)
            languagePreference = database.cardValue(.languagePreference) ?? []
            if let capabilities = try cardCapabilities(), capabilities.supportsFieldOffDetection {
                fieldOffHoldTime = configuration.fieldOffHoldTime
            }
        }

        /// GET PROCESSING OPTIONS with the data the card asks for, none where it has no PDOL (S1.11 to S1.14).
        mutating func processingOptionsCommand() throws(CardFault) -> CommandAPDU {
            pdolValues = try filled(.processingOptionsList)
            guard let command = CommandAPDU.getProcessingOptions(pdolValues) else {
                throw .wrong(.processingOptionsList)
            }
            return command
        }

        /// Reads the answer to GET PROCESSING OPTIONS, of either format (S3.10 to S3.14).
        /// - Returns: The Application File Locator.
        mutating func readProcessingOptions(_ body: [UInt8]) throws(CardFault) -> [UInt8] {
            let template = try CardResponse.template(body, .responseTemplate2, .responseTemplate1)
            try store(CardResponse.processingOptions(template))
            guard
                let profile = try database.read(
                    .applicationInterchangeProfile,
                    ApplicationInterchangeProfile.init(bytes:)
                )
            else { throw .missing(.applicationInterchangeProfile) }
            self.profile = profile
            return try database.require(.applicationFileLocator)
        }

        /// Settles what depends on the card's profile (S3.33 to S3.35).
        mutating func prepareEMVMode() {
            transactionLimit = configuration.transactionLimit(onDeviceCVM: usesOnDeviceCVM)
            results.relayResistance = .notPerformed
            if profile.supportsCDA && capabilities.supportsCDA {
                isCombinedAuthenticationDue = true
            } else {
                results.offlineDataAuthenticationNotPerformed = true
            }
            publish()
        }

        /// The locator without the record of magnetic stripe mode, where the reader could read that (S3.30).
        func activeLocator(_ locator: [UInt8]) -> [UInt8] {
            let magStripeRecord: [UInt8] = [0x08, 0x01, 0x01, 0x00]
            guard !configuration.isMagStripeModeUnsupported, locator.starts(with: magStripeRecord)
            else { return locator }
            return Array(locator.dropFirst(4))
        }

        /// Application Capabilities Information (9F5D); nil when the card has none.
        func cardCapabilities() throws(CardFault) -> ApplicationCapabilitiesInformation? {
            try database.read(
                .applicationCapabilitiesInformation,
                ApplicationCapabilitiesInformation.init(bytes:)
            )
        }

        /// The values a data object list of the card asks for; none where it has no such list.
        func filled(_ list: Tag) throws(CardFault) -> [UInt8] {
            guard let bytes = database.cardValue(list) else { return [] }
            guard let parsed = try? DataObjectList(parsing: bytes) else { throw .wrong(list) }
            return parsed.fill(database.value)
        }
    }
}
