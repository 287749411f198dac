import Foundation
import TestSupport
import Testing

@Suite("Bad input")
struct BadInputTests {
    @Test(
        "A wrong command line is one sentence and 64",
        arguments: [
            (["tip"], "unknown subcommand “tip”; did you mean tap?"),
            (["tap"], "tap needs --amount, such as --amount 12.34"),
            (
                ["tap", "--amount", "1"],
                "tap needs a card: --scheme visa, --scheme mastercard, --profile FILE, --wallet FILE or --card-trace FILE"
            ),
            (
                ["tap", "--scheme", "amex", "--amount", "1"],
                "unknown value of --scheme “amex”; use visa or mastercard"
            ),
            (["tap", "--shceme", "visa"], "unknown option “--shceme”; did you mean --scheme?"),
            (
                ["tap", "--scheme", "visa", "--amount", "12,34"],
                "--amount: an amount is written 12.34, not “12,34”"
            ),
            (
                ["tap", "--scheme", "visa", "--amount", "-5"],
                "--amount: an amount is written 12.34, not “-5”"
            ),
            (
                ["tap", "--scheme", "visa", "--amount", "1.234"],
                "--amount: EUR has 2 decimals; there are more in “1.234”"
            ),
            (
                ["tap", "--scheme", "visa", "--amount", "1.2", "--currency", "JPY"],
                "--amount: JPY has no decimals; leave them out of “1.2”"
            ),
            (
                ["tap", "--scheme", "visa", "--amount", "12345678901"],
                "--amount: an amount has at most twelve digits; there are more in “12345678901”"
            ),
            (
                ["tap", "--scheme", "visa", "--amount", "1", "--currency", "EURO"],
                "--currency needs a currency of ISO 4217, such as EUR or USD, not “EURO”"
            ),
            (
                ["tap", "--scheme", "visa", "--amount", "1", "--date", "2026-02-30"],
                "--date needs a day of 1950 to 2049 such as 2026-11-30, or 2026-11-30T14:05:00, not “2026-02-30”"
            ),
            (
                ["tap", "--scheme", "visa", "--amount", "1", "--date", "2026-02-03T24:00:00"],
                "--date needs a day of 1950 to 2049 such as 2026-11-30, or 2026-11-30T14:05:00, not “2026-02-03T24:00:00”"
            ),
            (
                ["tap", "--scheme", "visa", "--amount", "1", "--un", "1234"],
                "--un needs four bytes in hexadecimal, such as 12345678, not “1234”"
            ),
            (
                ["tap", "--scheme", "visa", "--amount", "1", "--seed", "x"],
                "--seed needs a whole number from 0 up, not “x”"
            ),
            (
                ["tap", "--scheme", "visa", "--amount", "1", "--seed", "+7"],
                "--seed needs a whole number from 0 up, not “+7”"
            ),
            (
                ["tap", "--scheme", "visa", "--amount", "1", "--cashback", "1"],
                "--cashback needs --type cashback"
            ),
            (
                ["tap", "--scheme", "visa", "--amount", "1", "--type", "cashback"],
                "--type cashback needs --amount and, as a part of it, --cashback"
            ),
            (
                [
                    "tap", "--scheme", "visa", "--amount", "1", "--type", "cashback", "--cashback",
                    "2",
                ], "--cashback 2.00 is not a part of --amount 1.00"
            ),
            (
                ["tap", "--scheme", "visa", "--profile", "x", "--amount", "1"],
                "--scheme chooses a built-in card; leave it out with --profile"
            ),
            (
                ["tap", "--card-trace", "Vectors/traces/visa-offline.trace", "--amount", "1"],
                "leave out --amount: the recording tells it (9F02)"
            ),
            (
                ["tap", "--card-trace", "Vectors/traces/visa-offline.trace", "--scheme", "visa"],
                "leave out --scheme: the recorded card is the one that pays"
            ),
            (
                ["profile"],
                "profile needs --scheme visa, --scheme mastercard or --terminal, one of them"
            ),
        ]
    )
    func usage(arguments: [String], message: String) throws {
        let run = try tapwire(arguments)
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics == "tapwire: \(message)\n")
    }

    @Test("A program called without a word explains itself on the diagnostics")
    func nothing() throws {
        let run = try tapwire()
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.hasPrefix("Taps contactless"))
    }

    @Test(
        "A file that cannot be used is one sentence with its name, and 65",
        arguments: ["--profile", "--config", "--ca-keys", "--card-trace"]
    )
    func files(option: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let payment =
            ["tap", option]
            + (option == "--card-trace" ? [] : ["--amount", "1"])
            + (["--config", "--ca-keys"].contains(option) ? ["--scheme", "visa"] : [])
        func check(_ path: String, _ end: String) throws {
            let scratch = try Scratch()
            defer { scratch.remove() }
            var arguments = payment
            arguments.insert(path, at: 2)
            let run = try tapwire(arguments)
            #expect(run.exitCode == 65, "\(path): \(run.diagnostics)")
            #expect(run.output.isEmpty)
            #expect(run.diagnostics.hasPrefix("tapwire: "))
            #expect(run.diagnostics.contains(path))
            #expect(run.diagnostics.contains(end), "\(run.diagnostics)")
            #expect(run.diagnostics.filter { $0 == "\n" }.count == 1)
        }
        try check("/nonexistent/file", "does not exist; check the path")
        try check("/tmp", "is a directory")
        try check("/dev/zero", "has more than")
        let isTrace = option == "--card-trace"
        let unreadable = isTrace ? "line 1: a trace begins with" : "is not JSON: line 1"
        for text in ["", "hello", "{\"name\": \"cut"] { try check(scratch.file(text), unreadable) }
        try check(scratch.file("{}"), isTrace ? unreadable : ": is missing; compare it with ")
        let long = try scratch.file(String(repeating: " ", count: (4 << 20) + 1))
        try check(long, "has more than 4194304 bytes")
    }

    @Test("A key file that is none is compared with one that is, whichever command reads it")
    func keyFileModel() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.file("{}")
        let certificate = ["--rid", "A000000003", "--ca-index", "99", "--ca-keys", file]
        for arguments in [
            ["tap", "--scheme", "visa", "--amount", "1", "--ca-keys", file],
            ["crypto", "certificate", "--certificate", "00"] + certificate,
        ] {
            let run = try tapwire(arguments)
            #expect(run.exitCode == 65, "\(run.diagnostics)")
            #expect(run.diagnostics.hasSuffix("; compare it with Vectors/ca-keys/schemes.json\n"))
        }
    }

    @Test(
        "A profile without a key names the key",
        arguments: ["pan", "aid", "pdol", "expirationDate"]
    )
    func missingKey(key: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let lines = try RepositoryFile.text("Sources/Profiles/Resources/visa.json")
            .split(separator: "\n").filter { !$0.contains("\"\(key)\"") }
        let file = try scratch.file(lines.joined(separator: "\n"))
        let run = try tapwire("tap", "--profile", file, "--amount", "1")
        #expect(run.exitCode == 65)
        #expect(run.diagnostics.contains("applications[0].\(key)"), "\(run.diagnostics)")
    }

    @Test("A trace names the line")
    func trace() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.file("# tapwire trace 1\n> 00A4040000\n< 9\n")
        let run = try tapwire("tap", "--card-trace", file)
        #expect(run.exitCode == 65)
        #expect(run.diagnostics.contains("line 3: "), "\(run.diagnostics)")
    }

    @Test("A byte order mark in front of a file is no part of it")
    func byteOrderMark() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let profile = try RepositoryFile.text("Sources/Profiles/Resources/visa.json")
        let trace = try RepositoryFile.text("Vectors/traces/visa-offline.trace")
        for (option, text, amount) in [
            ("--profile", profile, ["--amount", "1"]), ("--card-trace", trace, []),
        ] {
            let run = try tapwire(["tap", option, scratch.file("\u{FEFF}" + text)] + amount)
            let plain = try tapwire(["tap", option, scratch.file(text)] + amount)
            #expect(run.exitCode == plain.exitCode, "\(run.diagnostics)")
            #expect(run.diagnostics.isEmpty)
        }
    }

    @Test("A path that leads nowhere says why")
    func unreachable() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let loop = scratch.url.appending(path: "loop").path
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let file = try scratch.file()
        for (path, reason) in [
            (loop, "cannot be read: too many levels of symbolic links"),
            (file + "/x", "does not exist; check the path"),
            (String(repeating: "x", count: 300), "cannot be read: file name too long"),
        ] {
            let run = try tapwire("tap", "--profile", path, "--amount", "1")
            #expect(run.exitCode == 65)
            #expect(run.diagnostics.hasSuffix(" \(reason)\n"), "\(run.diagnostics)")
        }
    }

    @Test("A standard input that cannot be read is no empty one", arguments: ["batch", "apdu"])
    func unreadableInput(command: String) throws {
        let run = try tapwire(
            command == "apdu" ? ["apdu", "--scheme", "visa"] : ["crypto", "batch"],
            inputPath: "/"
        )
        #expect(run.exitCode == 65)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.hasPrefix("tapwire: the standard input cannot be read"))
    }

    @Test("A trace never takes the place of a file that is read")
    func overwriting() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let profile = try RepositoryFile.text("Sources/Profiles/Resources/visa.json")
        let file = try scratch.file(profile)
        let link = scratch.url.appending(path: "link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        for command in ["tap", "pos"] {
            for trace in [file, link] {
                let run = try tapwire(
                    command,
                    "--profile",
                    file,
                    "--amount",
                    "1",
                    "--trace",
                    trace
                )
                #expect(run.exitCode == 64)
                #expect(run.output.isEmpty)
                #expect(
                    run.diagnostics.hasPrefix(
                        "tapwire: --trace would overwrite the file of --profile"
                    )
                )
            }
        }
        #expect(try scratch.text(file) == profile)
    }

    @Test("What became of a payment is shown although its trace cannot be written")
    func lostTrace() throws {
        let run = try tapwire("tap", "--scheme", "visa", "--amount", "1", "--trace", "/dev/full")
        #expect(run.exitCode == 65)
        #expect(run.output.contains("result    APPROVED"))
        #expect(run.diagnostics.contains("“/dev/full” cannot be written"))
    }

    @Test(
        "A file on a full disk is said to be that",
        arguments: [
            (["tap", "--scheme", "visa", "--amount", "1", "--trace", "/dev/full"], "trace file"),
            (["vectors", "--filter", "aes", "--junit", "/dev/full"], "JUnit report"),
        ]
    )
    func fullDisk(words: [String], name: String) throws {
        let run = try tapwire(words)
        #expect(run.exitCode == 65)
        #expect(
            run.diagnostics.hasSuffix(
                "tapwire: \(name) “/dev/full” cannot be written: the disk is full; make room or name another place\n"
            ),
            "\(run.diagnostics)"
        )
    }

    @Test("An output file that cannot be written is named before anything is paid")
    func output() throws {
        let run = try tapwire(
            "tap",
            "--scheme",
            "visa",
            "--amount",
            "1",
            "--trace",
            "/nonexistent/x.trace"
        )
        #expect(run.exitCode == 65)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.contains("/nonexistent/x.trace"))
        #expect(run.diagnostics.contains("cannot be written"))
    }
}

