public import BERTLV

/// What was read of a payment card, whoever's it is.
public struct CardContents: Sendable {
    /// What the card is called, for people.
    public var name: String
    /// Whether its numbers are published test numbers.
    public var isPublic: Bool
    /// Its identifier in anticollision; empty where it was not read.
    public var uid: [UInt8]
    /// Historical bytes of its answer to select.
    public var historicalBytes: [UInt8]
    /// Its applications, in the order of the directory.
    public var applications: [Application]

    /// One application.
    public struct Application: Sendable {
        /// The name it was selected by.
        public var name: [UInt8]
        /// What the directory says of it, and what SELECT gave.
        public var selection: [TLV]
        /// What GET PROCESSING OPTIONS gave.
        public var processingOptions: [TLV]
        /// What READ RECORD gave, in order.
        public var records: [TLV]
        /// What GET DATA gave.
        public var retrieved: [TLV]

        /// Collects the parts.
        public init(
            name: [UInt8],
            selection: [TLV],
            processingOptions: [TLV],
            records: [TLV],
            retrieved: [TLV] = []
        ) {
            self.name = name
            self.selection = selection
            self.processingOptions = processingOptions
            self.records = records
            self.retrieved = retrieved
        }

        /// Everything, in the order it was read.
        public var objects: [TLV] { selection + processingOptions + records + retrieved }
    }

    /// Collects the parts.
    public init(
        name: String,
        isPublic: Bool,
        uid: [UInt8],
        historicalBytes: [UInt8],
        applications: [Application]
    ) {
        self.name = name
        self.isPublic = isPublic
        self.uid = uid
        self.historicalBytes = historicalBytes
        self.applications = applications
    }
}
