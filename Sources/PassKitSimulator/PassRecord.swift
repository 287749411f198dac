import Foundation
import NFCWallet
public import SecureStore
import Synchronization

/// What a device keeps about a pass.
public struct PassRecord: Hashable, Sendable, Codable {
    var serialNumber: String
    var cardID: String
    var primaryAccountIdentifier: String
    var primaryAccountNumberSuffix: String
    var deviceAccountNumberSuffix: String
    var localizedName: String
    /// The apps that may see it, as bundle identifiers; a `*` at the end stands for anything.
    var associatedApplicationIdentifiers: [String]
    var state: Int
    var methods: [String]
    /// The numbers of the lifecycle events that were applied last, by what they change.
    var appliedEvents: [String: Int64] = [:]
    /// The last day of the card where an event has changed it, YYYY-MM-DD.
    var lastDay: String?

    var activationState: PKSecureElementPass.PassActivationState {
        get { PKSecureElementPass.PassActivationState(rawValue: state) ?? .deactivated }
        set { state = newValue.rawValue }
    }

    func isVisible(to bundleIdentifier: String) -> Bool {
        associatedApplicationIdentifiers.contains { pattern in
            pattern.hasSuffix("*")
                ? bundleIdentifier.hasPrefix(pattern.dropLast()) : bundleIdentifier == pattern
        }
    }

    func pass(on device: String, isRemote: Bool) -> PKSecureElementPass {
        PKSecureElementPass(
            serialNumber: serialNumber,
            primaryAccountIdentifier: primaryAccountIdentifier,
            primaryAccountNumberSuffix: primaryAccountNumberSuffix,
            deviceAccountIdentifier: cardID,
            deviceAccountNumberSuffix: deviceAccountNumberSuffix,
            devicePassIdentifier: isRemote ? nil : serialNumber,
            localizedName: localizedName,
            deviceName: device,
            isRemotePass: isRemote,
            passActivationState: activationState
        )
    }
}

/// Where a device keeps its passes.
public protocol PassRecords: AnyObject, Sendable {
    /// The passes at one moment.
    /// - Throws: `SecureStoreError`.
    func passes() throws(SecureStoreError) -> [PassRecord]
    /// Changes the passes, while nobody else does.
    /// - Throws: `SecureStoreError`; nothing is changed.
    func update<Value: Sendable>(
        _ change: (inout [PassRecord]) -> Value
    ) throws(SecureStoreError) -> Value

    /// Does something while nobody else, in this program or another, adds, activates or changes a card of the device.
    /// - Throws: `ProvisioningError.busy` when others take too long, or what the body throws.
    func exclusively<Value>(
        _ body: () throws(ProvisioningError) -> Value
    ) throws(ProvisioningError) -> Value
}

/// Passes in memory.
public final class MemoryPassRecords: PassRecords {
    private let state = Mutex<[PassRecord]>([])
    private let turn = NSRecursiveLock()

    /// Starts without passes.
    public init() {}

    /// The passes at one moment.
    public func passes() -> [PassRecord] { state.withLock { $0 } }

    /// Changes the passes, while nobody else does.
    public func update<Value: Sendable>(_ change: (inout [PassRecord]) -> Value) -> Value {
        state.withLock { change(&$0) }
    }

    /// Does something while nobody else adds, activates or changes a card of the device.
    /// - Throws: What the body throws.
    public func exclusively<Value>(
        _ body: () throws(ProvisioningError) -> Value
    ) throws(ProvisioningError) -> Value {
        turn.lock()
        defer { turn.unlock() }
        return try body()
    }
}

/// Passes in a sealed file.
public final class StoredPassRecords: PassRecords {
    private let store: SecureStore
    private let lockPath: String
    private let patienceMilliseconds: Int32
    private static let kind = "pass"
    private static let secretID = RecordID("secret")

    /// Opens a file; makes it where there is none.
    /// - Parameters:
    ///   - path: The file.
    ///   - patienceMilliseconds: How long others that change a card of the device are waited for.
    /// - Throws: `SecureStoreError`.
    public convenience init(
        path: String,
        patienceMilliseconds: Int32 = 60_000
    ) throws(SecureStoreError) {
        self.init(try SecureStore(path: path), patienceMilliseconds: patienceMilliseconds)
    }

    /// Takes a store that is open.
    public init(_ store: SecureStore, patienceMilliseconds: Int32 = 60_000) {
        self.store = store
        lockPath = Self.lockPath(of: store.path)
        self.patienceMilliseconds = patienceMilliseconds
    }

    /// What went wrong when something last did; nil when nothing has.
    public var lastFailure: SecureStoreError? { store.lastFailure }

    /// The file that is locked while a card is added to the device, activated or changed; it has the name of the passes' file.
    public static func lockPath(of path: String) -> String { path + ".lock" }

    /// Does something while nobody else, in this program or another, adds, activates or changes a card of the device.
    /// - Throws: `ProvisioningError.busy` when others take too long, or what the body throws.
    public func exclusively<Value>(
        _ body: () throws(ProvisioningError) -> Value
    ) throws(ProvisioningError) -> Value {
        let result: Result<Value, ProvisioningError>
        do throws(SecureStoreError) {
            result = try FileLock.hold(
                lockPath,
                patienceMilliseconds: patienceMilliseconds,
                body
            )
        } catch {
            throw error == .locked ? .busy : .store
        }
        return try result.get()
    }

    /// 32 random bytes that stay the same as long as the file does.
    /// - Throws: `SecureStoreError`.
    public func secret() throws(SecureStoreError) -> [UInt8] {
        let new = randomBytes(32)
        return try store.write { transaction throws(SecureStoreError) in
            if let old = try transaction.record(Self.secretID) {
                let span = old.span
                return span.indices.map { span[$0] }
            }
            try transaction.set(Self.secretID, new.span)
            return new
        }
    }

    /// The passes at one moment.
    /// - Throws: `SecureStoreError`.
    public func passes() throws(SecureStoreError) -> [PassRecord] {
        try store.read { transaction throws(SecureStoreError) in try Self.passes(transaction) }
    }

    /// Changes the passes, while nobody else does.
    /// - Throws: `SecureStoreError`; nothing is changed.
    public func update<Value: Sendable>(
        _ change: (inout [PassRecord]) -> Value
    ) throws(SecureStoreError) -> Value {
        try store.write { transaction throws(SecureStoreError) in
            let old = try Self.passes(transaction)
            var new = old
            let value = change(&new)
            guard new != old else { return value }
            try transaction.removeAll(Self.kind)
            for (number, pass) in new.enumerated() {
                try transaction.set(RecordID(Self.kind, number: Int64(number)), json: pass)
            }
            return value
        }
    }

    private static func passes(
        _ transaction: borrowing StoreTransaction
    ) throws(SecureStoreError) -> [PassRecord] {
        var passes: [PassRecord] = []
        for id in try transaction.records(kind) {
            let pass: PassRecord? = try transaction.json(id)
            if let pass { passes.append(pass) }
        }
        return passes
    }
}
