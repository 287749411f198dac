internal import CSQLite
import Synchronization

/// A file of sealed records, which several programs may use at once.
///
/// The file is a SQLite database. Each record is sealed with AES-256-GCM under a key that lies in a file of its own; only
/// the records' names can be read without it. Each transaction is whole or not there at all, whatever happens to the
/// program, and is on the disk when it returns.
public final class SecureStore: Sendable {
    /// Where the store is.
    public let path: String
    /// Where its key is.
    let keyPath: String
    let cipher: RecordCipher
    private let database: Mutex<Database>
    private let binding: RecordBinding
    private let failure = Mutex<SecureStoreError?>(nil)

    /// How long other programs are waited for, in milliseconds.
    public static let defaultPatienceMilliseconds: Int32 = 5_000

    /// Where the key of a store is unless somebody says otherwise: beside it.
    public static func keyPath(of path: String) -> String { path + ".key" }

    /// Opens a store; makes it, and its key file, where there is none.
    /// - Parameters:
    ///   - path: The file.
    ///   - keyPath: The key file; nil for the one beside the store.
    ///   - schema: Which form the records have; those of older forms are brought into it.
    ///   - patienceMilliseconds: How long other programs are waited for.
    ///   - maximumPageCount: How many pages of 4096 bytes the file may have; nil for no limit but the disk's.
    /// - Throws: `SecureStoreError`.
    public init(
        path: String,
        keyPath: String? = nil,
        schema: StoreSchema = StoreSchema(),
        patienceMilliseconds: Int32 = defaultPatienceMilliseconds,
        maximumPageCount: Int? = nil
    ) throws(SecureStoreError) {
        self.path = path
        self.keyPath = keyPath ?? Self.keyPath(of: path)
        guard !isSpecial(path) else { throw .notAFile }
        let keyFile: KeyFile
        do throws(SecureStoreError) {
            keyFile = try KeyFile(path: self.keyPath, isMade: isEmpty(path))
        } catch {
            if case .keyFileMissing = error, isForeign(path) { throw .notAStore }
            throw error
        }
        let cipher = RecordCipher(key: try keyFile.key())
        try keyFile.lock(patienceMilliseconds: patienceMilliseconds)
        let database = try Database(path: path, patienceMilliseconds: patienceMilliseconds)
        if let maximumPageCount {
            try database.run("PRAGMA max_page_count = \(maximumPageCount)")
        }
        binding = try database.prepare(cipher, schema)
        self.cipher = cipher
        self.database = Mutex(database)
    }

    /// Tells this store from all others, 16 bytes; a copy of its file has the same.
    public var identifier: [UInt8] { binding.store }

    /// What went wrong when something last did, for those who were told no more than that; nil when nothing has.
    public var lastFailure: SecureStoreError? { failure.withLock { $0 } }

    /// Reads records as they are at one moment.
    /// - Throws: `SecureStoreError`, or what `body` throws.
    public func read<Value: ~Copyable & Sendable>(
        _ body: (borrowing StoreTransaction) throws(SecureStoreError) -> Value
    ) throws(SecureStoreError) -> Value {
        try transact("BEGIN", body)
    }

    /// Reads and changes records, alone; all changes are on the disk once this returns, or none is made.
    /// - Throws: `SecureStoreError`, or what `body` throws.
    public func write<Value: ~Copyable & Sendable>(
        _ body: (borrowing StoreTransaction) throws(SecureStoreError) -> Value
    ) throws(SecureStoreError) -> Value {
        try transact("BEGIN IMMEDIATE", body)
    }

    private func transact<Value: ~Copyable & Sendable>(
        _ beginning: String,
        _ body: (borrowing StoreTransaction) throws(SecureStoreError) -> Value
    ) throws(SecureStoreError) -> Value {
        do throws(SecureStoreError) {
            return try database.withLock { database throws(SecureStoreError) in
                try database.transact(beginning) { database throws(SecureStoreError) in
                    try body(StoreTransaction(database, cipher, binding))
                }
            }
        } catch {
            failure.withLock { $0 = error }
            throw error
        }
    }
}

extension Database {
    /// Does something between a beginning and COMMIT, or ROLLBACK where that throws.
    func transact<Value: ~Copyable>(
        _ beginning: String,
        _ body: (Database) throws(SecureStoreError) -> Value
    ) throws(SecureStoreError) -> Value {
        try run(beginning)
        do throws(SecureStoreError) {
            let value = try body(self)
            try run("COMMIT")
            return value
        } catch {
            if isInTransaction { try? run("ROLLBACK") }
            throw error
        }
    }
}
