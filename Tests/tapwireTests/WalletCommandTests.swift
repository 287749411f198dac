import Foundation
import Glibc
import TestSupport
import Testing

@Suite("tapwire wallet", .timeLimit(.minutes(5)))
struct WalletCommandTests {
    @Test("A card is added, pays, and is remembered")
    func pays() throws {
        let wallet = try WalletRuns()
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

    @Test("Only add makes a wallet; every other command says that there is none")
    func mistyped() throws {
        let wallet = try WalletRuns()
        let sentence =
            "tapwire: there is no wallet at \(wallet.path); tapwire wallet add makes one\n"
        for words in [
            ["list"], ["pay", "--amount", "1"], ["pay"], ["activate", "1"], ["default", "1"],
            ["suspend", "1"], ["resume", "1"], ["delete", "1"], ["replenish"], ["history"],
            ["keys"],
        ] {
            let run = try wallet.run(words)
            #expect(run.exitCode == 65 && run.diagnostics == sentence, "\(words)")
        }
        for words in [["tap", "--amount", "1"], ["card"], ["pos", "--amount", "1"]] {
            let run = try tapwire(words + ["--wallet", wallet.path])
            #expect(run.exitCode == 65 && run.diagnostics == sentence, "\(words)")
        }
        let folder = wallet.scratch.url.path
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.contains(".wallet") } == []
        )
        #expect(try wallet.run("add", "--scheme", "visa", "--decision", "red").exitCode == 1)
        #expect(try wallet.run("list").output.hasPrefix("No cards yet."))
        let empty = try wallet.run("pay", "--amount", "1")
        #expect(empty.exitCode == 64 && empty.diagnostics.contains("has no card yet"))
    }

    @Test("The usual place is below HOME, or the home of whoever runs the program")
    func home() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        func run(_ home: String?, _ words: String...) throws -> Run {
            let process = tapwireProcess(["wallet"] + words)
            process.environment?["HOME"] = home
            let (output, diagnostics) = (Pipe(), Pipe())
            process.standardOutput = output
            process.standardError = diagnostics
            try process.run()
            let said = output.fileHandleForReading.readDataToEndOfFile()
            let told = diagnostics.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return Run(
                exitCode: process.terminationStatus,
                output: String(decoding: said, as: UTF8.self),
                diagnostics: String(decoding: told, as: UTF8.self)
            )
        }
        let home = scratch.url.path
        #expect(try run(home, "list").diagnostics.contains("no wallet at \(home)/.tapwire/wallet"))
        #expect(!FileManager.default.fileExists(atPath: home + "/.tapwire"))
        #expect(try run(home, "add", "--scheme", "visa").exitCode == 0)
        #expect(try run(home, "list").output.contains("10 payments"))
        let file = try scratch.file()
        let unmakeable = try run(file, "add", "--scheme", "visa")
        #expect(unmakeable.exitCode == 65)
        #expect(unmakeable.diagnostics.contains("cannot be made; name another file with --wallet"))
        // Without HOME the system is asked, and whatever it says the program says something.
        for home in [nil, ""] as [String?] {
            let list = try run(home, "list")
            #expect(list.exitCode == 0 || list.diagnostics.contains("/.tapwire/wallet; tapwire"))
        }
    }

    @Test("Six programs that add the same account at once put one card into the wallet")
    func atOnce() throws {
        let wallet = try WalletRuns()
        let processes = try (0..<6).map { _ in
            let process = tapwireProcess([
                "wallet", "add", "--scheme", "visa", "--wallet", wallet.path,
            ])
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }
        for process in processes { process.waitUntilExit() }
        #expect(processes.map(\.terminationStatus).sorted() == [0, 1, 1, 1, 1, 1])
        let cards = try #require(wallet.run("list", "--json").json()["cards"] as? [[String: Any]])
        #expect(cards.map { $0["paymentsLeft"] as? Int } == [10])
        #expect(try wallet.run("pay", "--amount", "12.34", "--tap-after", "0").exitCode == 0)
    }

    @Test(
        "Offline the keys that are left pay, then none; once keys are fetched the card pays again"
    )
    func exhaustion() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "mastercard")
        let pay = ["pay", "--amount", "12.34", "--tap-after", "0", "--offline"]
        for number in 1...10 {
            let run = try wallet.run(pay)
            #expect(run.exitCode == 0, "payment \(number): \(run.output)\(run.diagnostics)")
        }
        let empty = try wallet.run(pay)
        #expect(empty.exitCode == 1)
        #expect(wallet.events(empty) == ["errorEncountered"])
        #expect(empty.output.contains("(noPaymentKeys)"))
        #expect(empty.output.contains("tapwire wallet replenish fetches more"))
        #expect(try wallet.run("replenish", "--offline").exitCode == 69)
        #expect(try wallet.run("replenish").exitCode == 0)
        #expect(try wallet.run(pay).exitCode == 0)
    }

    @Test("A store that fails and a card that is not active are told in words")
    func sentences() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "mastercard", "--decision", "yellow")
        let inactive = try wallet.run("pay", "--amount", "1", "--tap-after", "0")
        #expect(inactive.output.contains("errorEncountered (cardNotActive)"))
        #expect(inactive.output.contains("why       the card is not active: it waits to be"))
        try wallet.run("activate", "1", "--by", "issuer")
        try wallet.sqlite("UPDATE record SET sealed = x'00' WHERE kind = 'key'")
        let damaged = try wallet.run("pay", "--amount", "1", "--tap-after", "0")
        #expect(damaged.exitCode == 65)
        #expect(wallet.events(damaged) == ["errorEncountered"])
        #expect(damaged.output.contains("errorEncountered (keychainError)"))
        #expect(damaged.output.contains("why       \(wallet.path): payment key 1 of card card-"))
    }

    @Test("Where there is no reader, that is all that is told")
    func noReader() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        // Nobody listens on the discard port.
        let run = try wallet.run("pay", "--vpcd", "127.0.0.1:9")
        #expect(run.exitCode == 69)
        #expect(run.output.isEmpty, "\(run.output)")
        #expect(run.diagnostics.contains("connection refused"))
        #expect(try wallet.run("pay", "--reader", "ACR122U").exitCode == 69)
        let both = try wallet.run("pay", "--amount", "1", "--reader", "ACR122U")
        #expect(both.exitCode == 64 && both.diagnostics.contains("leave out --reader"))
    }

    @Test("Ctrl-C ends a payment at whatever instant it comes, and no key is lost")
    func interruptedAnytime() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        var endings: Set<String> = []
        for instant in 0..<24 {
            let process = tapwireProcess([
                "wallet", "pay", "--amount", "1", "--tap-after", "3000", "--wallet", wallet.path,
            ])
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            usleep(UInt32(instant) * 10_000)
            kill(process.processIdentifier, SIGINT)
            // A signal that is swallowed is noticed by the suite's time limit.
            let said = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let text = String(decoding: said, as: UTF8.self)
            if process.terminationReason == .uncaughtSignal {
                // The program had not begun.
                #expect(text.isEmpty, "\(text)")
                endings.insert("before the beginning")
            } else {
                #expect(process.terminationStatus == 1)
                #expect(text.split(separator: "\n").last?.contains("cancelled") == true, "\(text)")
                endings.insert(text.contains("modal") ? "while shown" : "before it is shown")
            }
        }
        // How many there are of each is the machine's affair.
        #expect(!endings.isEmpty)
        #expect(try wallet.run("keys", "--json").json()["numberOfPaymentsLeft"] as? Int == 10)
        #expect(try wallet.run("history").output.hasPrefix("Nothing paid"))
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
        try wallet.sqlite("DELETE FROM record WHERE kind = 'token'", in: ".bank")
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
