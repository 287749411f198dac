import EMVData
import Foundation
import Glibc
import NFCWallet
import TestSupport
import Testing

@Suite("tapwire wallet where something is wrong", .timeLimit(.minutes(5)))
struct WalletTroubleTests {
    /// Runs a command of the wallet, or another one that takes a wallet.
    private func run(_ words: [String], _ wallet: WalletRuns) throws -> Run {
        ["tap", "provision"].contains(words[0])
            ? try tapwire(words + ["--wallet", wallet.path]) : try wallet.run(words)
    }

    private static let pay = ["pay", "--amount", "1", "--tap-after", "0"]
    private static let tap = ["tap", "--amount", "1"]
    private static let add = ["add", "--scheme", "mastercard"]

    // MARK: Who is there

    @Test(
        "A payment in another container is under way, and interrupted once it is killed",
        .enabled(if: canUnshare, "only root may make a PID namespace")
    )
    func otherContainer() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        let payment = try wallet.start(
            ["pay", "--amount", "1", "--tap-after", "3000"],
            until: "modal",
            in: ["/usr/bin/unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
        )
        for _ in 0..<2 {
            #expect(try wallet.run("history").output == "Nothing paid in the last thirty days.\n")
        }
        payment.signal(SIGKILL)
        payment.wait()
        // The kernel ends the program in the container when it gets to it.
        var history = ""
        for _ in 0..<1_000 where !history.contains("interrupted") {
            history = try wallet.run("history").output
        }
        #expect(history.contains("ATC 0001 to 0004  interrupted"), "\(history)")
    }

    // MARK: Files that go together

