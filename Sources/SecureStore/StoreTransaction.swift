/// The records of a store during a transaction.
public struct StoreTransaction: ~Copyable {
    private let database: Database
    private let cipher: RecordCipher
    private let binding: RecordBinding

    init(_ database: Database, _ cipher: RecordCipher, _ binding: RecordBinding) {
        self.database = database
        self.cipher = cipher
        self.binding = binding
    }

    /// The bytes of a record; nil when there is none.
    /// - Throws: `SecureStoreError`.
    public func record(_ id: RecordID) throws(SecureStoreError) -> SecretBytes? {
        var sealed: [UInt8]?
        try database.run(
            "SELECT sealed FROM record WHERE kind = ? AND owner = ? AND number = ?",
            id.values
        ) { row in sealed = row.blob(0) }
        guard let sealed else { return nil }
        guard let bytes = cipher.open(sealed, boundTo: binding.context(id)) else {
            throw .damagedRecord(id)
        }
        return bytes
    }

    /// The numbers of the records of a kind and owner, rising.
    /// - Throws: `SecureStoreError`.
    public func numbers(
        _ kind: String,
        owner: String = ""
    ) throws(SecureStoreError) -> [Int64] {
        var numbers: [Int64] = []
        try database.run(
            "SELECT number FROM record WHERE kind = ? AND owner = ? ORDER BY number",
            [.text(kind), .text(owner)]
        ) { row in numbers.append(row.integer(0)) }
        return numbers
    }

    /// The names of all records of a kind, by owner and number.
    /// - Throws: `SecureStoreError`.
    public func records(_ kind: String) throws(SecureStoreError) -> [RecordID] {
        var found: [RecordID] = []
        try database.run(
            "SELECT owner, number FROM record WHERE kind = ? ORDER BY owner, number",
            [.text(kind)]
        ) { row in found.append(RecordID(kind, owner: row.text(0), number: row.integer(1))) }
        return found
    }

    /// Adds a record, or puts it in the place of the one that was there.
    /// - Throws: `SecureStoreError`.
    public func set(_ id: RecordID, _ bytes: Span<UInt8>) throws(SecureStoreError) {
        let sealed = cipher.seal(bytes, boundTo: binding.context(id))
        try database.run(
            "INSERT INTO record VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET sealed = excluded.sealed",
            id.values + [.blob(sealed)]
        )
    }

    /// Removes a record, if it is there.
    /// - Throws: `SecureStoreError`.
    public func remove(_ id: RecordID) throws(SecureStoreError) {
        try database.run(
            "DELETE FROM record WHERE kind = ? AND owner = ? AND number = ?",
            id.values
        )
    }

    /// Removes all records of a kind and owner.
    /// - Throws: `SecureStoreError`.
    public func removeAll(_ kind: String, owner: String = "") throws(SecureStoreError) {
        try database.run(
            "DELETE FROM record WHERE kind = ? AND owner = ?",
            [.text(kind), .text(owner)]
        )
    }
}

extension RecordID {
    fileprivate var values: [Database.Value] { [.text(kind), .text(owner), .integer(number)] }
}
