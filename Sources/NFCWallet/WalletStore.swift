public import SecureStore

/// Cards, keys and payments of a wallet in a sealed file, which several programs may use at once.
///
/// What a program that was killed had reserved is found when the store is opened the next time: its keys are wasted, and
/// the history says which counters may have been used.
public final class WalletStore: Sendable {
    let store: SecureStore
    /// The time, in seconds since 1970.
    let now: @Sendable () -> Int64
    /// Shows others that this object is still there.
    private let presence: Presence

    /// Who reserves keys through this object.
    var holder: KeyHolder { KeyHolder(mark: presence.number) }

    /// Opens a store; makes it where there is none.
    /// - Parameters:
    ///   - path: The file.
    ///   - keyPath: The file of the key it is sealed with; nil for the one beside it.
    ///   - now: The time, in seconds since 1970.
    /// - Throws: `SecureStoreError`.
    public init(
        path: String,
        keyPath: String? = nil,
        now: @escaping @Sendable () -> Int64 = { WallClock.now }
    ) throws(SecureStoreError) {
        store = try SecureStore(path: path, keyPath: keyPath, schema: Self.schema)
        self.now = now
        presence = try store.makePresence()
        try reportInterruptions()
    }

    /// What went wrong when something last did; nil when nothing has.
    ///
    /// A session whose store fails only says `keychainError`.
    public var lastFailure: SecureStoreError? { store.lastFailure }

    /// Opens the store that goes with this one, such as the server's in a program that has both.
    /// - Parameters:
    ///   - name: What it is called.
    ///   - path: Its file; nil for the one beside this one that has the same name with a point and `name` behind it.
    ///   - isMade: Whether it is made where this store has had none so far.
    /// - Returns: The other store.
    /// - Throws: `StoreFileError` with the file at fault.
    public func companion(
        _ name: String,
        at path: String? = nil,
        isMade: Bool
    ) throws(StoreFileError) -> SecureStore {
        try store.companion(name, at: path, isMade: isMade)
    }

    /// Whether somebody who reserved keys is still there, in whatever program.
    func isPresent(_ holder: KeyHolder) throws(SecureStoreError) -> Bool {
        guard let mark = holder.mark else { return false }
        return try presence.sees(mark)
    }

    /// Runs a transaction and wraps its error.
    func write<Value: Sendable>(
        _ body: (borrowing StoreTransaction) throws(SecureStoreError) -> Value
    ) throws(PaymentKeyStoreError) -> Value {
        do throws(SecureStoreError) {
            return try store.write(body)
        } catch {
            throw PaymentKeyStoreError(error)
        }
    }

    /// Reads in a transaction and wraps its error.
    func read<Value: Sendable>(
        _ body: (borrowing StoreTransaction) throws(SecureStoreError) -> Value
    ) throws(PaymentKeyStoreError) -> Value {
        do throws(SecureStoreError) {
            return try store.read(body)
        } catch {
            throw PaymentKeyStoreError(error)
        }
    }
}
