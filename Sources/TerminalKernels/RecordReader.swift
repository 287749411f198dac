import BERTLV
import EMVData
import ISO7816

/// Reads the records an Application File Locator names, one after another, and collects the static data.
struct RecordReader: Sendable {
    /// How many records one locator may name; real cards have at most a few dozen.
    static let maximumRecordCount = 255
    /// How long the static data to be authenticated may get (EMV Book C-2, S4).
    static let maximumStaticDataLength = 2048

    private let records: [ApplicationFileLocator.Record]
    private var position = 0
    /// Static data to be authenticated so far (EMV Book 3, 10.3); nil when they got too long.
    private(set) var staticData: [UInt8]? = []

    /// Begins with the first record.
    /// - Throws: `CardFault.wrong` when the locator is malformed or names no record, or too many.
    init(_ locator: [UInt8]) throws(CardFault) {
        guard let parsed = try? ApplicationFileLocator(parsing: locator) else {
            throw .wrong(.applicationFileLocator)
        }
        records = parsed.records
        guard 1...Self.maximumRecordCount ~= records.count else {
            throw .wrong(.applicationFileLocator)
        }
    }

    /// The command that reads the next record; nil when all are read.
    var command: CommandAPDU? {
        position < records.count ? .readRecord(records[position]) : nil
    }

    /// Takes the answer to `command` and moves on.
    /// - Returns: The primitive objects in the record; none for the files 11 to 30, which are not EMV's.
    /// - Throws: `CardFault.malformed` when the record is not one template 70.
    mutating func receive(_ body: [UInt8]) throws(CardFault) -> [TLV] {
        let record = records[position]
        position += 1
        let isEMV = record.shortFileIdentifier <= 10
        guard isEMV || record.isAuthenticated else { return [] }

        let template = try CardResponse.template(body, .recordTemplate)
        if record.isAuthenticated {
            // Padding between the objects was signed too, so the bytes are taken as the card wrote them.
            append(isEMV ? CardResponse.contents(body) : body)
        }
        return isEMV ? CardResponse.primitives(template) : []
    }

    private mutating func append(_ bytes: [UInt8]) {
        guard let collected = staticData else { return }
        let isTooLong = collected.count + bytes.count > Self.maximumStaticDataLength
        staticData = isTooLong ? nil : collected + bytes
    }
}
