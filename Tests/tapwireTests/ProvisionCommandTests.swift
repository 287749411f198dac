import CardEngine
import EMVCrypto
import Foundation
import NFCWallet
import TestSupport
import Testing

/// The runs of `tapwire provision`, and of whatever comes after it, in one test.
final class ProvisionRuns: StoreRuns {
    /// The payment keys that the wallet's cards have left, which are spent by that.
    func paymentKeys() throws -> [[UInt8]] {
        let store = try WalletStore(path: path)
        var keys: [[UInt8]] = []
        for card in try store.contents().cards {
            for _ in 0..<20 {
                try store.reserve(1, of: card.id) { (key: consuming PaymentKey) in
                    let bytes = [UInt8](capacity: 16) { (output: inout OutputSpan<UInt8>) in
                        key.cryptogramKey.append(to: &output)
                    }
                    keys.append(bytes)
                }
            }
        }
        return keys
    }

    /// A key as it may be written: its first half is enough.
    static func forms(_ key: [UInt8]) -> [String] {
        let half = key.prefix(8)
        let hex = half.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return [
            hex, hex.uppercased(), half.map(String.init).joined(separator: ", "),
            String(Data(key).base64EncodedString().prefix(20)),
        ]
    }

    /// Runs a scenario.
    func scenario(_ text: String, _ words: String...) throws -> Run {
        try program(["provision", scratch.file(text)] + words)
    }

    func run(_ words: String...) throws -> Run { try program(words) }
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
        #expect(try wallet.run("wallet", "add", "--scheme", "visa").exitCode == 1)
        #expect(try wallet.run("wallet", "list").output.split(separator: "\n").count == 1)
        let svg = try wallet.scratch.text(diagram)
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
        #expect(svg.contains("authorizeService") && svg.contains("Apple Pay server"))

