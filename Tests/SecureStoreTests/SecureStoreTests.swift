import Foundation
import Glibc
import Octets
import SecureStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SecureStoreTests {
    private let id = RecordID("key", owner: "card", number: 7)

    @Test(arguments: [0, 1, 15, 16, 17, 255, 256, 65_535])
    func `what is stored is there when the store is opened again`(_ count: Int) throws {
        let scratch = try Scratch()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        try scratch.open().set(id, bytes)
        #expect(try scratch.open().bytes(id) == bytes)
        #expect(try scratch.open().bytes(RecordID("key", owner: "card", number: 8)) == nil)
    }

    @Test func `records are listed, replaced and removed by name`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try store.write { transaction throws(SecureStoreError) in
            for number in [3, -1, 2] as [Int64] {
                for owner in ["a", "b"] {
                    try transaction.set(
                        RecordID("k", owner: owner, number: number),
                        [UInt8(truncatingIfNeeded: number)]
                    )
                }
            }
            try transaction.set(RecordID("k", owner: "a", number: 2), [9])
            try transaction.remove(RecordID("k", owner: "a", number: 3))
            try transaction.removeAll("k", owner: "b")
            try transaction.set(RecordID("other"), [])
        }
        #expect(try store.numbers("k", owner: "a") == [-1, 2])
        #expect(
            try store.records("k") == [
                RecordID("k", owner: "a", number: -1), RecordID("k", owner: "a", number: 2),
            ]
        )
        #expect(try store.bytes(RecordID("k", owner: "a", number: 2)) == [9])
    }

    @Test func `a transaction that fails changes nothing`() throws {
        let store = try Scratch().open()
        try store.set(id, [1])
        #expect(throws: SecureStoreError.diskFull) {
            try store.write { transaction throws(SecureStoreError) in
                try transaction.set(id, [2])
                throw .diskFull
            }
        }
        #expect(try store.bytes(id) == [1])
        try store.set(id, [3])
        #expect(try store.bytes(id) == [3])
    }

    @Test func `neither the bytes nor the key are in the store's files`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let secret = [UInt8]("4761739001010010 is the number".utf8)
        try store.set(id, secret)
        try store.set(id, secret)
        let contents = try scratch.contents()
        let text = try String(contentsOfFile: scratch.path("store.key"), encoding: .utf8)
        let key = try #require(text.split(separator: "\n").first)
        #expect(key.count == 64)
        for needle in [secret, [UInt8](key.utf8), try [UInt8](hex: String(key))] {
            #expect(!contents.contains(needle))
            #expect(!contents.contains([UInt8](needle.prefix(16))))
        }
        #expect(contents.contains([UInt8]("SQLite format 3".utf8)))
    }

    @Test func `the key file is its owner's alone`() throws {
        let scratch = try Scratch()
        _ = try scratch.open()
        let path = scratch.path("store.key")
        for file in [path, scratch.store] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
        for mode in [0o640, 0o604, 0o666] as [mode_t] {
            _ = unsafe chmod(path, mode)
            #expect(throws: SecureStoreError.keyFileExposed(path: path)) { try scratch.open() }
        }
        _ = unsafe chmod(path, 0o400)
        _ = try scratch.open()
    }

    // MARK: What goes wrong

    @Test func `another store's key opens nothing and harms nothing`() throws {
        let scratch = try Scratch()
        try scratch.open().set(id, [1])
        let other = scratch.path("other")
        _ = try SecureStore(path: other)
        #expect(throws: SecureStoreError.wrongKey) {
            try SecureStore(path: scratch.store, keyPath: SecureStore.keyPath(of: other))
        }
        #expect(try scratch.open().bytes(id) == [1])
    }

    @Test func `a store without its key file is not given a new one`() throws {
        let scratch = try Scratch()
        _ = try scratch.open()
        let key = scratch.path("store.key")
        try FileManager.default.removeItem(atPath: key)
        #expect(throws: SecureStoreError.keyFileMissing(path: key)) { try scratch.open() }
        #expect(!FileManager.default.fileExists(atPath: key))
    }

    @Test(arguments: [
        "", "00", String(repeating: "0", count: 63) + "g", String(repeating: "0", count: 65),
    ])
    func `a key file that holds no key`(_ text: String) throws {
        let scratch = try Scratch()
        let key = scratch.path("store.key")
        try Data(text.utf8).write(to: URL(filePath: key))
        _ = unsafe chmod(key, 0o600)
        #expect(throws: SecureStoreError.keyFileMalformed(path: key)) { try scratch.open() }
    }

    @Test func `a record that was moved, cut or changed does not open`() throws {
        let scratch = try Scratch()
        try scratch.open().set(id, [1, 2, 3])
        let changes = [
            "UPDATE record SET number = 8", "UPDATE record SET owner = 'other'",
            "UPDATE record SET kind = 'kex'",
            "UPDATE record SET sealed = zeroblob(31)", "UPDATE record SET sealed = x''",
            "UPDATE record SET sealed = substr(sealed, 1, 30)",
        ]
        for change in changes {
            let copy = try Scratch()
            for name in ["store", "store.key"] {
                try FileManager.default.copyItem(
                    atPath: scratch.path(name),
                    toPath: copy.path(name)
                )
            }
            try sqlite(copy.store, change)
            let store = try copy.open()
            #expect(throws: SecureStoreError.self, "\(change)") {
                for kind in ["key", "kex"] {
                    for id in try store.records(kind) { _ = try store.bytes(id) }
                }
            }
        }
    }

    @Test func `a record of another store does not open`() throws {
        let scratch = try Scratch()
        let other = scratch.path("other")
        let key = SecureStore.keyPath(of: scratch.store)
        try scratch.open().set(id, [1])
        try SecureStore(path: other, keyPath: key).set(id, [2])
        try sqlite(
            other,
            "ATTACH '\(scratch.store)' AS a; UPDATE record SET sealed = (SELECT sealed FROM a.record)"
        )
        let store = try SecureStore(path: other, keyPath: key)
        #expect(throws: SecureStoreError.damagedRecord(id)) { try store.bytes(id) }
    }

    @Test func `a damaged page is told, and the file is left as it is`() throws {
        let scratch = try Scratch()
        do {
            let store = try scratch.open()
            for number in 0..<200 as Range<Int64> {
                try store.set(RecordID("key", number: number), [UInt8](repeating: 1, count: 64))
            }
        }
        let pageCount = 4096
        var told: Set<SecureStoreError> = []
        let size = try Data(contentsOf: URL(filePath: scratch.store)).count
        for page in 0..<size / pageCount {
            let copy = try Scratch()
            for name in ["store", "store.key"] {
                try FileManager.default.copyItem(
                    atPath: scratch.path(name),
                    toPath: copy.path(name)
                )
            }
            // Behind the first page's header, which says what the file is.
            try copy.change("store") { bytes in
                for index in 0..<64 { bytes[page * pageCount + 100 + index] ^= 0xA5 }
                for index in 0..<64 { bytes[page * pageCount + index] ^= page == 0 ? 0 : 0xA5 }
            }
            let before = try Data(contentsOf: URL(filePath: copy.store))
            do throws(SecureStoreError) {
                let store = try copy.open()
                for number in 0..<200 as Range<Int64> {
                    _ = try store.bytes(RecordID("key", number: number))
                }
                Issue.record("page \(page)")
            } catch {
                told.insert(error)
            }
            #expect(try Data(contentsOf: URL(filePath: copy.store)) == before)
        }
        #expect(told.contains(.corrupt))
    }

    @Test func `a file that is something else is not touched`() throws {
        let scratch = try Scratch()
        _ = try SecureStore(path: scratch.path("other"))
        let key = scratch.path("other.key")
        for text in [
            "not a store at all, but long enough to be one", String(repeating: "x", count: 5_000),
        ] {
            try Data(text.utf8).write(to: URL(filePath: scratch.store))
            #expect(throws: SecureStoreError.notAStore) {
                try SecureStore(path: scratch.store, keyPath: key)
            }
            #expect(try String(contentsOfFile: scratch.store, encoding: .utf8) == text)
            // Nor does anybody miss its key, or make it one.
            #expect(throws: SecureStoreError.notAStore) { try scratch.open() }
            #expect(!FileManager.default.fileExists(atPath: scratch.path("store.key")))
        }
        let foreign = scratch.path("foreign")
        try sqlite(foreign, "CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        #expect(throws: SecureStoreError.notAStore) {
            try SecureStore(path: foreign, keyPath: key)
        }
    }

    @Test func `a file without anything in it becomes a store`() throws {
        let scratch = try Scratch()
        try Data().write(to: URL(filePath: scratch.store))
        try scratch.open().set(id, [1])
        #expect(try scratch.open().bytes(id) == [1])
    }

    @Test func `a full store takes nothing more and keeps what it has`() throws {
        let scratch = try Scratch()
        let store = try scratch.open(maximumPageCount: 8)
        try store.set(id, [1])
        #expect(throws: SecureStoreError.diskFull) {
            try store.set(RecordID("big"), [UInt8](repeating: 0, count: 100_000))
        }
        #expect(try store.bytes(id) == [1])
        try store.set(id, [2])
        #expect(try scratch.open().bytes(id) == [2])
    }

    @Test func `a file, or a folder, that may not be written`() async throws {
        let scratch = try Scratch()
        try scratch.open().set(id, [1])
        _ = unsafe chmod(scratch.store, 0o444)
        try give(scratch, ["", "store", "store.key"])
        await #expect(processExitsWith: .success) { [path = scratch.store as String] in
            becomeOrdinary()
            #expect(throws: SecureStoreError.readOnly) { try SecureStore(path: path) }
        }
        _ = unsafe chmod(scratch.store, 0o600)
        #expect(try scratch.open().bytes(id) == [1])
    }

    @Test func `a folder that is missing, or may not be written`() async throws {
        let scratch = try Scratch()
        try Data().write(to: URL(filePath: scratch.path("file")))
        let missing = scratch.path("missing/store")
        #expect(throws: SecureStoreError.folderMissing) { try SecureStore(path: missing) }
        #expect(throws: SecureStoreError.folderMissing) {
            try SecureStore(path: scratch.path("file") + "/store", keyPath: nil)
        }
        try give(scratch, [""])
        _ = unsafe chmod(scratch.folder, 0o500)
        await #expect(processExitsWith: .success) { [path = scratch.store as String] in
            becomeOrdinary()
            #expect(throws: SecureStoreError.keyFileUnusable(path: path + ".key", errno: EACCES)) {
                try SecureStore(path: path)
            }
        }
    }

    @Test func `a folder, a pipe or a device in the place of the store or its key`() throws {
        let scratch = try Scratch()
        _ = try SecureStore(path: scratch.path("other"))
        let pipe = scratch.path("pipe")
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        for path in [scratch.folder, pipe, "/dev/full", "/dev/null"] {
            for keyPath in [nil, scratch.path("other.key")] {
                #expect(throws: SecureStoreError.notAFile, "\(path)") {
                    try SecureStore(path: path, keyPath: keyPath)
                }
            }
            // Nobody writes into the pipe, so whoever reads it waits for good.
            for store in [scratch.path("other"), scratch.path("new")] {
                #expect(throws: SecureStoreError.keyFileSpecial(path: path)) {
                    try SecureStore(path: store, keyPath: path)
                }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path("new")))
        #expect(throws: SecureStoreError.lockFileUnusable(path: scratch.folder, errno: EISDIR)) {
            try FileLock.hold(scratch.folder) {}
        }
    }

    @Test func `what went wrong last can be asked for`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try store.set(id, [1])
        #expect(store.lastFailure == nil)
        try sqlite(scratch.store, "UPDATE record SET sealed = x''")
        #expect(throws: SecureStoreError.damagedRecord(id)) { try store.bytes(id) }
        try store.set(RecordID("other"), [1])
        #expect(store.lastFailure == .damagedRecord(id))
    }

    // MARK: Stores that go together

    @Test func `a store that goes with another is made once, and then must be there`() throws {
        let scratch = try Scratch()
        let bank = scratch.path("store.bank")
        let store = try scratch.open()
        #expect(throws: StoreFileError(bank, .companionMissing(of: scratch.store))) {
            try store.companion("bank", isMade: false)
        }
        try store.companion("bank", isMade: true).set(id, [1])
        // As another program finds it, which may not make it.
        #expect(try scratch.open().companion("bank", isMade: false).bytes(id) == [1])
        let files = FileManager.default
        for ending in ["", ".key"] {
            try files.moveItem(atPath: bank + ending, toPath: scratch.path("away" + ending))
        }
        #expect(throws: StoreFileError(bank, .companionMissing(of: scratch.store))) {
            try store.companion("bank", isMade: true)
        }
        #expect(!files.fileExists(atPath: bank) && !files.fileExists(atPath: bank + ".key"))
        // Another store in its place.
        _ = try SecureStore(path: bank)
        #expect(throws: StoreFileError(bank, .companionOfAnother(than: scratch.store))) {
            try store.companion("bank", isMade: true)
        }
        for ending in ["", ".key"] {
            try files.removeItem(atPath: bank + ending)
            try files.moveItem(atPath: scratch.path("away" + ending), toPath: bank + ending)
        }
        #expect(try store.companion("bank", isMade: true).bytes(id) == [1])
    }

    @Test func `a store that a program before this one made is taken up`() throws {
        // As where the program was killed in between, or was older.
        let scratch = try Scratch()
        try SecureStore(path: scratch.path("store.bank")).set(id, [1])
        let store = try scratch.open()
        #expect(try store.companion("bank", isMade: false).bytes(id) == [1])
        let bank = scratch.path("store.bank")
        try FileManager.default.removeItem(atPath: bank)
        #expect(throws: StoreFileError(bank, .companionMissing(of: scratch.store))) {
            try store.companion("bank", isMade: true)
        }
    }

    @Test func `an error of two stores says which of them it is of`() throws {
        let scratch = try Scratch()
        let bank = scratch.path("store.bank")
        let store = try scratch.open()
        _ = try store.companion("bank", isMade: true)
        let key = try Data(contentsOf: URL(filePath: bank + ".key"))
        try scratch.change("store.bank.key") { $0 = [] }
        #expect(throws: StoreFileError(bank, .keyFileMalformed(path: bank + ".key"))) {
            try store.companion("bank", isMade: true)
        }
        try scratch.change("store.bank.key") { $0 = [UInt8](key) }
        try sqlite(scratch.store, "UPDATE record SET sealed = x''")
        let record = RecordID("companion", owner: "bank")
        #expect(throws: StoreFileError(scratch.store, .damagedRecord(record))) {
            try store.companion("bank", isMade: true)
        }
    }

    // MARK: Who is there

    @Test func `a mark is seen as long as whoever made it is there`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let first = try store.makePresence()
        var second: Presence? = try scratch.open().makePresence()
        let number = try #require(second?.number)
        #expect(first.number != number && first.number >= 0)
        #expect(try first.sees(number))
        #expect(try first.sees(first.number))
        #expect(try second?.sees(first.number) == true)
        #expect(try !first.sees(number ^ 1 << 40))
        second = nil
        #expect(try !first.sees(number))
        // Others open and close the store meanwhile.
        #expect(try scratch.open().makePresence().sees(first.number))
        #expect(try scratch.open().makePresence().sees(first.number))
    }

    @Test func `a mark ends with the program that made it, however that ends`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let file = scratch.path("number")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = scratch.store as String, file = file as String] in
            let presence = try SecureStore(path: path).makePresence()
            try Data(String(presence.number).utf8).write(to: URL(filePath: file))
            kill(getpid(), SIGKILL)
        }
        let number = try #require(Int64(String(contentsOfFile: file, encoding: .utf8)))
        #expect(try !store.makePresence().sees(number))
    }

    @Test func `a store that another keeps busy is told as locked`() throws {
        let scratch = try Scratch()
        let first = try scratch.open()
        let second = try scratch.open(patienceMilliseconds: 10)
        try first.set(id, [1])
        try first.write { transaction throws(SecureStoreError) in
            try transaction.set(id, [2])
            #expect(throws: SecureStoreError.locked) { try second.set(id, [3]) }
            // Readers see what was, and do not wait.
            let seen = try second.bytes(id)
            #expect(seen == [1])
        }
        #expect(try second.bytes(id) == [2])
    }

    // MARK: Schemas

    @Test func `records of an older schema are brought into the present one, once`() throws {
        let scratch = try Scratch()
        try scratch.open().set(id, [1])
        let doubling: StoreSchema.Step = { id, bytes, emit in
            let doubled = [bytes[0] * 2]
            emit(id, doubled.span)
            emit(RecordID("new", owner: id.owner), bytes)
        }
        let dropping: StoreSchema.Step = { id, bytes, emit in
            if id.kind == "key" { emit(id, bytes) }
        }
        for _ in 0..<2 {
            let store = try scratch.open(schema: StoreSchema(steps: [doubling]))
            #expect(try store.bytes(id) == [2])
            #expect(try store.bytes(RecordID("new", owner: "card")) == [1])
        }
        let store = try scratch.open(schema: StoreSchema(steps: [doubling, dropping]))
        #expect(try store.bytes(id) == [2])
        #expect(try store.bytes(RecordID("new", owner: "card")) == nil)
        #expect(throws: SecureStoreError.newerSchema(found: 3, known: 1)) { try scratch.open() }
    }

    @Test func `a change of schema that fails leaves the old one`() throws {
        let scratch = try Scratch()
        try scratch.open().set(id, [1])
        try scratch.open().set(RecordID("key", owner: "card", number: 8), [1])
        try sqlite(scratch.store, "UPDATE record SET sealed = x'00' WHERE number = 8")
        #expect(throws: SecureStoreError.damagedRecord(RecordID("key", owner: "card", number: 8))) {
            try scratch.open(schema: StoreSchema(steps: [{ id, bytes, emit in emit(id, bytes) }]))
        }
        #expect(try scratch.open().bytes(id) == [1])
    }

    // MARK: Several at once

    @Test func `many connections count without losing one`() async throws {
        let scratch = try Scratch()
        let id = RecordID("count")
        let rounds = 25
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    do {
                        // Each opens the store itself, and they make it at the same time.
                        let store = try scratch.open(patienceMilliseconds: 30_000)
                        for _ in 0..<rounds {
                            try store.write { transaction throws(SecureStoreError) in
                                let old = try transaction.record(id)
                                let count =
                                    switch old {
                                    case .some(let old): old.span[0]
                                    case .none: UInt8(0)
                                    }
                                try transaction.set(id, [count + 1])
                            }
                        }
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        #expect(try scratch.open().bytes(id) == [UInt8(4 * rounds)])
    }
}

/// Runs `sqlite3` statements by an outside program: Python's module.
private func sqlite(_ path: String, _ statements: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [
        "-c",
        "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()",
        path, statements,
    ]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
}

/// Gives files of a folder to the user whom `becomeOrdinary` makes of root.
private func give(_ scratch: Scratch, _ names: [String]) throws {
    guard getuid() == 0 else { return }
    for name in names { try #require(unsafe chown(scratch.path(name), nobody, nobody) == 0) }
}

/// Gives up the rights of root over files, where the process has them.
private func becomeOrdinary() { if getuid() == 0 { seteuid(nobody) } }

private let nobody: uid_t = 65_534
