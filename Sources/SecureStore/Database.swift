internal import CSQLite

/// A connection to a SQLite file; one thread at a time.
@safe
final class Database: @unchecked Sendable {
    // @unchecked: a store keeps it behind its lock.
    private let connection: OpaquePointer
    /// Where the file is.
    let path: String

    /// Opens a file, or makes it, with `sqlite3_open_v2`.
    /// - Throws: `SecureStoreError`.
    init(path: String, patienceMilliseconds: Int32) throws(SecureStoreError) {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            path,
            &opened,
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
            nil
        )
        guard code == SQLITE_OK, let opened = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw SecureStoreError(resultCode: code)
        }
        unsafe connection = opened
        self.path = path
        _ = unsafe sqlite3_extended_result_codes(connection, 1)
        _ = unsafe sqlite3_busy_timeout(connection, patienceMilliseconds)
        // SQLite falls back to reading where writing is not allowed.
        if unsafe sqlite3_db_readonly(connection, "main") == 1 { throw .readOnly }
    }

    /// Closes the connection, with `sqlite3_close_v2`.
    deinit { unsafe sqlite3_close_v2(connection) }

    /// Something a statement takes.
    enum Value {
        case integer(Int64)
        case text(String)
        case blob([UInt8])
    }

    /// Runs a statement and hands out each of its rows.
    /// - Throws: `SecureStoreError`.
    func run(
        _ statement: String,
        _ values: [Value] = [],
        row: (borrowing Row) -> Void = { _ in }
    ) throws(SecureStoreError) {
        var prepared: OpaquePointer?
        try check(unsafe sqlite3_prepare_v3(connection, statement, -1, 0, &prepared, nil))
        guard let prepared = unsafe prepared else { return }
        defer { unsafe sqlite3_finalize(prepared) }
        // The arrays and texts live in `values` until the statement is done.
        for (index, value) in values.enumerated() {
            try check(unsafe bind(value, to: prepared, at: Int32(index + 1)))
        }
        while true {
            let code = unsafe sqlite3_step(prepared)
            switch code {
            case SQLITE_ROW: row(unsafe Row(statement: prepared))
            case SQLITE_DONE: return
            default: throw SecureStoreError(resultCode: code)
            }
        }
    }

    /// The integer a statement gives; zero when it gives none.
    /// - Throws: `SecureStoreError`.
    func integer(_ statement: String) throws(SecureStoreError) -> Int64 {
        var value: Int64 = 0
        try run(statement) { row in value = row.integer(0) }
        return value
    }

    /// Whether a transaction is open; some errors end it by themselves.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(connection) == 0 }

    @unsafe
    private func bind(_ value: Value, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .integer(let number): unsafe sqlite3_bind_int64(statement, index, number)
        case .text(let text):
            unsafe text.withCString { characters in
                unsafe sqlite3_bind_text(statement, index, characters, -1, tapwireTransient)
            }
        case .blob(let bytes):
            unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe sqlite3_bind_blob64(
                    statement,
                    index,
                    buffer.baseAddress,
                    UInt64(buffer.count),
                    tapwireTransient
                )
            }
        }
    }

    private func check(_ code: Int32) throws(SecureStoreError) {
        guard code == SQLITE_OK else { throw SecureStoreError(resultCode: code) }
    }

    /// One row of a result, for as long as it is handed out.
    @safe
    struct Row: ~Copyable {
        fileprivate let statement: OpaquePointer

        fileprivate init(statement: OpaquePointer) { unsafe self.statement = statement }

        func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

        func text(_ column: Int32) -> String {
            guard let text = unsafe sqlite3_column_text(statement, column) else { return "" }
            return unsafe String(cString: text)
        }

        func blob(_ column: Int32) -> [UInt8] {
            let count = Int(unsafe sqlite3_column_bytes(statement, column))
            guard count > 0, let start = unsafe sqlite3_column_blob(statement, column) else {
                return []
            }
            return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        }
    }
}

extension SecureStoreError {
    /// Wraps a result code of SQLite, extended or not.
    init(resultCode: Int32) {
        switch resultCode & 0xFF {
        case _ where resultCode == tapwireNoRoomForSharedMemory: self = .diskFull
        case SQLITE_FULL: self = .diskFull
        case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: self = .locked
        case SQLITE_CORRUPT: self = .corrupt
        case SQLITE_NOTADB: self = .notAStore
        case SQLITE_CANTOPEN: self = .cannotOpen
        default: self = .failure(code: resultCode)
        }
    }
}
