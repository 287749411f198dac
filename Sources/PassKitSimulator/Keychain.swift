public import Foundation
import Synchronization

/// What a keychain answers, with the numbers of Security.framework.
public struct KeychainStatus: RawRepresentable, Hashable, Sendable {
    /// The number.
    public var rawValue: Int32
    /// Wraps a number.
    public init(rawValue: Int32) { self.rawValue = rawValue }
    /// It is done (`errSecSuccess`).
    public static var success: Self { Self(rawValue: 0) }
    /// There is such an item already (`errSecDuplicateItem`).
    public static var duplicateItem: Self { Self(rawValue: -25299) }
    /// There is no such item (`errSecItemNotFound`).
    public static var itemNotFound: Self { Self(rawValue: -25300) }
    /// The process does not belong to the access group (`errSecMissingEntitlement`).
    public static var missingEntitlement: Self { Self(rawValue: -34018) }
}

/// The keychain items of a process, in place of the `SecItem…` functions.
///
/// An access group is an app group; only processes that belong to it see its items.
public struct Keychain: Sendable {
    private let storage: DeviceStorage
    private let groups: Set<String>

    /// The keychain of a process.
    public init(of process: AppProcess) {
        storage = process.host.storage
        groups = process.entitlements.appGroups
    }

    /// Adds an item (`SecItemAdd`).
    public func add(
        service: String,
        account: String,
        accessGroup: String,
        value: Data
    ) -> KeychainStatus {
        guard groups.contains(accessGroup) else { return .missingEntitlement }
        return storage.change { contents in
            let key = DeviceStorage.Key(group: accessGroup, service: service, name: account)
            guard contents.items[key] == nil else { return .duplicateItem }
            contents.items[key] = value
            return .success
        }
    }

    /// Changes an item (`SecItemUpdate`).
    public func update(
        service: String,
        account: String,
        accessGroup: String,
        value: Data
    ) -> KeychainStatus {
        guard groups.contains(accessGroup) else { return .missingEntitlement }
        return storage.change { contents in
            let key = DeviceStorage.Key(group: accessGroup, service: service, name: account)
            guard contents.items[key] != nil else { return .itemNotFound }
            contents.items[key] = value
            return .success
        }
    }

    /// Removes an item (`SecItemDelete`).
    @discardableResult
    public func delete(service: String, account: String, accessGroup: String) -> KeychainStatus {
        guard groups.contains(accessGroup) else { return .missingEntitlement }
        return storage.change { contents in
            let key = DeviceStorage.Key(group: accessGroup, service: service, name: account)
            return contents.items.removeValue(forKey: key) == nil ? .itemNotFound : .success
        }
    }

    /// Reads an item (`SecItemCopyMatching`); an item of another group is not found.
    public func copyMatching(
        service: String,
        account: String,
        accessGroup: String
    ) -> (status: KeychainStatus, value: Data?) {
        guard groups.contains(accessGroup) else { return (.itemNotFound, nil) }
        let key = DeviceStorage.Key(group: accessGroup, service: service, name: account)
        guard let value = storage.contents.items[key] else { return (.itemNotFound, nil) }
        return (.success, value)
    }
}

/// The folder that the processes of an app group share, in place of
/// `FileManager.containerURL(forSecurityApplicationGroupIdentifier:)`.
public struct AppGroupContainer: Sendable {
    private let storage: DeviceStorage
    private let groupID: String

    /// The folder of a group; nil where the process does not belong to it.
    public init?(groupID: String, of process: AppProcess) {
        guard process.entitlements.appGroups.contains(groupID) else { return nil }
        self.groupID = groupID
        storage = process.host.storage
    }

    /// Reads a file; nil where there is none.
    public func file(_ name: String) -> Data? {
        storage.contents.files[DeviceStorage.Key(group: groupID, service: "", name: name)]
    }

    /// Writes a file.
    public func write(_ contents: Data, to name: String) {
        storage.change {
            $0.files[DeviceStorage.Key(group: groupID, service: "", name: name)] = contents
        }
    }
}

/// What apps have stored on a device: the containers of app groups and the keychain.
public final class DeviceStorage: Sendable {
    struct Key: Hashable, Sendable {
        var group: String
        var service: String
        var name: String
    }

    struct Contents: Sendable {
        var files: [Key: Data] = [:]
        var items: [Key: Data] = [:]
    }

    private let state = Mutex(Contents())

    /// Starts empty.
    public init() {}

    var contents: Contents { state.withLock { $0 } }

    func change<Value: Sendable>(_ body: (inout Contents) -> Value) -> Value {
        state.withLock { body(&$0) }
    }

    /// All files of all containers one after another, to be searched for what must not be there.
    public var containerDump: Data { contents.files.values.reduce(into: Data()) { $0 += $1 } }
}
