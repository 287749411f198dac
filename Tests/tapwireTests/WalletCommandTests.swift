import Foundation
import Glibc
import TestSupport
import Testing

/// The wallet of one test, and everything the program said about it.
private final class WalletRuns {
    let scratch: Scratch
    let path: String
    private(set) var said = ""

    init() throws {
        scratch = try Scratch()
        path = try scratch.file() + ".wallet"
    }

    deinit { scratch.remove() }

    @discardableResult
    func run(_ words: String...) throws -> Run { try run(words) }

    func run(_ words: [String]) throws -> Run {
        let run = try tapwire(["wallet"] + words + ["--wallet", path])
        said += run.output + run.diagnostics
        return run
    }

    /// The words behind the times of the lines, such as “event authenticationRequired”.
    func events(_ run: Run) -> [String] {
        run.output.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            return words.count > 2 && words[1] == "event" ? String(words[2]) : nil
        }
    }
}

@Suite("tapwire wallet", .timeLimit(.minutes(5)))
struct WalletCommandTests {
    @Test("A card is added, pays, and is remembered")
    func pays() throws {
        let wallet = try WalletRuns()
        #expect(try wallet.run("list").output.hasPrefix("No cards yet."))
        #expect(try wallet.run("pay", "--amount", "1").exitCode == 64)
        let added = try wallet.run("add", "--scheme", "visa")
        #expect(added.exitCode == 0)
        #expect(added.output == "Added VISA CREDIT 476173******0004, good for 10 payments.\n")

        let paid = try wallet.run("pay", "--amount", "12.34", "--tap-after", "0")
        #expect(paid.exitCode == 0, "\(paid.output)\(paid.diagnostics)")
        #expect(
            wallet.events(paid) == [
                "authenticationRequired", "authenticationCompleted", "posConnected",
                "transactionCompleted",
            ]
        )
        #expect(paid.output.contains("APPROVED, by the issuer"))
        let history = try wallet.run("history", "--json").json()
        let payments = try #require(history["payments"] as? [[String: Any]])
        #expect(payments.map { $0["amount"] as? String } == ["12.34 EUR"])
        #expect(payments.map { $0["counter"] as? String } == ["0001"])
        let keys = try wallet.run("keys", "--json").json()
        #expect(keys["numberOfPaymentsLeft"] as? Int == 9)
        #expect(keys["keyType"] as? String == "LUK")