@Suite("Help and built-in files")
struct HelpTests {
    @Test("Version and help go to the output with 0")
    func help() throws {
        let version = try tapwire("--version")
        #expect(version.exitCode == 0)
        #expect(version.output.hasPrefix("tapwire "))
        for arguments in [["--help"], ["help"], ["help", "tap"], ["tap", "--help"]] {
            let run = try tapwire(arguments)
            #expect(run.exitCode == 0)
            #expect(run.diagnostics.isEmpty)
            #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
        }
        #expect(try tapwire("tap", "--help").output == tapwire("help", "tap").output)
    }

    @Test("Every option of tap is in its help")
    func options() throws {
        let help = try tapwire("help", "tap").output
        for option in [
            "scheme", "amount", "currency", "type", "cashback", "profile", "config", "ca-keys",
            "date",
            "seed", "un", "cdcvm", "json", "trace", "unmask", "card-trace",
        ] {
            #expect(help.contains("--\(option)"), "\(option)")
        }
    }

    @Test(
        "The built-in files are printed, and can be used again",
        arguments: ["visa", "mastercard"]
    )
    func profiles(scheme: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let profile = try scratch.file(try tapwire("profile", "--scheme", scheme).output)
        let terminal = try scratch.file(try tapwire("profile", "--terminal").output)
        let fixed = ["--amount", "5", "--seed", "7", "--date", "2026-11-30", "--json"]
        let builtIn = try tapwire(["tap", "--scheme", scheme] + fixed).json()
        let given = try tapwire(
            ["tap", "--profile", profile, "--config", terminal] + fixed
        ).json()
        #expect(try text(of: builtIn["outcome"]) == text(of: given["outcome"]))
    }
}
