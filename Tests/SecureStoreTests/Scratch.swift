import Foundation
import Glibc
import SecureStore
import TestSupport

/// A folder of a test's own, gone when the test is over.
final class Scratch: Sendable {
    let folder: String

    init() throws {
        folder = try ScratchFolder.make("store").path
    }

    deinit { ScratchFolder.remove(URL(filePath: folder)) }

    /// A file in the folder.
    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Where the store is.
    var store: String { path("store") }

    /// Opens the store.
    func open(
        schema: StoreSchema = StoreSchema(),
        patienceMilliseconds: Int32 = SecureStore.defaultPatienceMilliseconds,
        maximumPageCount: Int? = nil
    ) throws(SecureStoreError) -> SecureStore {
        try SecureStore(
            path: store,
            schema: schema,
            patienceMilliseconds: patienceMilliseconds,
            maximumPageCount: maximumPageCount
        )
    }

    /// Changes the bytes of a file.
    func change(_ name: String, _ body: (inout [UInt8]) -> Void) throws {
        let url = URL(filePath: path(name))
        var bytes = [UInt8](try Data(contentsOf: url))
        body(&bytes)
        // In place, so that owner and mode stay.
        let file = try FileHandle(forWritingTo: url)
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    /// All bytes of all files of the store.
    func contents() throws -> [UInt8] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { !$0.hasSuffix(".key") }
            .flatMap { [UInt8](try Data(contentsOf: URL(filePath: path($0)))) }
    }
}

extension SecureStore {
    func set(_ id: RecordID, _ bytes: [UInt8]) throws(SecureStoreError) {
        try write { transaction throws(SecureStoreError) in try transaction.set(id, bytes.span) }
    }

    func bytes(_ id: RecordID) throws(SecureStoreError) -> [UInt8]? {
        try read { transaction throws(SecureStoreError) in
            guard let record = try transaction.record(id) else { return nil }
            return record.bytes
        }
    }
}

extension SecureStore {
    func numbers(_ kind: String, owner: String) throws(SecureStoreError) -> [Int64] {
        try read { transaction throws(SecureStoreError) in
            try transaction.numbers(kind, owner: owner)
        }
    }

    func records(_ kind: String) throws(SecureStoreError) -> [RecordID] {
        try read { transaction throws(SecureStoreError) in try transaction.records(kind) }
    }
}

extension StoreTransaction {
    func set(_ id: RecordID, _ bytes: [UInt8]) throws(SecureStoreError) {
        try set(id, bytes.span)
    }
}

extension SecretBytes {
    var bytes: [UInt8] {
        let span = span
        return span.indices.map { span[$0] }
    }
}