        // The account has its card; nothing else is made.
        let again = try wallet.run("provision", "--route", route)
        #expect(again.exitCode == 1)
        #expect(
            again.diagnostics.hasPrefix(
                "tapwire: no card was added: the wallet has one of this account; "
            )
        )
        let other = try wallet.run(
            "provision",
            "--route",
            route,
            "--scheme",
            "mastercard",
            "--json"
        )
        #expect(other.exitCode == 0, "\(other.diagnostics)")
        let told = wallet.said + svg
        let keys = try wallet.paymentKeys()
        #expect(keys.count > 10)
        for key in keys {
            for form in ProvisionRuns.forms(key) { #expect(!told.contains(form)) }
        }
        for secret in ["4761739000000", "5413330000000", "eyJ"] { #expect(!told.contains(secret)) }
        for name in [".key", ".bank.key", ".passes.key"] {
            let key = try wallet.scratch.text(wallet.path + name).prefix(64)
            #expect(key.count == 64 && !told.contains(key))
        }
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

        let again = try wallet.run(
            "provision",
            "--route",
            "extension",
            "--scheme",
            "mastercard"
        )
        #expect(again.exitCode == 1)
        #expect(again.diagnostics.contains("one of this account that waits to be activated: "))
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
        let manual = try wallet.run("provision", refused, "--route", "manual")
        #expect(manual.exitCode == 64 && manual.output.isEmpty)
        #expect(manual.diagnostics.contains("leave out --route manual: scenario "))
        #expect(manual.diagnostics.contains("issuerServer does not get here; it gets authorize"))
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
                #"{"parties": [{"party": "issuerServer", "call": "terms", "refuse": ""}]}"#,
                "logIn, cards, encryptPass, authorizeService"
            ),
            (#"{"parties": [{"party": "push", "call": "x", "refuse": ""}]}"#, "the party push"),
            (#"{"route": "manual", "encryption": "RSA_V2"}"#, "encryption"),
            (#"{"authentication": "failed"}"#, "authentication"),
            (#"{"configured": false}"#, "configured"),
            (#"{"route": "manual", "withoutAppGroup": []}"#, "withoutAppGroup"),
            (#"{"route": "extension", "withoutAppGroup": ["wallet"]}"#, "withoutAppGroup[0]"),
            (#"{"device": "tablet"}"#, "device"), (#"{"watch": true}"#, "watch"),
            (#"{"events": [{"event": "explode"}]}"#, "events[0].event"),
            (#"{"events": [{"event": "cardReplaced"}]}"#, "events[0].account"),
            (#"{"events": [{"event": "expiryRenewed", "lastDay": "soon"}]}"#, "lastDay"),
            (#"{"events": [{"event": "suspend", "account": 1}]}"#, "events[0].account"),
            (#"{"delivery": "lost"}"#, "delivery"),
            (#"{"delivery": "twice"}"#, "delivery: plays a part only with events"),
            (
                #"{"parties": [{"party": "user", "call": "terms", "refuse": "", "unreachable": true}]}"#,
                "parties[0]"
            ),
        ] {
            let run = try wallet.run("provision", try wallet.scratch.file(text))
            #expect(run.exitCode == 65 && run.output.isEmpty, "\(text)")
            #expect(run.diagnostics.contains(words), "\(run.diagnostics)")
        }
        #expect(try wallet.run("provision", "--reason", "99").exitCode == 64)
        #expect(try wallet.run("provision", "--account", "0").exitCode == 64)
        for route in ["manual", "extension"] {
            let run = try wallet.run("provision", "--route", route, "--encryption", "RSA_V2")
            #expect(run.exitCode == 64 && run.diagnostics.contains("--encryption"))
        }
        #expect(try wallet.run("provision", "/nonexistent.json").exitCode == 65)
    }

    @Test("No output overwrites a file of the wallet, made already or not")
    func overwriting() throws {
        let wallet = try ProvisionRuns()
        func check(_ run: Run) {
            #expect(run.exitCode == 64 && run.output.isEmpty)
            #expect(run.diagnostics.contains("would overwrite the wallet"))
        }
        check(try wallet.run("provision", "--diagram", wallet.path))
        check(try wallet.run("provision", "--diagram", wallet.path + ".watch"))
        #expect(try wallet.run("provision").exitCode == 0)
        #expect(try wallet.run("provision", "--device", "watch").exitCode == 0)
        let names = [
            "", ".key", ".bank", ".bank.key", ".passes", ".passes.key", ".passes.lock", ".watch",
            ".watch.key", ".watch.passes", ".watch.passes.key", ".watch.passes.lock",
        ]
        for name in names {
            let path = wallet.path + name
            #expect(FileManager.default.fileExists(atPath: path), "\(name)")
            check(try wallet.run("provision", "--account", "2", "--diagram", path))
            check(try wallet.run("wallet", "pay", "--amount", "1", "--trace", path))
            check(try wallet.run("tap", "--trace", path))
            check(try wallet.run("tap", "--svg", path))
        }
        #expect(
            try wallet.run("wallet", "pay", "--amount", "1", "--tap-after", "0").exitCode == 0
        )
    }

    @Test("What a scenario's texts hold does nothing to a terminal or a picture")
    func controlCharacters() throws {
        let wallet = try ProvisionRuns()
        let file = try wallet.scratch.file(
            #"""
            {"parties": [{"party": "issuerServer", "call": "logIn", "failWithStatus": 500,
              "message": "a\u001b[31mb\u0000c\u202ed"}]}
            """#
        )
        let diagram = try wallet.scratch.file()
        let run = try wallet.run("provision", file, "--diagram", diagram)
        #expect(run.exitCode == 1)
        let expected = "HTTP status 500: a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}d"
        #expect(run.output.contains(expected) && run.diagnostics.contains(expected))
        let svg = try wallet.scratch.text(diagram)
        #expect(svg.contains(expected))
        for text in [run.output, run.diagnostics, svg] {
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        }
    }

    @Test("Programs that add the same account at once put one card into the wallet, which pays")
    func atOnce() throws {
        for route in ["manual", "in-app", "mixed", "yellow"] {
            let wallet = try ProvisionRuns()
            let pipes = (0..<6).map { _ in Pipe() }
            let processes = try (0..<6).map { number in
                let process = tapwireProcess(
                    route == "mixed" && number.isMultiple(of: 2)
                        ? ["wallet", "add", "--scheme", "visa", "--wallet", wallet.path]
                        : [
                            "provision", "--route",
                            ["mixed", "yellow"].contains(route) ? "manual" : route,
                            "--wallet", wallet.path,
                        ] + (route == "yellow" ? ["--decision", "yellow", "--activate"] : [])
                )
                process.standardOutput = FileHandle.nullDevice
                process.standardError = pipes[number]
                try process.run()
                return process
            }
            for process in processes { process.waitUntilExit() }
            // Who was too late has added nothing.
            for pipe in pipes {
                let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
                let said = String(decoding: data, as: UTF8.self)
                #expect(!said.contains("the card was added"), "\(route): \(said)")
            }
            let codes = processes.map(\.terminationStatus).sorted()
            #expect(codes == [0, 1, 1, 1, 1, 1], "\(route)")
            let list = try wallet.run("wallet", "list", "--json").json()
            let cards = try #require(list["cards"] as? [[String: Any]])
            #expect(cards.map { $0["state"] as? String } == ["active"], "\(route)")
            let paid = try wallet.run("wallet", "pay", "--amount", "12.34", "--tap-after", "0")
            #expect(paid.exitCode == 0, "\(route): \(paid.output)")
        }
    }

    @Test("What failed is said, and what there is all the same, with the command that goes on")
    func truth() throws {
        let wallet = try ProvisionRuns()
        func run(_ text: String) throws -> Run {
            try wallet.run("provision", try wallet.scratch.file(text))
        }
        let issuer = try run(
            #"{"parties": [{"party": "issuerServer", "call": "authorizeService", "failWithStatus": 500}]}"#
        )
        #expect(issuer.exitCode == 1 && !issuer.diagnostics.contains("declined"))
        #expect(issuer.diagnostics.contains("the token service failed, or the issuer's server"))
        let status = try run(
            #"""
            {"route": "extension",
             "parties": [{"party": "handlerExtension", "call": "status", "failWithStatus": 500}]}
            """#
        )
        #expect(status.exitCode == 1 && !status.diagnostics.contains("100 ms"))
        #expect(status.diagnostics.contains("the extension answered with HTTP status 500"))
        for (party, call, name) in [
            ("secureElement", "install", "secure element"), ("wallet", "addPass", "Wallet"),
        ] {
            for decision in ["green", "yellow"] {
                let lost = try run(
                    #"""
                    {"decision": "\#(decision)", "parties": [
                      {"party": "\#(party)", "call": "\#(call)", "loseAnswer": true}
                    ]}
                    """#
                )
                #expect(lost.exitCode == 1 && !lost.output.contains("next  "))
                #expect(
                    lost.diagnostics.lowercased()
                        == "tapwire: no card was added: the \(name.lowercased()) cannot be reached\n"
                )
                let list = try wallet.run("wallet", "list", "--json").json()
                #expect((list["cards"] as? [Any])?.isEmpty == true)
            }
        }
        let terms = try run(#"{"acceptTerms": false, "reasons": ["0g"]}"#)
        #expect(terms.exitCode == 1 && terms.output.contains("terms  ✘ the user did not go on\n"))
        // A delay ages the nonce.
        let late = try run(
            #"""
            {"parties": [{"party": "applePayServer", "call": "checkCard", "delayMilliseconds": 301000}]}
            """#
        )
        #expect(late.exitCode == 1 && late.diagnostics.contains("expiredNonce"))
        let activation = try run(
            #"""
            {"decision": "yellow", "activate": true,
             "parties": [{"party": "applePayServer", "call": "sendCode", "failWithStatus": 500}]}
            """#
        )
        #expect(activation.exitCode == 1)
        #expect(activation.diagnostics.hasPrefix("tapwire: the card was added and is requires"))
        let next = try #require(activation.output.split(separator: "next      ").last)
        #expect(next.hasPrefix("tapwire wallet activate card-"))
        #expect(next.hasSuffix(" --wallet \(wallet.path)\n"))
        let again = try wallet.run("provision")
        #expect(again.exitCode == 1)
        #expect(again.diagnostics.hasSuffix("waits to be activated: \(next)"))
    }

    @Test("check-art: one sentence for each finding")
    func checkArt() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let pdf = try tapwire("provision", "check-art", scratch.file("%PDF-1.4\n%%EOF\n"))
        #expect(pdf.exitCode == 0 && pdf.output.hasPrefix("warning A PDF is accepted"))
        let text = try tapwire("provision", "check-art", scratch.file("card"), "--json")
        #expect(text.exitCode == 1)
        #expect(try text.json()["accepted"] as? Bool == false)
        #expect(try tapwire("provision", "check-art", "/nonexistent.png").exitCode == 65)
        #expect(try tapwire("provision", "check-art").exitCode == 64)
        let device = try tapwire("provision", "check-art", "/dev/zero")
        #expect(device.exitCode == 65 && device.diagnostics.contains("is a pipe or a device"))
        #expect(try tapwire("provision", "--help").output.contains("check-art"))
        #expect(try tapwire("provision", "check-art", "--help").exitCode == 0)
        #expect(try tapwire("help", "provision", "check-art").output.contains("PNG or PDF"))
    }
}