        // tap uses the same card, and goes on counting.
        let tap = try tapwire("tap", "--wallet", wallet.path, "--amount", "12.34", "--json")
        #expect(tap.exitCode == 0, "\(tap.diagnostics)")
        #expect(try wallet.run("keys", "--json").json()["numberOfPaymentsLeft"] as? Int == 8)
        let scenarioB = try wallet.run(
            "pay",
            "--amount",
            "5",
            "--tap-after",
            "0",
            "--scenario",
            "b"
        )
        #expect(scenarioB.exitCode == 0)
        #expect(try wallet.run("history").output.split(separator: "\n").count == 3)
    }

    @Test("Cards are chosen, suspended, resumed and deleted")
    func states() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        try wallet.run("add", "--scheme", "mastercard")
        let list = try wallet.run("list", "--json").json()
        let cards = try #require(list["cards"] as? [[String: Any]])
        #expect(cards.map { $0["default"] as? Bool } == [true, false])
        #expect(cards.map { $0["state"] as? String } == ["active", "active"])
        // Paying with a card makes it the default one.
        #expect(try wallet.run("pay", "2", "--amount", "1", "--tap-after", "0").exitCode == 0)
        #expect(try wallet.run("keys").output.contains("SUK"))
        #expect(try wallet.run("default", "1").exitCode == 0)
        #expect(try wallet.run("suspend", "1").exitCode == 0)
        let refused = try wallet.run("pay", "--amount", "1", "--tap-after", "0")
        #expect(refused.exitCode == 1)
        #expect(wallet.events(refused) == ["errorEncountered"])
        #expect(refused.output.contains("cardNotActive"))
        #expect(try wallet.run("suspend", "1").exitCode == 1)
        #expect(try wallet.run("resume", "1").exitCode == 0)
        #expect(try wallet.run("pay", "--amount", "1", "--tap-after", "0").exitCode == 0)
        #expect(try wallet.run("delete", "1").exitCode == 0)
        #expect(try wallet.run("list").output.split(separator: "\n").count == 1)
        #expect(try wallet.run("default", "7").exitCode == 64)
        let again = try wallet.run("add", "--scheme", "mastercard")
        #expect(again.exitCode == 1)
        #expect(again.diagnostics.contains("has a card in a wallet already"))
    }

    @Test("Yellow cards wait for a code, orange ones for the issuer, red ones are not there")
    func decisions() throws {
        let wallet = try WalletRuns()
        #expect(try wallet.run("add", "--scheme", "visa", "--decision", "yellow").exitCode == 0)
        #expect(try wallet.run("pay", "--amount", "1", "--tap-after", "0").exitCode == 1)
        let sent = try wallet.run("activate", "1")
        let code = try #require(sent.output.firstMatch(of: /code is (\d{6})/)?.1)
        let wrong = try wallet.run("activate", "1", "--code", "none")
        #expect(wrong.exitCode == 1)
        #expect(wrong.diagnostics.contains("2 more tries"))
        #expect(try wallet.run("activate", "1", "--code", String(code)).exitCode == 0)
        #expect(try wallet.run("pay", "--amount", "1", "--tap-after", "0").exitCode == 0)
        try wallet.run("add", "--scheme", "visa", "--account", "2", "--decision", "orange")
        let refused = try wallet.run("activate", "2")
        #expect(refused.exitCode == 1)
        #expect(refused.diagnostics.contains("--by issuer"))
        #expect(try wallet.run("activate", "2", "--by", "issuer").exitCode == 0)
        let red = try wallet.run("add", "--scheme", "visa", "--account", "3", "--decision", "red")
        #expect(red.exitCode == 1)
        #expect(try wallet.run("list").output.split(separator: "\n").count == 2)
    }

    @Test("Keys are fetched when few are left, or when that is forced")
    func replenishment() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "mastercard")
        #expect(try wallet.run("replenish").output.contains("still good for 10 payments"))
        #expect(try wallet.run("replenish", "--force").output.contains("good for 20 payments"))
        let offline = try wallet.run("replenish", "--force", "--offline")
        #expect(offline.exitCode == 69)
        #expect(offline.diagnostics.contains("the keys that are left still pay"))
    }

    @Test("Ctrl-C cancels a payment, and its keys are back")
    func interrupted() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        let process = tapwireProcess([
            "wallet", "pay", "--amount", "1", "--tap-after", "3000", "--wallet", wallet.path,
        ])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var said = ""
        while !said.contains("modal") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "\(said)")
            said += String(decoding: more, as: UTF8.self)
        }
        kill(process.processIdentifier, SIGINT)
        said += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 1)
        #expect(said.contains("errorEncountered (cancelled)"))
        #expect(try wallet.run("keys", "--json").json()["numberOfPaymentsLeft"] as? Int == 10)
        #expect(try wallet.run("history").output == "Nothing paid in the last thirty days.\n")
    }

    @Test("A card whose other half is gone can be deleted, or added anew")
    func halves() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        let files = FileManager.default
        // As after a kill between the token and the card.
        for ending in ["", ".key"] { try files.removeItem(atPath: wallet.path + ending) }
        #expect(try wallet.run("add", "--scheme", "visa").exitCode == 0)
        #expect(try wallet.run("pay", "--amount", "1", "--tap-after", "0").exitCode == 0)
        // As when the bank has lost its tokens.
        for ending in [".bank", ".bank.key"] { try files.removeItem(atPath: wallet.path + ending) }
        #expect(try wallet.run("suspend", "1").exitCode == 1)
        #expect(try wallet.run("delete", "1").exitCode == 0)
        #expect(try wallet.run("add", "--scheme", "visa").exitCode == 0)
    }

    @Test("What is wrong with the files is said, and what to do")
    func badFiles() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        func failure(_ sentence: String, _ code: Int32 = 65) throws {
            for words in [["list"], ["pay", "--amount", "1"]] {
                let run = try wallet.run(words)
                #expect(run.exitCode == code)
                #expect(run.diagnostics.contains(sentence), "\(run.diagnostics)")
                #expect(run.diagnostics.split(separator: "\n").count == 1)
            }
        }
        let key = wallet.path + ".key"
        _ = unsafe chmod(key, 0o644)
        try failure("chmod 600 \(key)")
        _ = unsafe chmod(key, 0o600)
        let files = FileManager.default
        try files.moveItem(atPath: key, toPath: key + ".away")
        try failure("is missing")
        try files.copyItem(atPath: wallet.path + ".bank.key", toPath: key)
        try failure("belongs to another store")
        try files.removeItem(atPath: key)
        try files.moveItem(atPath: key + ".away", toPath: key)
        let whole = try Data(contentsOf: URL(filePath: wallet.path))
        try Data("something else".utf8).write(to: URL(filePath: wallet.path))
        try failure("the file is something else than a store")
        try whole.write(to: URL(filePath: wallet.path))
        #expect(try wallet.run("list").exitCode == 0)
    }

    @Test(
        "On a full disk nothing is paid and nothing lost; with room again the card pays",
        .enabled(if: canMount, "only root may mount a small disk")
    )
    func fullDisk() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let disk = scratch.url.appending(path: "disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        let program = tapwireProcess([]).executableURL?.path ?? ""
        let run = try shell(
            """
            mount -t tmpfs -o size=200k tmpfs \(disk.path) || exit 9
            cd \(disk.path)
            try() { \(program) wallet "$@" --wallet w 2>&1; echo "exit $?"; }
            try add --scheme visa
            cat /dev/zero >filler 2>/dev/null
            try replenish --force
            try pay --amount 5 --tap-after 0
            rm filler
            try keys
            try pay --amount 5 --tap-after 0
            """
        )
        let exits = run.split(separator: "\n").filter { $0.hasPrefix("exit ") }
        #expect(exits == ["exit 0", "exit 65", "exit 65", "exit 0", "exit 0"], "\(run)")
        #expect(run.contains("Payments left        10"))
        let sentence = "tapwire: w: the disk is full; make room and try again"
        #expect(run.split(separator: "\n").count { $0 == sentence } == 2, "\(run)")
    }

    @Test("No account number or token is in the files or in what is printed")
    func secrecy() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        try wallet.run("add", "--scheme", "mastercard", "--decision", "yellow")
        try wallet.run("activate", "2", "--by", "issuer")
        for card in ["1", "2"] {
            try wallet.run("pay", card, "--amount", "12.34", "--tap-after", "0")
            try wallet.run("keys", card)
            try wallet.run("history", card, "--json")
        }
        try wallet.run("list", "--json")
        let tap = try tapwire("tap", "--wallet", wallet.path, "--amount", "12.34")
        #expect(tap.exitCode == 0)
        let json = try tapwire("tap", "--wallet", wallet.path, "--amount", "12.34", "--json")
        let said = wallet.said + tap.output + json.output

        // The accounts, and the first token of each range.
        let numbers = [
            "4761730000000011", "5413330000000019", "4761739000000004", "5413339000000002",
        ].map { String($0.prefix(15)) }
        for number in numbers {
            #expect(!said.contains(number))
        }
        let folder = URL(filePath: wallet.path).deletingLastPathComponent()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.contains(".wallet") && !name.hasSuffix(".key") {
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            for number in numbers {
                #expect(!bytes.contains([UInt8](number.utf8)), "\(name)")
                let packed = stride(from: 0, to: 14, by: 2).map { index in
                    let digits = Array(number.utf8).map { $0 - 48 }
                    return digits[index] << 4 | digits[index + 1]
                }
                #expect(!bytes.contains(packed), "\(name)")
            }
        }
    }
}

/// Whether a disk can be mounted that only one process sees.
private let canMount = (try? shell("mount -t tmpfs tmpfs /mnt && echo yes")) == "yes\n"

/// Runs a script where what it mounts is seen by nobody else, and returns what it prints.
private func shell(_ script: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = ["--mount", "bash", "-c", script]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
}
