#if !hasFeature(Embedded)

/// Which records the terminal reads, and which of them are authenticated (94).
///
/// Four bytes for each range: short file identifier in the high five bits, first record, last record, and how many
/// records from the first on take part in offline data authentication. EMV Book 3, 10.2.
public struct ApplicationFileLocator: Hashable, Sendable {
    /// A range of records in one file.
    public struct Entry: Hashable, Sendable {
        /// The Short File Identifier, 1 to 30.
        public var shortFileIdentifier: UInt8
        /// The first record to read, from 1.
        public var firstRecord: UInt8
        /// The last record to read.
        public var lastRecord: UInt8
        /// How many records, from the first on, take part in offline data authentication.
        public var authenticatedRecordCount: UInt8

        /// Collects the parts.
        public init(
            shortFileIdentifier: UInt8,
            firstRecord: UInt8,
            lastRecord: UInt8,
            authenticatedRecordCount: UInt8 = 0
        ) {
            self.shortFileIdentifier = shortFileIdentifier
            self.firstRecord = firstRecord
            self.lastRecord = lastRecord
            self.authenticatedRecordCount = authenticatedRecordCount
        }

        /// The entry's four bytes.
        public var bytes: [UInt8] {
            [shortFileIdentifier << 3, firstRecord, lastRecord, authenticatedRecordCount]
        }
    }

    /// One record to read.
    public struct Record: Hashable, Sendable {
        /// The Short File Identifier, 1 to 30.
        public var shortFileIdentifier: UInt8
        /// The record number, from 1.
        public var number: UInt8
        /// Whether it takes part in offline data authentication.
        public var isAuthenticated: Bool

        /// Collects the parts.
        public init(shortFileIdentifier: UInt8, number: UInt8, isAuthenticated: Bool) {
            self.shortFileIdentifier = shortFileIdentifier
            self.number = number
            self.isAuthenticated = isAuthenticated
        }

        /// READ RECORD's P1 and P2, P1 in the high byte (EMV Book 3, 6.5.11).
        public var readRecordParameters: UInt16 {
            UInt16(number) << 8 | UInt16(shortFileIdentifier << 3 | 0x04)
        }
    }

    /// The ranges, in the order they are read.
    public var entries: [Entry]

    /// Collects ranges.
    public init(entries: [Entry]) { self.entries = entries }

    /// The longest locator, in bytes: 63 ranges.
    public static var maximumByteCount: Int { 252 }

    /// Reads the object.
    /// - Throws: `EMVDataError` with the offset of the byte that breaks a rule of EMV Book 3, 10.2.
    public init(parsing bytes: [UInt8]) throws(EMVDataError) {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 4), bytes.count <= Self.maximumByteCount
        else { throw EMVDataError(.wrongLength, at: bytes.count) }
        entries = []
        for offset in stride(from: 0, to: bytes.count, by: 4) {
            let entry = Entry(
                shortFileIdentifier: bytes[offset] >> 3,
                firstRecord: bytes[offset + 1],
                lastRecord: bytes[offset + 2],
                authenticatedRecordCount: bytes[offset + 3]
            )
            guard bytes[offset] & 0x07 == 0, 1...30 ~= entry.shortFileIdentifier else {
                throw EMVDataError(.invalidFileIdentifier, at: offset)
            }
            guard entry.firstRecord > 0 else {
                throw EMVDataError(.invalidRecordRange, at: offset + 1)
            }
            guard entry.lastRecord >= entry.firstRecord else {
                throw EMVDataError(.invalidRecordRange, at: offset + 2)
            }
            let recordCount = Int(entry.lastRecord) - Int(entry.firstRecord) + 1
            guard entry.authenticatedRecordCount <= recordCount else {
                throw EMVDataError(.invalidRecordRange, at: offset + 3)
            }
            entries.append(entry)
        }
    }

    /// The object's bytes.
    public var bytes: [UInt8] { entries.flatMap(\.bytes) }

    /// Every record, in the order they are read.
    public var records: [Record] {
        entries.flatMap { entry in
            (entry.firstRecord...entry.lastRecord).map { number in
                Record(
                    shortFileIdentifier: entry.shortFileIdentifier,
                    number: number,
                    isAuthenticated: number - entry.firstRecord < entry.authenticatedRecordCount
                )
            }
        }
    }
}

#endif
