extension SecureStore {
    /// Opens the store that goes with this one, and sees that it is the one that always has.
    ///
    /// What two stores know of each other is lost when one is made anew in silence: the first time is put down in this one,
    /// and from then on the other one must be there and be the same.
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
        let id = RecordID("companion", owner: name)
        let path = path ?? "\(self.path).\(name)"
        let known = try attempt(self.path) { () throws(SecureStoreError) in
            try read { transaction throws(SecureStoreError) in try transaction.bytes(id) }
        }
        guard isThere(path) || (isMade && known == nil) else {
            throw StoreFileError(path, .companionMissing(of: self.path))
        }
        let companion = try attempt(path) { () throws(SecureStoreError) in
            try SecureStore(path: path)
        }
        let identifier = companion.identifier
        let expected: [UInt8]
        if let known {
            expected = known
        } else {
            expected = try attempt(self.path) { () throws(SecureStoreError) in
                try write { transaction throws(SecureStoreError) in
                    // Another program may have been faster.
                    if let known = try transaction.bytes(id) { return known }
                    try transaction.set(id, identifier.span)
                    return identifier
                }
            }
        }
        guard expected == identifier else {
            throw StoreFileError(path, .companionOfAnother(than: self.path))
        }
        return companion
    }

    private func attempt<Value>(
        _ path: String,
        _ body: () throws(SecureStoreError) -> Value
    ) throws(StoreFileError) -> Value {
        do throws(SecureStoreError) {
            return try body()
        } catch {
            throw StoreFileError(path, error)
        }
    }
}

extension StoreTransaction {
    /// The bytes of a record that is no secret; nil when there is none.
    fileprivate borrowing func bytes(_ id: RecordID) throws(SecureStoreError) -> [UInt8]? {
        guard let record = try record(id) else { return nil }
        let span = record.span
        return span.indices.map { span[$0] }
    }
}

/// What is wrong with one of several stores.
public struct StoreFileError: Error, Hashable, Sendable {
    /// Which one.
    public var path: String
    /// What is wrong with it.
    public var cause: SecureStoreError

    /// Joins the two.
    public init(_ path: String, _ cause: SecureStoreError) {
        self.path = path
        self.cause = cause
    }
}
