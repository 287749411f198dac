import Glibc
import Octets

/// Whether there is a file, a folder or anything else of this name.
func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

/// Whether something has this name that holds no bytes of its own: a directory, a pipe or a device.
func isSpecial(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
}

/// Whether a file that can be read is neither empty nor a SQLite file.
///
/// To close a file takes the locks away that this process has on it: not to be asked of a store that is open.
func isForeign(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let header = [UInt8]("SQLite format 3\0".utf8)
    var bytes = [UInt8](repeating: 0, count: header.count)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return count > 0 && bytes != header
}

/// Whether there is nothing in a file, or no file.
func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) != 0 || status.st_size == 0
}

/// Marks a SQLite file as a store: “TAPW”.
private let applicationID: Int64 = 0x5441_5057

/// What is sealed so that a wrong key is told from damage.
private let proof = RecordID("proof")

extension Database {
    /// Sees that the file is a store of the key's, sound, and of the present schema; makes it one where it is empty.
    /// - Throws: `SecureStoreError`.
    func prepare(
        _ cipher: RecordCipher,
        _ schema: StoreSchema
    ) throws(SecureStoreError) -> RecordBinding {
        // A commit must be on the disk, and what is deleted must not stay readable in its page.
        try run("PRAGMA synchronous = FULL")
        try run("PRAGMA secure_delete = ON")
        if try integer("SELECT count(*) FROM sqlite_master") == 0 {
            // Others have no business with the names of the records either.
            _ = unsafe chmod(path, 0o600)
            return try make(cipher, schema)
        }
        guard try integer("PRAGMA application_id") == applicationID else { throw .notAStore }
        var isSound = false
        try run("PRAGMA quick_check(1)") { row in isSound = row.text(0) == "ok" }
        guard isSound else { throw .corrupt }
        return try transact("BEGIN IMMEDIATE") { database throws(SecureStoreError) in
            try database.bringUp(cipher, schema)
        }
    }

    private func make(
        _ cipher: RecordCipher,
        _ schema: StoreSchema
    ) throws(SecureStoreError) -> RecordBinding {
        try run("PRAGMA journal_mode = WAL")
        let binding = RecordBinding(
            store: randomBytes(RecordBinding.storeByteCount),
            schema: schema.version
        )
        let sealed = cipher.seal([UInt8]().span, boundTo: binding.context(proof))
        try transact("BEGIN IMMEDIATE") { database throws(SecureStoreError) in
            try database.run("CREATE TABLE store (id BLOB NOT NULL, proof BLOB NOT NULL)")
            try database.run(
                """
                CREATE TABLE record (kind TEXT NOT NULL, owner TEXT NOT NULL, number INTEGER NOT NULL,
                sealed BLOB NOT NULL, PRIMARY KEY (kind, owner, number)) WITHOUT ROWID
                """
            )
            try database.run(
                "INSERT INTO store VALUES (?, ?)",
                [.blob(binding.store), .blob(sealed)]
            )
            try database.run("PRAGMA application_id = \(applicationID)")
            try database.run("PRAGMA user_version = \(schema.version)")
        }
        return binding
    }

    /// Checks the key and brings records of an older schema into the present one.
    private func bringUp(
        _ cipher: RecordCipher,
        _ schema: StoreSchema
    ) throws(SecureStoreError) -> RecordBinding {
        let found = Int(try integer("PRAGMA user_version"))
        guard found <= schema.version else {
            throw .newerSchema(found: found, known: schema.version)
        }
        guard found >= 1 else { throw .notAStore }
        var old = RecordBinding(store: [], schema: found)
        var sealed: [UInt8] = []
        try run("SELECT id, proof FROM store") { row in
            old.store = row.blob(0)
            sealed = row.blob(1)
        }
        guard cipher.open(sealed, boundTo: old.context(proof)) != nil else { throw .wrongKey }
        while old.schema < schema.version {
            old = try step(from: old, cipher, schema.steps[old.schema - 1])
        }
        return old
    }

    /// Brings all records from one schema to the next.
    private func step(
        from old: RecordBinding,
        _ cipher: RecordCipher,
        _ change: StoreSchema.Step
    ) throws(SecureStoreError) -> RecordBinding {
        var new = old
        new.schema += 1
        var records: [(id: RecordID, sealed: [UInt8])] = []
        try run("SELECT kind, owner, number, sealed FROM record") { row in
            let id = RecordID(row.text(0), owner: row.text(1), number: row.integer(2))
            records.append((id, row.blob(3)))
        }
        try run("DELETE FROM record")
        for (id, sealed) in records {
            guard let bytes = cipher.open(sealed, boundTo: old.context(id)) else {
                throw .damagedRecord(id)
            }
            var changed: [[Value]] = []
            change(id, bytes.span) { id, bytes in
                let sealed = cipher.seal(bytes, boundTo: new.context(id))
                changed.append([
                    .text(id.kind), .text(id.owner), .integer(id.number), .blob(sealed),
                ])
            }
            for values in changed { try run("INSERT INTO record VALUES (?, ?, ?, ?)", values) }
        }
        let sealed = cipher.seal([UInt8]().span, boundTo: new.context(proof))
        try run("UPDATE store SET proof = ?", [.blob(sealed)])
        try run("PRAGMA user_version = \(new.schema)")
        return new
    }
}
