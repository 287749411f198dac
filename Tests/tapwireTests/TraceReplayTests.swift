import Foundation
import TestSupport
import Testing

@Suite("tapwire trace replay")
struct TraceReplayTests {
    private static let keys = ["--ca-keys", "Vectors/ca-keys/schemes.json"]

    /// Pays once and writes it down.
    private static func payment(
        _ scheme: String,
        _ scratch: Scratch,
        _ more: [String] = []
    ) throws -> String {
        let file = try scratch.file()
        let run = try tapwire(
            [
                "tap", "--scheme", scheme, "--amount", "12.34", "--date", "2026-11-30", "--trace",
                file,
            ]
                + more
        )
        #expect(run.exitCode == 0)
        return file
    }

    @Test(
        "As the card: a published recording runs to its end",
        arguments: ["visa-offline", "mastercard-offline"]
    )
    func card(name: String) throws {
        let path = "Vectors/traces/\(name).trace"
        for more in [[], ["--strict"]] {
            let run = try tapwire(["trace", "replay", path] + more + Self.keys)
            #expect(run.exitCode == 0)
            #expect(run.diagnostics.isEmpty)
            #expect(run.output.contains("APPROVED, offline"))
        }
    }

    @Test("As the card: what the recording has otherwise is told with what went before")
    func deviatingTerminal() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let text = try RepositoryFile.text("Vectors/traces/visa-offline.trace")
            .replacing("00B2011C00", with: "00B2021C00")
        let run = try tapwire(["trace", "replay", try scratch.file(text)] + Self.keys)
        #expect(run.exitCode == 1)
        #expect(
            run.output.hasSuffix(
                """

                deviation in command 4 of 6, READ RECORD 2, SFI 3
                expected  00B2021C00
                got       00B2011C00

                """
            )
        )
        let json = try tapwire(["trace", "replay", try scratch.file(text), "--json"] + Self.keys)
        let deviations = try #require(try json.json()["deviations"] as? [[String: Any]])
        #expect(deviations.count == 1)
        #expect(deviations[0]["exchange"] as? Int == 4)
        #expect(deviations[0]["expected"] as? String == "00B2021C00")
        #expect(deviations[0]["got"] as? String == "00B2011C00")
        #expect((try json.json()["exchanges"] as? [Any])?.count == 4)
    }

    @Test(
        "As the reader: a card of the same kind answers as recorded",
        arguments: ["visa", "mastercard"]
    )
    func reader(scheme: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try Self.payment(scheme, scratch)
        let again = try scratch.file()
        let replay = ["trace", "replay", file, "--as", "reader", "--scheme", scheme]
        let run = try tapwire(replay + ["--trace", again])
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        let count = scheme == "visa" ? 3 : 7
        #expect(run.output.contains("result    \(count) of \(count) exchanges, "))
        // A trace of a replay is a trace.
        #expect(
            try tapwire("trace", "replay", again, "--as", "reader", "--scheme", scheme).exitCode
                == 0
        )
    }

    @Test("As the reader: the counter may be another, and is told")
    func counter() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let text = try scratch.text(try Self.payment("visa", scratch))
        #expect(text.contains("9F36020001"))
        let file = try scratch.file(text.replacing("9F36020001", with: "9F360200FF"))
        let replay = ["trace", "replay", file, "--as", "reader", "--scheme", "visa"]
        let run = try tapwire(replay)
        #expect(run.exitCode == 0)
        #expect(
            run.output.contains(
                "changed   9F36 Application Transaction Counter (ATC): recorded 00FF, now 0001\n"
            )
        )
        #expect(run.output.contains("as recorded but for what is another each time: 9F36\n"))
        let strict = try tapwire(replay + ["--strict"])
        #expect(strict.exitCode == 1)
        #expect(strict.output.contains("deviation in response 3 of 3, GET PROCESSING OPTIONS\n"))
    }

    @Test("As the reader: another card deviates at once, or goes on to the end")
    func otherCard() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try Self.payment("mastercard", scratch)
        let replay = ["trace", "replay", file, "--as", "reader", "--scheme", "visa"]
        let run = try tapwire(replay)
        #expect(run.exitCode == 1)
        #expect(run.output.contains("deviation in response 1 of 7, SELECT 2PAY.SYS.DDF01\n"))
        #expect(run.output.contains("9F2A Kernel Identifier: recorded 02, now 03\n"))
        #expect(run.output.contains("result    1 deviation in 1 of 7 exchanges\n"))
        let whole = try tapwire(replay + ["--keep-going"])
        #expect(whole.exitCode == 1)
        #expect(whole.output.contains("result    7 deviations in 7 of 7 exchanges\n"))
        let varied = try tapwire(replay + ["--vary", "4F", "--vary", "50", "--vary", "9F2A"])
        #expect(varied.output.contains("deviation in response 2 of 7, SELECT A0000000041010\n"))
        let json = try tapwire(replay + ["--json"]).json()
        let deviation = try #require((json["deviations"] as? [[String: Any]])?.first)
        #expect(deviation["in"] as? String == "response")
        #expect((deviation["differences"] as? [[String: Any]])?.count == 3)
    }

    @Test("A masked recording is compared masked, and shows no number")
    func masked() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let profile = try scratch.file(
            try RepositoryFile.text("Sources/Profiles/Resources/mastercard.json")
                .replacing("\"public\": true", with: "\"public\": false")
        )
        let file = try scratch.file()
        let pay = ["tap", "--profile", profile, "--amount", "12.34", "--trace", file]
        #expect(try tapwire(pay).exitCode == 0)
        #expect(try scratch.text(file).contains("# masked: "))
        let replay = ["trace", "replay", file, "--as", "reader", "--profile", profile]
        for more in [[], ["--json"]] {
            let run = try tapwire(replay + more)
            #expect(run.exitCode == 0)
            #expect(!run.output.contains("5413330089600010"))
        }
        // Another account in the same place is a deviation, and masked like the first.
        let other = try scratch.file(
            try scratch.text(profile).replacing("5413330089600010", with: "5413330089600028")
        )
        let run = try tapwire(["trace", "replay", file, "--as", "reader", "--profile", other])
        #expect(run.exitCode == 1)
        #expect(
            !run.output.contains("5413330089600010") && !run.output.contains("5413330089600028")
        )
    }

    @Test("A card that is read or asked commands is written down as well")
    func recorded() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.file()
        for recording in [
            ["read", "--scheme", "visa", "--trace", file],
            [
                "apdu", "--scheme", "visa", "00A4040007A000000003101000", "00B2011C00", "--trace",
                file,
            ],
        ] {
            #expect(try tapwire(recording).exitCode == 0)
            let run = try tapwire(
                "trace",
                "replay",
                file,
                "--as",
                "reader",
                "--scheme",
                "visa",
                "--cdcvm",
                "no"
            )
            #expect(run.exitCode == 0, "\(run.output)")
        }
        #expect(try scratch.text(file).contains("# public-card: "))
    }

    @Test("A wallet's payment is written down, masked")
    func wallet() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let place = ["--wallet", scratch.url.appending(path: "wallet").path]
        #expect(try tapwire(["wallet", "add", "--scheme", "visa"] + place).exitCode == 0)
        let file = try scratch.file()
        let pay = ["wallet", "pay", "--amount", "5", "--tap-after", "0", "--trace", file] + place
        #expect(try tapwire(pay).exitCode == 0)
        #expect(try scratch.text(file).contains("# masked: "))
        #expect(try tapwire("trace", "replay", file).exitCode == 0)
    }

    @Test(
        "Wrong command lines are told in one sentence",
        arguments: [
            (["--as", "reader", "--vpcd", "127.0.0.1:1"], "leave out --vpcd: it is for --as card"),
            (["--scheme", "visa"], "--scheme is for --as reader; add that, or leave it out"),
            (
                ["--vpcd", "127.0.0.1:1", "--amount", "1"],
                "leave out --amount: the terminal is not in this process"
            ),
            (["--vary", "9F02", "--strict"], "--strict lets nothing vary; leave out --vary"),
            (["--vary", "XY"], "--vary needs a tag in hexadecimal, such as 9F02, not “XY”"),
            (
                ["--as", "reader", "--scheme", "visa", "--reader", "0", "--spend-atc"],
                "--reader and --scheme both choose a card; give one of them"
            ),
            (
                ["--as", "reader"],
                "command 3, GET PROCESSING OPTIONS, may cost the card in the reader a counter or a PIN try; "
                    + "--spend-atc sends it all the same"
            ),
        ]
    )
    func usage(options: [String], sentence: String) throws {
        let run = try tapwire(["trace", "replay", "Vectors/traces/visa-offline.trace"] + options)
        #expect(run.exitCode == 64)
        #expect(run.diagnostics == "tapwire: \(sentence)\n")
        #expect(run.output.isEmpty)
    }

    @Test("A trace that cannot be sent is told before anything is")
    func partial() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.file("# tapwire trace 1\n> 00A4 ?\n< 9000\n")
        let run = try tapwire("trace", "replay", file, "--as", "reader", "--scheme", "visa")
        #expect(run.exitCode == 65)
        #expect(run.diagnostics.contains("command 1 was recorded in part only"))
    }

    @Test(
        "Two recordings of the same payment differ in nothing but their times",
        arguments: ["visa", "mastercard"]
    )
    func same(scheme: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let traces = try (0..<2).map { _ in
            try scratch.text(try Self.payment(scheme, scratch, ["--seed", "7"]))
                .split(separator: "\n").map { $0.split(separator: "  # ")[0] }
        }
        #expect(traces[0] == traces[1])
    }
}
