import Foundation
import TestSupport
import Testing

/// The commands around PC/SC readers, where there is none; what they do with one is shown in Tests/Strangers.
@Suite("tapwire card, pos, readers, read and apdu")
struct ReaderCommandTests {
    @Test(
        "Without pcscd every command says how to start it, and ends with 69",
        arguments: [
            ["readers"], ["readers", "--json"], ["readers", "--watch"],
            ["pos", "--amount", "1"], ["pos", "--amount", "1", "--loop"],
            ["read"], ["read", "--reader", "0"], ["apdu", "00A40400"], ["apdu"],
        ]
    )
    func noService(arguments: [String]) throws {
        let run = try tapwire(arguments)
        #expect(run.exitCode == 69)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.contains("(pcscd) is not running (PC/SC 8010001D); start it with"))
        #expect(run.diagnostics.split(separator: "\n").count == 1)
    }

    @Test(
        "A wrong command line is one sentence and 64",
        arguments: [
            (["card", "--vpcd", "35963"], "--vpcd needs HOST:PORT, such as 127.0.0.1:35963"),
            (["card", "--vpcd", ":35963"], "--vpcd needs HOST:PORT"),
            (["card", "--vpcd", "localhost:0"], "--vpcd needs HOST:PORT"),
            (["card", "--vpcd", "localhost:65536"], "--vpcd needs HOST:PORT"),
            (["card", "--vpcd", "::1:35963"], "--vpcd needs HOST:PORT"),
            (["card", "--vpcd", "localhost:+1"], "--vpcd needs HOST:PORT"),
            (["card", "--vpcd", "local host:1"], "--vpcd needs HOST:PORT"),
            (["card", "--count", "+3"], "--count needs a whole number from 1 up, not “+3”"),
            (["apdu", "--scheme", "visa", ""], "“”: there is no command in it"),
            (["apdu", "--scheme", "visa", "# 00A40400"], "there is no command in it"),
            (["card", "--count", "0"], "--count needs a whole number from 1 up, not “0”"),
            (["card", "--atc", "0000"], "--atc needs two bytes in hexadecimal from 0001"),
            (["card", "--atc", "1"], "--atc needs two bytes in hexadecimal from 0001"),
            (
                ["card", "--null", "--scheme", "visa"],
                "leave out --scheme: the null card answers 6A82 to everything"
            ),
            (
                ["card", "--null", "--script", "x"],
                "leave out --script: the null card answers 6A82 to everything"
            ),
            (["card", "--scheme", "visa", "--profile", "x"], "leave it out with --profile"),
            (["pos"], "pos needs --amount, such as --amount 12.34"),
            (["pos", "--amount", "1", "--count", "-1"], "--count needs a whole number from 1 up"),
            (["pos", "--amount", "1", "--loop", "--trace", "x"], "a trace holds one payment"),
            (
                ["pos", "--amount", "1", "--count", "2", "--trace", "x"],
                "a trace holds one payment"
            ),
            (["read", "--scheme", "visa", "--reader", "0"], "leave it out with --reader"),
            (
                ["read", "--card-trace", "x", "--scheme", "visa"],
                "leave it out with --reader and --scheme"
            ),
            (["readers", "0"], "readers does not take “0”"),
            (["apdu", "--scheme", "visa", "00A4"], "“00A4”: a command has at least four bytes"),
            (
                ["apdu", "--scheme", "visa", "00A4040"],
                "“00A4040”: a command is written as whole bytes"
            ),
            (
                ["apdu", "--scheme", "visa", "SELECT"],
                "“SELECT”: a command is written as whole bytes"
            ),
            (["apdu", "--scheme", "visa", "--file", "x", "00A40400"], "not both"),
        ]
    )
    func usage(arguments: [String], sentence: String) throws {
        let run = try tapwire(arguments)
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.contains(sentence), "\(run.diagnostics)")
    }

    @Test(
        "A bad file is one sentence and 65, before any reader is asked for",
        arguments: [
            ["card", "--profile", "Package.swift"],
            ["pos", "--amount", "1", "--profile", "missing"],
            ["pos", "--amount", "1", "--config", "Package.swift"], ["read", "--config", "missing"],
            ["read", "--scheme", "visa", "--profile", "/nonexistent/copy.json"],
            ["read", "--card-trace", "missing"], ["card", "--script", "README.md"],
            ["tap", "--scheme", "visa", "--amount", "1", "--script", "missing"],
            ["apdu", "--scheme", "visa", "--file", "/dev/null"], ["apdu", "--file", "missing"],
            ["apdu", "--file", "README.md"],
        ]
    )
    func badFile(arguments: [String]) throws {
        let run = try tapwire(arguments)
        #expect(run.exitCode == 65)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.split(separator: "\n").count == 1)
    }

    @Test("Every option is in its command's help")
    func help() throws {
        for (command, options) in [
            ("card", "scheme profile cdcvm atc script null vpcd count unmask"),
            (
                "pos",
                "reader amount currency type cashback loop count profile config ca-keys date seed un json trace unmask"
            ),
            ("readers", "watch json"),
            ("read", "reader scheme card-trace amount currency date config un profile json unmask"),
            ("apdu", "reader scheme file json unmask"),
        ] {
            let help = try tapwire("help", command).output
            for option in options.split(separator: " ") {
                #expect(help.contains("--\(option)"), "\(command) --\(option)")
            }
        }
        #expect(try tapwire("help", "apdu").output.contains("tapwire apdu [options] [HEX ...]"))
    }

    @Test(
        "A built-in card is read with every record, and the counter it costs is told",
        arguments: [
            ("visa", "A0000000031010", "4761739001010010"),
            ("mastercard", "A0000000041010", "5413330089600010"),
        ]
    )
    func read(scheme: String, aid: String, number: String) throws {
        let page = try tapwire("read", "--scheme", scheme)
        #expect(page.exitCode == 0)
        for part in [
            "SELECT 2PAY.SYS.DDF01", "SELECT \(aid)", "GET PROCESSING OPTIONS",
            "READ RECORD 1, SFI 2",
            "READ RECORD 2, SFI 3", "5A Application Primary Account Number (PAN)  \(number)",
            "SFI 2 record 1, 1 signed; SFI 3 records 1 to 2", ": 3 records",
            "GET PROCESSING OPTIONS was sent once; each time spends one of the card's transaction",
        ] {
            #expect(page.output.contains(part), "\(part)")
        }
        #expect(page.output.split(separator: "\n").allSatisfy { $0.count <= 100 })

        let json = try tapwire("read", "--scheme", scheme, "--json").json()
        #expect(json["directory"] as? Bool == true)
        #expect(json["spentCounters"] as? Int == 1)
        let applications = try #require(json["applications"] as? [[String: Any]])
        #expect(applications.count == 1)
        #expect(applications[0]["aid"] as? String == aid)
        #expect(applications[0]["processingOptions"] as? String == "9000")
        #expect(applications[0]["records"] as? Int == 3)
        #expect((json["exchanges"] as? [[String: Any]])?.count == 6)
    }

    @Test("What the card asks for is filled in as the command line says")
    func filled() throws {
        let output = try tapwire(
            "read",
            "--scheme",
            "visa",
            "--amount",
            "12",
            "--currency",
            "JPY",
            "--date",
            "2027-01-31",
            "--un",
            "0A0B0C0D"
        ).output
        for part in [
            "9F02 Amount, Authorised (Numeric)  000000000012  12 JPY", "270131", "0A0B0C0D", "0392",
        ] {
            #expect(output.contains(part), "\(part)")
        }
        #expect(try tapwire("read", "--scheme", "visa").output.contains("1.00 EUR"))
    }

    @Test("Raw commands come from the command line, a file or the standard input")
    func apdu() throws {
        let select = "00A4040007A000000003101000"
        let scratch = try Scratch()
        defer { scratch.remove() }
        let lines =
            "# selects, then asks for the counter\n\n00 A4 04 00 07 A0 00 00 00 03 10 10 00\n80CA9F3600 # ATC\n"
        let file = try scratch.file(lines)
        let windowsFile = try scratch.file(
            lines.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        )
        let outputs = [
            try tapwire("apdu", "--scheme", "visa", select, "80CA9F3600"),
            try tapwire("apdu", "--scheme", "visa", "--file", file),
            try tapwire("apdu", "--scheme", "visa", "--file", windowsFile),
            try tapwire(["apdu", "--scheme", "visa"], input: lines),
        ]
        for run in outputs {
            #expect(run.exitCode == 0)
            #expect(run.diagnostics.isEmpty)
            #expect(run.output.contains("> \(select)"))
            #expect(run.output.contains("9F36 Application Transaction Counter (ATC)  0000"))
        }
        // Bytes without quotes are one command.
        let words = "00 A4 04 00 07 A0 00 00 00 03 10 10 00".split(separator: " ").map(String.init)
        #expect(try tapwire(["apdu", "--scheme", "visa"] + words).output.contains("> \(select)"))
    }

    @Test("A raw command goes to the card as it is, and is told as JSON line by line")
    func rawJSON() throws {
        let run = try tapwire(
            "apdu",
            "--scheme",
            "mastercard",
            "--json",
            "00B2010C",
            "0000000000000000",
            "FFCA000000"
        )
        #expect(run.exitCode == 0)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 3)
        let responses = try lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["response"] as? String
        }
        #expect(responses == ["6700", "6700", "08DECADE9000"])
    }

    @Test("Every byte of a long response and a long value is shown")
    func wholeBytes() throws {
        let commands = [
            "apdu", "--scheme", "mastercard", "00A4040007A000000004101000", "80A8000002830000",
            "00B2011C00",
        ]
        let json = try tapwire(commands + ["--json"]).output.split(separator: "\n")
        let record = try JSONSerialization.jsonObject(with: Data(json[2].utf8)) as? [String: Any]
        let response = try #require(record?["response"] as? String)
        #expect(response.count > 300)
        #expect(record?["masked"] as? Bool == false)
        let page = try tapwire(commands).output
        #expect(page.split(separator: "\n").allSatisfy { $0.count <= 100 })
        for line in page.split(separator: "\n") {
            let row = line.filter { !$0.isWhitespace }
            #expect(row.contains { !$0.isHexDigit } || row.count.isMultiple(of: 2), "\(line)")
        }
        let digits = page.filter { !$0.isWhitespace }
        #expect(digits.contains("<\(response)"))
        // The issuer's certificate: 176 bytes behind 7081C29081B0.
        let certificate = response.dropFirst(12).prefix(352)
        #expect(digits.contains("90IssuerPublicKeyCertificate\(certificate)"))
    }

    @Test(
        "Commands and status words are told by their names",
        arguments: [
            ("0084000000", "GET CHALLENGE", "6D00 instruction not supported"),
            ("FFCA020000", "GET DATA of the reader, 0200", "6A81 function not supported"),
            ("FFCA000003", "GET DATA of the reader, UID", "6C04 wrong Le, 4 bytes are there"),
        ]
    )
    func names(command: String, title: String, status: String) throws {
        let output = try tapwire("apdu", "--scheme", "visa", command).output
        #expect(output.contains("\(title)  "))
        #expect(output.contains("< \(status)\n"))
    }

    @Test("A bad line of the standard input is named; what stood before it was sent")
    func badLine() throws {
        let run = try tapwire(["apdu", "--scheme", "visa"], input: "FFCA000000\nFFCA00\n")
        #expect(run.exitCode == 65)
        #expect(run.output.contains("08C0FFEE9000"))
        #expect(
            run.diagnostics.contains("standard input, line 2: a command has at least four bytes")
        )
    }

    @Test(
        "A card that was read becomes a profile that pays, and reads the same",
        arguments: ["visa", "mastercard"]
    )
    func copy(scheme: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let first = try scratch.file()
        let read = try tapwire("read", "--scheme", scheme, "--profile", first)
        #expect(read.exitCode == 0)
        #expect(
            read.output.contains(
                "copy      A card's secret keys cannot be read: this copy has test keys"
            )
        )
        let tap = try tapwire("tap", "--profile", first, "--amount", "12.34")
        #expect(tap.exitCode == 0)
        #expect(tap.output.contains("APPROVED, by the issuer"))

        // The copy as a reader finds it: a card with a profile is what tapwire card shows.
        let json = try tapwire("read", "--scheme", scheme, "--json").json()
        let trace = try scratch.file()
        #expect(
            try tapwire("tap", "--profile", first, "--amount", "1", "--trace", trace).exitCode == 0
        )
        let copy = try tapwire("read", "--card-trace", trace, "--amount", "1", "--json").json()
        #expect(try objects(of: copy).isSubset(of: objects(of: json)))
        // Beside the limits, which nobody can read, the profile is the one the card was made of.
        let (written, original) = try (
            scratch.text(first), tapwire("profile", "--scheme", scheme).output
        )
        #expect(try application(written) == application(original))
    }

    /// The first application of a profile, without its limits and the spaces in its lists.
    private func application(_ profile: String) throws -> String {
        let json = try JSONSerialization.jsonObject(with: Data(profile.utf8)) as? [String: Any]
        var application = try #require((json?["applications"] as? [[String: Any]])?.first)
        application["risk"] = nil
        return try text(of: application).filter { $0 != " " }
    }

    /// The data objects of the first application, without those that differ each time.
    private func objects(of card: [String: Any]) throws -> Set<String> {
        let application = try #require((card["applications"] as? [[String: Any]])?.first)
        let objects = try #require(application["objects"] as? [[String: Any]])
        return Set(try flat(objects))
    }

    private func flat(_ objects: [[String: Any]]) throws -> [String] {
        // Cryptograms, counters and signatures, and what the payment of each kind decides.
        let changing = ["9F26", "9F36", "9F10", "9F69", "9F4B", "9F6C", "9F27", "94", "82"]
        return try objects.flatMap { object -> [String] in
            if let inner = object["objects"] as? [[String: Any]] { return try flat(inner) }
            let tag = try #require(object["tag"] as? String)
            guard !changing.contains(tag) else { return [] }
            return [tag + "=" + (object["value"] as? String ?? "")]
        }
    }

    @Test("A card that cannot be copied is one sentence, and what is read is shown all the same")
    func noCopy() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let path = scratch.url.appending(path: "copy.json").path
        for (trace, sentence) in [
            ("amex-phone", "only Visa's and Mastercard's applications can be emulated"),
            ("test-contact", "no profile can be made of the recorded card: it has no application"),
            ("mastercard-stripe", "it pays in magnetic stripe mode only"),
            ("visa-phone-refused", "it gave no processing options (82)"),
            ("visa-contact", "does not ask for 9F66"),
        ] {
            let run = try tapwire(
                "read",
                "--card-trace",
                "Vectors/traces/\(trace).trace",
                "--profile",
                path
            )
            #expect(run.exitCode == 1, "\(trace)")
            #expect(run.diagnostics.contains(sentence), "\(trace): \(run.diagnostics)")
            #expect(run.diagnostics.split(separator: "\n").count == 1)
            #expect(run.output.contains("SELECT 2PAY.SYS.DDF01"))
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A script answers instead of the card, and the terminal makes of it what it must")
    func script() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        for (scheme, rule, ending, exitCode) in [
            ("mastercard", "> 80AE ?\ninstead\n< 6985", "ENDED without a decision", 1),
            ("mastercard", "> 00B2 ?\n! removed", "ENDED without a decision: Try Again", 1),
            ("visa", "> 80A8 ?\n< [card] 6283", "ENDED without a decision", 1),
            ("visa", "> 80A8 ?\nwait 20 ms\n< card", "APPROVED, by the issuer", 0),
        ] {
            let path = try scratch.file("# tapwire card script 1\n\(rule)\n")
            let run = try tapwire("tap", "--scheme", scheme, "--amount", "12", "--script", path)
            #expect(run.exitCode == Int32(exitCode), "\(rule)")
            #expect(run.output.contains("result    \(ending)"), "\(rule)")
        }
        let bad = try tapwire(
            "tap",
            "--scheme",
            "visa",
            "--amount",
            "1",
            "--script",
            try scratch.file("# tapwire card script 1\n> 00B2 ?\n< 69\n")
        )
        #expect(bad.exitCode == 65)
        #expect(bad.diagnostics.hasSuffix(", line 3: an answer has 2 to 258 bytes\n"))
    }

    @Test("Two results do not go into one file, whether it is there or not")
    func sameFile() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let present = try scratch.file("something")
        for path in [present, scratch.url.appending(path: "new").path] {
            let same = scratch.url.path + "/./" + URL(filePath: path).lastPathComponent
            for command in [
                ["read", "--scheme", "visa", "--profile", path, "--trace", same],
                ["tap", "--scheme", "visa", "--amount", "1", "--trace", path, "--svg", same],
            ] {
                let run = try tapwire(command)
                #expect(run.exitCode == 64 && run.output.isEmpty, "\(command)")
                #expect(
                    run.diagnostics.hasPrefix("tapwire: --trace would overwrite the file of --")
                )
            }
        }
        #expect(try scratch.text(present) == "something")
    }

    @Test("A card of which nothing could be read ends with 1")
    func nothingRead() throws {
        #expect(
            try tapwire("read", "--card-trace", "Vectors/traces/test-contact.trace").exitCode == 1
        )
        #expect(
            try tapwire("read", "--card-trace", "Vectors/traces/visa-phone-refused.trace").exitCode
                == 1
        )
        #expect(
            try tapwire("read", "--card-trace", "Vectors/traces/visa-debit-1.trace").exitCode == 0
        )
    }
}
