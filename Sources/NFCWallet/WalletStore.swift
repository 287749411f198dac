import EMVCrypto
public import SecureStore

/// Cards, keys and payments of a wallet in a sealed file, which several programs may use at once.
///
/// What a program that was killed had reserved is found when the store is opened the next time: its keys are wasted, and
/// the history says which counters may have been used.
public final class WalletStore: Sendable {
    let store: SecureStore
    /// The time, in seconds since 1970.
    let now: @Sendable () -> Int64
    /// Who reserves keys through this object.
    let holder: KeyHolder

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
        holder = KeyHolder()
        try reportInterruptions()
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
