public import BERTLV

/// One application of a card, ready to be answered from.
public struct CardApplication: Sendable {
    /// A record and where READ RECORD finds it.
    public struct Record: Hashable, Sendable {
        /// Short File Identifier, 1 to 30.
        public var file: UInt8
        /// Record number, from 1.
        public var number: UInt8
        /// The whole response data.
        public var contents: [UInt8]
        /// Where the value of Card Authentication Related Data (9F69) of this transaction goes; nil for nowhere.
        public var authenticationDataOffset: Int?

        /// Places `contents` at a record number of a file.
        public init(
            file: UInt8,
            number: UInt8,
            contents: [UInt8],
            authenticationDataOffset: Int? = nil
        ) {
            self.file = file
            self.number = number
            self.contents = contents
            self.authenticationDataOffset = authenticationDataOffset
        }
    }

    /// What GET DATA answers for one tag.
    public struct RetrievableObject: Hashable, Sendable {
        /// The tag, of one or two bytes.
        public var tag: Tag
        /// The whole response data: tag, length and value.
        public var contents: [UInt8]

        /// Joins a tag and what is answered for it.
        public init(tag: Tag, contents: [UInt8]) {
            self.tag = tag
            self.contents = contents
        }
    }

    /// Where an object lies in the values that answer a data object list.
    public struct Field: Hashable, Sendable {
        /// First byte and the one after the last.
        public var range: Range<Int>
        /// Names a range of the values.
        public init(_ range: Range<Int>) { self.range = range }
    }

    /// When an application wants its user authenticated on the device (CDCVM).
    public enum ConsumerDeviceCVM: Sendable {
        /// The application knows no CDCVM: a plastic card.
        case none
        /// When the terminal requires a CVM.
        case onRequest
        /// In every transaction.
        case always
    }

    /// How the application makes its cryptogram, and what it needs for that.
    public enum Cryptography: Sendable {
        /// Visa qVSDC: the cryptogram comes with the response to GET PROCESSING OPTIONS.
        case qvsdc(QVSDCApplication)
        /// Mastercard M/Chip: the cryptogram comes with the response to GENERATE AC.
        case mchip(MChipApplication)
    }

    /// DF name, 5 to 16 bytes (AID).
    public var name: [UInt8]
    /// File Control Information: the response to SELECT.
    public var selectionResponse: [UInt8]
    /// How many bytes the PDOL asks for; zero without a PDOL.
    public var processingDataCount: Int
    /// Application Interchange Profile (82).
    public var interchangeProfile: UInt16
    /// The records, in any order.
    public var records: [Record]
    /// What GET DATA answers beside the transaction counter (9F36).
    public var retrievableObjects: [RetrievableObject]
    /// When the user is to be authenticated on the device.
    public var consumerDeviceCVM: ConsumerDeviceCVM
    /// What is approved offline, and what not at all.
    public var limits: CardLimits
    /// How the cryptogram is made.
    public var cryptography: Cryptography

    /// Collects the parts; personalisation computes and checks them.
    public init(
        name: [UInt8],
        selectionResponse: [UInt8],
        processingDataCount: Int,
        interchangeProfile: UInt16,
        records: [Record],
        retrievableObjects: [RetrievableObject],
        consumerDeviceCVM: ConsumerDeviceCVM,
        limits: CardLimits,
        cryptography: Cryptography
    ) {
        self.name = name
        self.selectionResponse = selectionResponse
        self.processingDataCount = processingDataCount
        self.interchangeProfile = interchangeProfile
        self.records = records
        self.retrievableObjects = retrievableObjects
        self.consumerDeviceCVM = consumerDeviceCVM
        self.limits = limits
        self.cryptography = cryptography
    }
}