    @Test("A bank that is lost is not made anew, and with it again nothing is missing")
    func lostBank() throws {
        let wallet = try WalletRuns()
        let files = FileManager.default
        try wallet.run("add", "--scheme", "visa")
        let (bank, away) = (wallet.path + ".bank", wallet.path + ".away")
        func move(_ from: String, _ to: String) throws {
            for ending in ["", ".key"] {
                try files.moveItem(atPath: from + ending, toPath: to + ending)
            }
        }
        let commands = [
            ["list"], Self.add, Self.pay, Self.tap, ["activate", "1"], ["default", "1"],
            ["suspend", "1"], ["resume", "1"], ["delete", "1"], ["replenish", "--force"],
            ["history"], ["keys"], ["provision", "--scheme", "mastercard"],
        ]
        try move(bank, away)
        for words in commands {
            let run = try run(words, wallet)
            #expect(run.exitCode == 65, "\(words)")
            #expect(
                run.diagnostics
                    == "tapwire: \(bank): it belongs to \(wallet.path) and is missing; restore it from a copy, "
                    + "or begin anew with another file than \(wallet.path)\n",
                "\(words)"
            )
            #expect(!files.fileExists(atPath: bank) && !files.fileExists(atPath: bank + ".key"))
        }
        let other = try WalletRuns()
        try other.run("add", "--scheme", "visa")
        for ending in ["", ".key"] {
            try files.copyItem(atPath: other.path + ".bank" + ending, toPath: bank + ending)
        }
        for words in commands {
            let run = try run(words, wallet)
            #expect(run.exitCode == 65, "\(words)")
            #expect(run.diagnostics.contains("another one than the one that \(wallet.path) knows"))
        }
        for ending in ["", ".key"] { try files.removeItem(atPath: bank + ending) }
        try move(away, bank)
        #expect(try wallet.run("keys", "--json").json()["numberOfPaymentsLeft"] as? Int == 10)
        #expect(try wallet.run(Self.pay).exitCode == 0)
    }

    @Test("A wallet that is lost or emptied while its key and its bank are there is not made anew")
    func lostWallet() throws {
        let wallet = try WalletRuns()
        let files = FileManager.default
        try wallet.run("add", "--scheme", "visa")
        let away = wallet.path + ".away"
        try files.copyItem(atPath: wallet.path, toPath: away)
        for isEmptied in [false, true] {
            if isEmptied {
                try Data().write(to: URL(filePath: wallet.path))
            } else {
                try files.removeItem(atPath: wallet.path)
            }
            for words in [
                ["list"], ["keys"], ["replenish"], Self.add, Self.pay, Self.tap, ["provision"],
            ] {
                let run = try run(words, wallet)
                #expect(run.exitCode == 65, "\(words)")
                #expect(run.output.isEmpty)
                #expect(
                    run.diagnostics
                        == "tapwire: \(wallet.path): the wallet is missing or empty, and \(wallet.path).key and "
                        + "\(wallet.path).bank belong to it; restore it from a copy, or begin anew with another "
                        + "file\n",
                    "\(words)"
                )
            }
        }
        try files.removeItem(atPath: wallet.path)
        try files.copyItem(atPath: away, toPath: wallet.path)
        #expect(try wallet.run(Self.pay).exitCode == 0)
    }

    @Test(
        "A card that a copy of the wallet still has and its bank has deleted is told with both causes"
    )
    func olderCopy() throws {
        let wallet = try WalletRuns()
        let files = FileManager.default
        try wallet.run("add", "--scheme", "visa")
        let away = wallet.path + ".away"
        try files.copyItem(atPath: wallet.path, toPath: away)
        #expect(try wallet.run("delete", "1").exitCode == 0)
        try files.removeItem(atPath: wallet.path)
        try files.copyItem(atPath: away, toPath: wallet.path)
        let list = try wallet.run("list")
        #expect(list.exitCode == 0)
        #expect(
            list.diagnostics
                == "tapwire: VISA CREDIT 476173******0004 is deleted now, as at its bank; an earlier command was "
                + "broken off, or the wallet is an older copy\n"
        )
    }

    @Test("What the terminal concluded is told before the trace that cannot be written")
    func fullTrace() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        for (words, told) in [
            (["pay", "--tap-after", "0"], "APPROVED, by the issuer\n"), (["tap"], "APPROVED"),
        ] {
            let run = try run(words + ["--amount", "12.34", "--trace", "/dev/full"], wallet)
            #expect(run.exitCode == 65)
            #expect(run.output.contains(told), "\(run.output)")
            #expect(run.diagnostics.contains("trace file “/dev/full” cannot be written"))
        }
        let history = try wallet.run("history", "--json").json()
        #expect((history["payments"] as? [Any])?.count == 2)
        #expect(try wallet.run("keys", "--json").json()["numberOfPaymentsLeft"] as? Int == 8)
    }

    @Test("Passes that are lost are not made anew")
    func lostPasses() throws {
        let wallet = try WalletRuns()
        let provision = ["provision", "--account"]
        #expect(try run(provision + ["1"], wallet).exitCode == 0)
        for ending in ["", ".key"] {
            try FileManager.default.removeItem(atPath: wallet.path + ".passes" + ending)
        }
        let lost = try run(provision + ["2"], wallet)
        #expect(lost.exitCode == 65)
        #expect(
            lost.diagnostics.hasPrefix(
                "tapwire: \(wallet.path).passes: it belongs to \(wallet.path) and is missing"
            )
        )
        // The cards themselves pay.
        #expect(try wallet.run(Self.pay).exitCode == 0)
    }

    // MARK: Damage

    @Test(
        "A damaged record is named, with what to do",
        arguments: [
            ("key", "payment key 2 of card CARD", true),
            ("payment", "payment 1 in the history of card CARD", true),
            ("counters", "the record of how far card CARD has counted", false),
            ("use", "the record of who has keys of card CARD", false),
            ("wallet", "the list of the cards", false), ("card", "card CARD", false),
            ("companion", "the record of which bank belongs to it", false),
        ]
    )
    func damage(kind: String, name: String, isRenewable: Bool) throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        try wallet.run(Self.pay)
        let cards = try #require(wallet.run("list", "--json").json()["cards"] as? [[String: Any]])
        let card = try #require(cards.first?["id"] as? String)
        try wallet.sqlite(
            kind == "use"
                ? "INSERT INTO record VALUES ('use', '\(card)', 1, x'00')"
                : "UPDATE record SET sealed = x'00' WHERE kind = '\(kind)'"
        )
        let commands =
            switch kind {
            case "payment": [["history"]]
            case "key", "counters":
                [["list"], ["keys"], ["replenish"], ["replenish", "--force"], Self.pay, Self.tap]
            default:
                [
                    ["list"], ["keys"], ["replenish"], ["history"], ["suspend", "1"],
                    ["delete", "1"], ["default", "1"], ["activate", "1"], Self.add, Self.pay,
                    Self.tap, ["provision", "--scheme", "mastercard"],
                ]
            }
        let advice =
            "restore the file from a copy"
            + (isRenewable
                ? ", or delete the card (tapwire wallet delete \(card)) and add it anew" : "")
        let sentence =
            "\(wallet.path): \(name.replacing("CARD", with: card)) is damaged or was changed; \(advice)\n"
        for words in commands {
            let run = try run(words, wallet)
            #expect(run.exitCode == 65, "\(words): \(run.output)\(run.diagnostics)")
            #expect(
                (run.output + run.diagnostics).hasSuffix(sentence),
                "\(words): \(run.output)\(run.diagnostics)"
            )
        }
        guard isRenewable else { return }
        #expect(try wallet.run("delete", card).exitCode == 0)
        #expect(try wallet.run("add", "--scheme", "visa").exitCode == 0)
        #expect(try wallet.run(Self.pay).exitCode == 0)
        #expect(try wallet.run("history").exitCode == 0)
    }

    @Test("A damaged record of the bank, or of the passes, is named")
    func otherDamage() throws {
        let wallet = try WalletRuns()
        #expect(try run(["provision"], wallet).exitCode == 0)
        try wallet.sqlite("UPDATE record SET sealed = x'00' WHERE kind = 'token'", in: ".bank")
        let sentence =
            "\(wallet.path).bank: token 0 is damaged or was changed; restore the file from a copy\n"
        for words in [
            Self.add, ["suspend", "1"], ["delete", "1"], ["replenish", "--force"],
            ["provision", "--scheme", "mastercard"],
        ] {
            let run = try run(words, wallet)
            #expect(run.exitCode == 65, "\(words)")
            #expect(
                run.diagnostics.hasSuffix("tapwire: " + sentence),
                "\(words): \(run.diagnostics)"
            )
        }
        let declined = try wallet.run("pay", "--amount", "12.34", "--tap-after", "0")
        #expect(declined.exitCode == 1)
        #expect(declined.output.contains("DECLINED"), "\(declined.output)")
        #expect(declined.output.hasSuffix("file      " + sentence), "\(declined.output)")
        // The wallet's own affairs go on.
        #expect(try wallet.run("list").exitCode == 0)
        #expect(try wallet.run("history").exitCode == 0)
        for (kind, name) in [
            ("secret", "the secret of the Apple Pay server"), ("pass", "pass 0"),
        ] {
            try wallet.sqlite(
                "UPDATE record SET sealed = x'00' WHERE kind = '\(kind)'",
                in: ".passes"
            )
            let run = try run(["provision", "--account", "2"], wallet)
            #expect(run.exitCode == 65)
            #expect(
                run.diagnostics
                    == "tapwire: \(wallet.path).passes: \(name) is damaged or was changed; restore the file from a copy\n"
            )
        }
    }

    @Test("A card that is none cannot pay, and is told so")
    func cardNotSupported() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        try WalletStore(path: wallet.path).update { contents in
            guard let card = contents.cards.first, var data = card.contents else { return }
            data.profile = [UInt8]("{}".utf8)
            contents.cards = [
                DigitalCard(id: card.id, label: card.label, state: card.state, contents: data)
            ]
        }
        let sentence =
            "the card cannot pay contactless: what the server gave makes no card; delete it and add it anew\n"
        let paid = try wallet.run(Self.pay)
        #expect(paid.exitCode == 1)
        #expect(wallet.events(paid) == ["errorEncountered"])
        #expect(paid.output.contains("(cardNotSupported)"))
        #expect(paid.output.hasSuffix("why       " + sentence), "\(paid.output)")
        let tap = try run(Self.tap, wallet)
        #expect(tap.exitCode == 1)
        #expect(tap.diagnostics.hasSuffix("does not pay: " + sentence), "\(tap.diagnostics)")
    }

    // MARK: The wrong order

    @Test("Activation in the wrong order is told as that")
    func activation() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa", "--decision", "yellow")
        for command in ["suspend", "resume"] {
            let early = try wallet.run(command, "1")
            #expect(early.exitCode == 1)
            #expect(early.diagnostics.hasSuffix("activated; tapwire wallet activate does that\n"))
        }
        let keyless = try wallet.run("replenish", "1")
        #expect(keyless.exitCode == 1)
        #expect(keyless.diagnostics.hasSuffix("is not active; activate or resume it\n"))
        let both = try wallet.run("activate", "1", "--by", "issuer", "--code", "123456")
        #expect(both.exitCode == 64 && both.diagnostics.contains("leave out --code"))
        func failure(_ words: String..., says sentence: String) throws {
            let run = try wallet.run(["activate", "1"] + words)
            #expect(run.exitCode == 1, "\(run.output)")
            #expect(run.diagnostics == "tapwire: \(sentence)\n")
        }
        try failure(
            "--code",
            "123456",
            says: "no code was sent for this card; have one sent: leave out --code"
        )
        #expect(try wallet.run("activate", "1").exitCode == 0)
        for tries in ["2 more tries", "1 more try"] {
            try failure("--code", "none", says: "the code is wrong; \(tries)")
        }
        let none = "there is no try left for this code; have a new one sent: leave out --code"
        for _ in 0..<2 { try failure("--code", "none", says: none) }
        let sent = try wallet.run("activate", "1", "--by", "email")
        let code = try #require(sent.output.firstMatch(of: /code is (\d{6})/)?.1)
        #expect(try wallet.run("activate", "1", "--code", String(code)).exitCode == 0)
        #expect(try wallet.run("activate", "1").output.hasSuffix("is active already.\n"))
        #expect(try wallet.run("suspend", "1").exitCode == 0)
        let again = try wallet.run("suspend", "1")
        #expect(again.exitCode == 1)
        #expect(again.diagnostics == "tapwire: the card is suspended already\n")
        try failure(says: "the card does not wait to be activated")
        try failure("--code", String(code), says: "the card does not wait to be activated")
    }

    // MARK: Paths

    @Test("A path that leads to no file is told as that by every command, and nothing is made")
    func oddPaths() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let folder = scratch.url.path
        let pipe = folder + "/pipe"
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let file = try scratch.file("something else")
        let special = "it is a directory, a pipe or a device; name a file"
        let missing = "; tapwire wallet add makes one"
        let commands = [
            ["list"], ["activate", "1"], ["default", "1"], ["suspend", "1"], ["resume", "1"],
            ["delete", "1"], ["replenish"], ["history"], ["keys"], Self.pay, ["pay"],
        ]
        let makers = [Self.add, ["provision"]]
        for (path, told, toldMaker) in [
            (folder, special, special), (pipe, special, special), ("/dev/full", special, special),
            ("/dev/null", special, special),
            (
                folder + "/none/wallet", missing,
                "its folder does not exist; make it or name another place"
            ),
            (file + "/wallet", missing, "its folder does not exist; make it or name another place"),
            (file, "something else than a store", "something else than a store"),
        ] {
            for words in commands + makers + [Self.tap] {
                let isMaker = makers.contains(words)
                let line = ["tap", "provision"].contains(words[0]) ? words : ["wallet"] + words
                let run = try tapwire(line + ["--wallet", path])
                #expect(run.exitCode == 65, "\(words) \(path): \(run.diagnostics)")
                #expect(run.output.isEmpty, "\(words) \(path): \(run.output)")
                #expect(run.diagnostics.contains(path), "\(words) \(path): \(run.diagnostics)")
                #expect(
                    run.diagnostics.contains(isMaker ? toldMaker : told),
                    "\(words) \(path): \(run.diagnostics)"
                )
                #expect(run.diagnostics.split(separator: "\n").count == 1)
            }
        }
        // One without anything in it becomes a wallet.
        let empty = try scratch.file()
        #expect(
            try tapwire("wallet", "list", "--wallet", empty).diagnostics.hasSuffix(missing + "\n")
        )
        #expect(try tapwire(["wallet"] + Self.add + ["--wallet", empty]).exitCode == 0)
        #expect(try tapwire("wallet", "list", "--wallet", empty).exitCode == 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name.hasPrefix(URL(filePath: empty).lastPathComponent) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        let left = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
        #expect(left == ["pipe", URL(filePath: file).lastPathComponent], "\(left)")
        for words in [
            ["wallet", "list"], ["wallet", "add", "--scheme", "visa"], ["provision"], Self.tap,
        ] {
            let run = try tapwire(words + ["--wallet", ""])
            #expect(run.exitCode == 64 && run.diagnostics.contains("--wallet needs"), "\(words)")
        }
    }

    @Test("A pipe or a device in the place of a file that goes with the wallet is told as that")
    func oddCompanions() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        for (ending, words, told) in [
            (".key", Self.add, "the key file PATH is a directory, a pipe or a device"),
            (".bank", Self.add, "PATH: it is a directory, a pipe or a device"),
            (".bank.key", Self.add, "the key file PATH is a directory, a pipe or a device"),
            (".passes", ["provision"], "PATH: it is a directory, a pipe or a device"),
            (".passes.key", ["provision"], "the key file PATH is a directory, a pipe or a device"),
        ] {
            for makePipe in [true, false] {
                let path = try scratch.file() + "-wallet"
                let odd = path + ending
                if makePipe {
                    try #require(unsafe mkfifo(odd, 0o600) == 0)
                } else {
                    try FileManager.default.createDirectory(
                        atPath: odd,
                        withIntermediateDirectories: false
                    )
                }
                let line = words[0] == "provision" ? words : ["wallet"] + words
                let run = try tapwire(line + ["--wallet", path])
                #expect(run.exitCode == 65, "\(ending): \(run.diagnostics)")
                #expect(
                    run.diagnostics.contains(told.replacing("PATH", with: odd)),
                    "\(ending): \(run.diagnostics)"
                )
            }
        }
        let path = try scratch.file() + "-wallet"
        try FileManager.default.createDirectory(
            atPath: path + ".passes.lock",
            withIntermediateDirectories: false
        )
        let run = try tapwire(["wallet"] + Self.add + ["--wallet", path])
        #expect(run.exitCode == 65)
        #expect(
            run.diagnostics.contains(
                "the lock file \(path).passes.lock cannot be used: is a directory"
            )
        )
    }

    @Test("A home that does not exist is not made")
    func missingHome() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let home = scratch.url.path + "/none"
        for words in [["wallet", "add", "--scheme", "visa"], ["provision"], ["wallet", "list"]] {
            let process = tapwireProcess(words)
            process.environment?["HOME"] = home
            let diagnostics = Pipe()
            process.standardOutput = FileHandle.nullDevice
            process.standardError = diagnostics
            try process.run()
            let told = diagnostics.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let text = String(decoding: told, as: UTF8.self)
            #expect(process.terminationStatus == 65, "\(words)")
            #expect(
                text
                    == (words.last == "list"
                        ? "tapwire: there is no wallet at \(home)/.tapwire/wallet; tapwire wallet add makes one\n"
                        : "tapwire: \(home)/.tapwire cannot be made; name another file with --wallet\n")
            )
        }
        #expect(!FileManager.default.fileExists(atPath: home))
    }

    // MARK: What is shown

    @Test("Where text goes to no terminal, lines of the modal say how long it stays")
    func countdown() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        let paid = try wallet.run(Self.pay)
        #expect(paid.output.contains(/modal     Hold the device to the reader, for 60 s\n/))
        #expect(
            paid.output.contains(/modal     POS connected, (60|5\d) s left\n/),
            "\(paid.output)"
        )
        #expect(!paid.output.contains("\u{1B}") && !paid.output.contains("\r"))
    }

    @Test("A card that is shown when the reader is there is told as any other")
    func countdownAtTheReader() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        for _ in 0..<6 {
            let paid = try wallet.run(Self.pay + ["--scenario", "b"])
            #expect(paid.exitCode == 0)
            let lines = paid.output.split(separator: "\n").filter { $0.contains("  modal  ") }
            #expect(lines.count == 2, "\(paid.output)")
            #expect(lines.first?.hasSuffix("Hold the device to the reader, for 60 s") == true)
            #expect(lines.last?.hasSuffix(" s left") == true)
        }
    }

    @Test(
        "A terminal that sends the user to the device gets the card again, and is paid",
        arguments: ["a", "b"]
    )
    func secondTap(scenario: String) throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "mastercard")
        let paid = try wallet.run(
            ["pay", "--amount", "80", "--cdcvm", "no", "--tap-after", "0", "--scenario", scenario]
        )
        #expect(paid.exitCode == 0, "\(paid.output)")
        let events = wallet.events(paid)
        #expect(events.count { $0 == "authenticationRequired" } == 1, "\(events)")
        #expect(events.count { $0 == "posConnected" } >= 2, "\(events)")
        #expect(events.last == "transactionCompleted")
        #expect(paid.output.hasSuffix("terminal  APPROVED, by the issuer\n"), "\(paid.output)")
    }

    @Test("Ctrl-C near the tap ends the terminal's wait for a card that never comes")
    func interruptedAtTheTap() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "visa")
        for instant in 0..<8 {
            let process = tapwireProcess(
                ["wallet"] + Self.pay + ["--scenario", "b", "--wallet", wallet.path]
            )
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            usleep(UInt32(25_000 + instant * 8_000))
            kill(process.processIdentifier, SIGINT)
            let asked = ContinuousClock.now
            process.waitUntilExit()
            // The wait itself would last a minute.
            #expect(ContinuousClock.now - asked < .seconds(30), "\(instant)")
        }
    }

    @Test(
        "Ctrl-C after the approval, however often, changes neither the exit code nor the last words"
    )
    func afterTheApproval() throws {
        let wallet = try WalletRuns()
        try wallet.run("add", "--scheme", "mastercard")
        for _ in 0..<4 {
            let payment = try wallet.start(
                ["pay", "--amount", "12.34", "--tap-after", "0"],
                until: "APPROVED"
            )
            while payment.process.isRunning { payment.signal(SIGINT) }
            payment.wait()
            #expect(payment.process.terminationReason == .exit)
            #expect(payment.process.terminationStatus == 0)
            let last = payment.said.split(separator: "\n").last ?? ""
            #expect(last.hasSuffix("terminal  APPROVED, by the issuer"), "\(payment.said)")
        }
        let history = try wallet.run("history", "--json").json()
        #expect((history["payments"] as? [Any])?.count == 4)
    }
}

/// Whether a program can be started that has process numbers of its own.
private let canUnshare: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = ["--pid", "--fork", "--mount-proc", "--kill-child", "true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
}()
