import Octets

/// What is bound to every record of a store beside its bytes.
struct RecordBinding: Sendable {
    /// Tells this store from all others, 16 bytes.
    var store: [UInt8]
    /// The form of the records.
    var schema: Int

    /// How many bytes tell a store.
    static let storeByteCount = 16

    /// The bytes bound to a record: store, schema (4), and kind and owner, each behind its length (2), and number (8).
    func context(_ id: RecordID) -> [UInt8] {
        var bytes = store
        append(UInt64(schema), 4, to: &bytes)
        for text in [id.kind, id.owner] {
            append(UInt64(text.utf8.count), 2, to: &bytes)
            bytes += text.utf8
        }
        append(UInt64(bitPattern: id.number), 8, to: &bytes)
        return bytes
    }

    private func append(_ number: UInt64, _ byteCount: Int, to bytes: inout [UInt8]) {
        for index in (0..<byteCount).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: number >> (index * 8)))
        }
    }
}
