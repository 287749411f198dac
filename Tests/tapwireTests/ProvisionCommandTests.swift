import Foundation
import TestSupport
import Testing

/// The wallet of one test, and everything the program said about it.
private final class ProvisionRuns {
    let scratch: Scratch
    let path: String
    private(set) var said = ""

    init() throws {
        scratch = try Scratch()
        path = try scratch.file() + ".wallet"
    }

    deinit { scratch.remove() }

    func run(_ words: String...) throws -> Run {
        let run = try tapwire(words + ["--wallet", path])
        said += run.output + run.diagnostics
        return run
    }
}

@Suite("tapwire provision", .timeLimit(.minutes(5)))
struct ProvisionCommandTests {
    @Test("A card comes into the wallet and pays", arguments: ["manual", "in-app", "extension"])
    func pays(_ route: String) throws {
        let wallet = try ProvisionRuns()
        let diagram = try wallet.scratch.file()
        let added = try wallet.run("provision", "--route", route, "--diagram", diagram)
        #expect(added.exitCode == 0, "\(added.diagnostics)")
        #expect(added.output.contains("linkAndProvision"))
        #expect(added.output.contains(": activated\n"))
        #expect(added.output.contains("of its 100 ms") == (route == "extension"))
        let paid = try wallet.run("wallet", "pay", "--amount", "12.34", "--tap-after", "0")
        #expect(paid.exitCode == 0, "\(paid.output)\(paid.diagnostics)")
        #expect(paid.output.contains("APPROVED, by the issuer"))
        let svg = try wallet.scratch.text(diagram)
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
        #expect(svg.contains("authorizeService") && svg.contains("Apple Pay server"))

        // The account has its card; nothing else is made.
        let again = try wallet.run("provision", "--route", route)
        #expect(again.exitCode == 1)
        #expect(again.diagnostics.hasPrefix("tapwire: no card was added: "))
        #expect(!wallet.said.contains("4761739000000") && !wallet.said.contains("eyJ"))
    }

    @Test("Yellow waits for the code, which tapwire wallet activate asks for")
    func yellow() throws {
        let wallet = try ProvisionRuns()
        let run = try wallet.run(
            "provision",
            "--route",
            "extension",
            "--scheme",
            "mastercard",
            "--reason",
            "0e",
            "--json"
        )
        let added = try run.json()
        let pass = try #require(added["pass"] as? [String: Any])
        #expect(pass["state"] as? String == "requiresActivation")
        let status = try #require(added["status"] as? [String: Any])
        #expect(status["isLate"] as? Bool == false)
        #expect((status["microseconds"] as? Int).map { $0 < 100_000 } == true)
        let calls = try #require(added["exchanges"] as? [[String: Any]])
        #expect(calls.first?["call"] as? String == "status")
        #expect(calls.contains { $0["detail"] as? String == "reasons 0E" })
        #expect(try wallet.run("wallet", "pay", "--amount", "1", "--tap-after", "0").exitCode == 1)

        let card = try #require(pass["card"] as? String)
        let sent = try wallet.run("wallet", "activate", card)
        let code = try #require(sent.output.split(separator: "the code is ").last?.prefix(6))
        #expect(try wallet.run("wallet", "activate", card, "--code", String(code)).exitCode == 0)
        #expect(try wallet.run("wallet", "pay", "--amount", "1", "--tap-after", "0").exitCode == 0)
    }

    @Test("Yellow and orange with --activate, red")
    func colours() throws {
        let wallet = try ProvisionRuns()
        for (account, colour) in [("1", "yellow"), ("2", "orange")] {
            let run = try wallet.run(
                "provision",
                "--decision",
                colour,
                "--account",
                account,
                "--activate"
            )
            #expect(run.exitCode == 0, "\(run.diagnostics)")
            #expect(run.output.contains(": activated\n"))
        }
        let red = try wallet.run("provision", "--decision", "red", "--account", "3")
        #expect(red.exitCode == 1)
        #expect(red.diagnostics == "tapwire: no card was added: the card was declined (red)\n")
    }

    @Test("A scenario file says what is to happen")
    func scenario() throws {
        let wallet = try ProvisionRuns()
        let file = try wallet.scratch.file(
            """
            {"route": "extension", "scheme": "visa", "account": 4, "parties": [
              {"party": "handlerExtension", "call": "status", "delayMilliseconds": 150}
            ]}
            """
        )
        let late = try wallet.run("provision", file)
        #expect(late.exitCode == 1)
        #expect(late.output.contains("status    no answer within its 100 ms"))
        let refused = try wallet.scratch.file(
            """
            {"route": "extension", "parties": [
              {"party": "issuerServer", "call": "encryptPass", "failWithStatus": 400,
               "message": "911. Operation failed .1"}
            ]}
            """
        )
        let run = try wallet.run("provision", refused)
        #expect(run.exitCode == 1)
        #expect(run.output.contains("Error in generate API. Cause: [3]"))
        #expect(run.output.contains("Error: [40001]"))
        #expect(try wallet.run("provision", refused, "--route", "manual").exitCode == 0)
    }

    @Test("What is wrong in a scenario is said")
    func badScenarios() throws {
        let wallet = try ProvisionRuns()
        for (text, words) in [
            ("[]", "must be an object"), (#"{"route": "carrier pigeon"}"#, "route"),
            (#"{"account": 10}"#, "account"), (#"{"reasons": ["99"]}"#, "reasons[0]"),
            (#"{"speed": 1}"#, "speed"), (#"{"parties": [{"party": "user"}]}"#, "call"),
            (#"{"parties": [{"party": "user", "call": "terms"}]}"#, "delayMilliseconds"),
            (
                #"{"parties": [{"party": "user", "call": "x", "refuse": "", "unreachable": true}]}"#,
                "parties[0]"
            ),
        ] {
            let run = try wallet.run("provision", try wallet.scratch.file(text))
            #expect(run.exitCode == 65 && run.output.isEmpty, "\(text)")
            #expect(run.diagnostics.contains(words), "\(run.diagnostics)")
        }
        #expect(try wallet.run("provision", "--reason", "99").exitCode == 64)
        #expect(try wallet.run("provision", "--account", "0").exitCode == 64)
        #expect(try wallet.run("provision", "/nonexistent.json").exitCode == 65)
    }

    @Test("check-art: one sentence for each finding")
    func checkArt() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let pdf = try tapwire("provision", "check-art", scratch.file("%PDF-1.4\n"))
        #expect(pdf.exitCode == 0 && pdf.output.hasPrefix("warning A PDF is accepted"))
        let text = try tapwire("provision", "check-art", scratch.file("card"), "--json")
        #expect(text.exitCode == 1)
        #expect(try text.json()["accepted"] as? Bool == false)
        #expect(try tapwire("provision", "check-art", "/nonexistent.png").exitCode == 65)
        #expect(try tapwire("provision", "check-art").exitCode == 64)
        #expect(try tapwire("provision", "--help").output.contains("check-art"))
        #expect(try tapwire("provision", "check-art", "--help").exitCode == 0)
        #expect(try tapwire("help", "provision", "check-art").output.contains("PNG or PDF"))
    }
}
