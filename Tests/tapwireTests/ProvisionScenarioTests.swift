import Foundation
import TestSupport
import Testing

/// What scenario files can say beside a route.
@Suite("tapwire provision: scenarios", .timeLimit(.minutes(5)))
struct ProvisionScenarioTests {
    private func pay(_ path: String) throws -> Run {
        try tapwire(
            "wallet",
            "pay",
            "--amount",
            "12.34",
            "--tap-after",
            "0",
            "--wallet",
            path
        )
    }

    private func pass(_ run: Run) throws -> [String: Any] {
        try #require(try run.json()["pass"] as? [String: Any], "\(run.output)\(run.diagnostics)")
    }

    @Test("A card comes to the watch, with a token of its own", arguments: ["in-app", "extension"])
    func watch(_ route: String) throws {
        let wallet = try ProvisionRuns()
        let watch = wallet.path + ".watch"
        let added = try wallet.run("provision", "--route", route, "--device", "watch")
        #expect(added.exitCode == 0, "\(added.diagnostics)")
        #expect(added.output.contains("remotePassEntries") == (route == "extension"))
        #expect(added.output.contains("install (Apple Watch)"))
        let next = try #require(added.output.split(separator: "next      tapwire ").last)
        let words = next.split(separator: "\n")[0].split(separator: " ").map(String.init)
        #expect(words.suffix(2) == ["--wallet", watch])
        let paid = try tapwire(words + ["--tap-after", "0"])
        #expect(paid.exitCode == 0 && paid.output.contains("APPROVED, by the issuer"))
        #expect(try wallet.run("wallet", "pay", "--amount", "1").exitCode == 64)

        let phone = try pass(try wallet.run("provision", "--route", route, "--json"))
        let again = try wallet.run("provision", "--route", route, "--device", "watch", "--json")
        #expect(again.exitCode == 1)
        let list = try tapwire("wallet", "list", "--wallet", watch, "--json").json()
        let cards = try #require(list["cards"] as? [[String: Any]])
        #expect(cards.count == 1)
        #expect(cards[0]["card"] as? String != phone["card"] as? String)
        // Another card of the phone leaves the watch's token alone.
        #expect(try wallet.run("wallet", "add", "--scheme", "mastercard").exitCode == 0)
        for path in [watch, wallet.path] { #expect(try pay(path).exitCode == 0) }
        // What the watch's wallet adds itself is the watch's, too.
        let own = try tapwire("wallet", "add", "--scheme", "mastercard", "--wallet", watch)
        #expect(own.exitCode == 0, "\(own.diagnostics)")
        #expect(try pay(wallet.path).exitCode == 0)
    }

    @Test("The account has one name on both devices, and a watch may be away")
    func account() throws {
        let wallet = try ProvisionRuns()
        let passes = try ["phone", "watch"].map { device in
            try pass(
                wallet.scenario(
                    #"{"route": "extension", "device": "\#(device)", "watch": "paired"}"#,
                    "--json"
                )
            )
        }
        for name in ["primaryAccountIdentifier", "primaryAccountNumberSuffix"] {
            #expect(passes[0][name] as? String == passes[1][name] as? String)
        }
        #expect(
            passes[0]["deviceAccountNumberSuffix"] as? String
                != passes[1]["deviceAccountNumberSuffix"] as? String
        )
        for watch in ["notPaired", "unreachable"] {
            let run = try wallet.scenario(
                #"{"scheme": "mastercard", "device": "watch", "watch": "\#(watch)"}"#
            )
            #expect(run.exitCode == 1)
            #expect(run.diagnostics.contains("no watch is paired, or it is out of reach"))
        }
    }

    @Test(
        "What happens to a token is pushed, in any order",
        arguments: ["inOrder", "reversed", "twice"]
    )
    func events(_ delivery: String) throws {
        let wallet = try ProvisionRuns()
        let run = try wallet.scenario(
            """
            {"delivery": "\(delivery)", "events": [
              {"event": "suspend"}, {"event": "resume"}, {"event": "cardReplaced", "account": 5},
              {"event": "expiryRenewed", "lastDay": "2035-12-31"}, {"event": "keysRevoked"}
            ], "parties": [
              {"party": "push", "call": "deliver", "refuse": "later"},
              {"party": "push", "call": "deliver", "loseAnswer": true},
              {"party": "connectivity", "call": "tokenResumed", "unreachable": true},
              {"party": "secureElement", "call": "changeCard", "failWithStatus": 500}
            ]}
            """,
            "--json"
        )
        #expect(run.exitCode == 0, "\(run.diagnostics)")
        let state = try pass(run)
        #expect(state["state"] as? String == "activated")
        #expect(state["primaryAccountNumberSuffix"] as? String == "0052")
        #expect(try run.json()["waiting"] as? [String] == [])
        let calls = try #require(try run.json()["exchanges"] as? [[String: Any]])
        #expect(calls.contains { $0["from"] as? String == "push" })
        let paid = try pay(wallet.path)
        #expect(paid.exitCode == 0 && paid.output.contains("APPROVED, by the issuer"))
    }

    @Test("A card that is suspended or deleted does not pay, and what may be done is said")
    func ends() throws {
        let wallet = try ProvisionRuns()
        let suspended = try wallet.scenario(#"{"events": [{"event": "suspend"}]}"#)
        #expect(suspended.exitCode == 0 && suspended.output.contains(": suspended\n"))
        let refused = try pay(wallet.path)
        #expect(refused.exitCode == 1 && refused.output.contains("cardNotActive"))
        let next = try #require(suspended.output.split(separator: "next      tapwire ").last)
        let words = next.split(separator: "\n")[0].split(separator: " ").map(String.init)
        #expect(words.prefix(2) == ["wallet", "resume"])
        #expect(try tapwire(words).exitCode == 0)
        #expect(try pay(wallet.path).exitCode == 0)

        let deleted = try wallet.scenario(
            #"{"account": 2, "events": [{"event": "delete"}, {"event": "resume"}]}"#
        )
        #expect(deleted.exitCode == 1)
        #expect(
            deleted.diagnostics.hasPrefix(
                "tapwire: the card was added and is deactivated; then something failed: "
            )
        )
        #expect(!deleted.output.contains("next      "))
        #expect(deleted.output.contains("button    “Add to Apple Wallet” is shown\n"))
        let list = try wallet.run("wallet", "list")
        #expect(list.output.split(separator: "\n").count == 1)

        let away = try wallet.scenario(
            #"""
            {"account": 3, "events": [{"event": "suspend"}], "parties": [
            """#
                + Array(
                    repeating: #"{"party": "push", "call": "deliver", "unreachable": true}"#,
                    count: 40
                ).joined(separator: ",") + "]}"
        )
        #expect(away.exitCode == 0)
        #expect(away.output.contains("waiting   tokenSuspended has not come to the device\n"))
        #expect(away.output.contains("unused    parties[39]: push was not asked deliver\n"))
    }

    @Test("The guide's errors: app groups, an app that was never configured, the server")
    func guideErrors() throws {
        let wallet = try ProvisionRuns()
        let missing = "Cause: [2](-25300) The storage cannot be used. Error: [20009]"
        for (members, texts) in [
            (
                #""withoutAppGroup": ["issuerApp"]"#,
                ["error     Error: invalidAppGroupID. ", "Error in status API. " + missing]
            ),
            (#""withoutAppGroup": ["handlerExtension"]"#, ["Error in status API. " + missing]),
            (#""configured": false"#, ["Error in status API. " + missing]),
            (#""withoutAppGroup": ["authorizationExtension"]"#, ["Error in login API. " + missing]),
            (
                #""parties": [{"party": "issuerServer", "call": "cards", "failWithStatus": 400}]"#,
                [
                    "Error in passEntries API. Cause: [3]The server answered with HTTP status 400 "
                        + "and message 'Server error'. Error: [40001]"
                ]
            ),
            (
                #""device": "watch", "parties": [{"party": "issuerServer", "call": "cards", "delayMilliseconds": 0}, {"party": "issuerServer", "call": "cards", "failWithStatus": 400}]"#,
                ["Error in remotePassEntries API. Cause: [3]"]
            ),
        ] {
            let run = try wallet.scenario("{\"route\": \"extension\", \(members)}")
            #expect(run.exitCode == 1, "\(members)")
            for text in texts { #expect(run.output.contains(text), "\(members): \(run.output)") }
            if members.contains("400") {
                #expect(
                    run.diagnostics
                        == "tapwire: no card was added: the issuer server answered with HTTP status 400: Server error\n"
                )
            }
        }
    }

    @Test("A call that the scenario never makes is refused; the list says which it makes")
    func calls() throws {
        let wallet = try ProvisionRuns()
        let step = { (party: String, call: String) in
            "\"parties\": [{\"party\": \"\(party)\", \"call\": \"\(call)\", \"refuse\": \"no\"}]"
        }
        for (members, party, call, words) in [
            ("\"route\": \"manual\", ", "applePayServer", "challenge", "it gets requiredFields, "),
            ("", "applePayServer", "requiredFields", "it gets challenge, checkCard, link"),
            ("", "applePayServer", "sendCode", "it gets challenge, checkCard, linkAndProvision;"),
            ("", "user", "biometrics", "it gets terms;"),
            ("", "handlerExtension", "status", "which is not called here"),
            ("\"route\": \"manual\", ", "issuerApp", "x", "which is not called here"),
            (
                "\"route\": \"extension\", ", "handlerExtension", "remotePassEntries",
                "it gets status, passEntries, generateAddPaymentPassRequest;"
            ),
            ("", "secureElement", "changeCard", "it gets cards, remove, install, activate;"),
            ("", "tokenService", "tokenSuspended", "it gets checkEligibility, digitize, repl"),
            ("\"route\": \"manual\", ", "connectivity", "encryptPass", "it gets requiredFields"),
        ] {
            let run = try wallet.scenario("{\(members)\(step(party, call))}")
            #expect(run.exitCode == 65 && run.output.isEmpty, "\(party) \(call)")
            #expect(run.diagnostics.contains("parties[0]: has "), "\(run.diagnostics)")
            #expect(run.diagnostics.contains(words), "\(run.diagnostics)")
        }
        // With what makes the call, it is taken.
        let activated = try wallet.scenario(
            "{\"decision\": \"yellow\", \(step("applePayServer", "sendCode"))}",
            "--activate"
        )
        #expect(activated.exitCode == 1)
        #expect(activated.output.contains("the Apple Pay server refused: no"))
    }

    @Test("A late status and the 30 s of an extension are drawn when Wallet gives up")
    func late() throws {
        let wallet = try ProvisionRuns()
        func run(_ parties: String) throws -> [[String: Any]] {
            let run = try wallet.scenario(
                "{\"route\": \"extension\", \"parties\": [\(parties)]}",
                "--json"
            )
            #expect(run.exitCode == 1)
            return try #require(try run.json()["exchanges"] as? [[String: Any]])
        }
        let status = try run(
            #"{"party": "handlerExtension", "call": "status", "delayMilliseconds": 5000}"#
        )
        let first = try #require(status.first?["durationMicroseconds"] as? Int)
        #expect((100_000..<1_000_000).contains(first))
        let all = try run(
            #"""
            {"party": "handlerExtension", "call": "passEntries", "delayMilliseconds": 18000},
            {"party": "issuerServer", "call": "encryptPass", "delayMilliseconds": 19000}
            """#
        )
        let generate = try #require(
            all.first { $0["call"] as? String == "generateAddPaymentPassRequest" }
        )
        #expect(
            generate["error"] as? String
                == "the extension took more than its 30.00 s in all, with generateAddPaymentPassRequest"
        )
        let duration = try #require(generate["durationMicroseconds"] as? Int)
        #expect((10_000_000..<13_000_000).contains(duration))
        let text = try wallet.scenario(
            #"""
            {"route": "extension", "parties": [
            {"party": "issuerServer", "call": "cards", "delayMilliseconds": 25000}]}
            """#
        )
        // Each call is drawn once, and given up before its server has answered.
        let lines = text.output.split(separator: "\n").filter { $0.contains("│") }
        let names = lines.filter { $0.contains("passEntries") || $0.contains("cards") }
        try #require(names.count == 4, "\(text.output)")
        #expect(names[1].contains("cards") && !names[1].contains("25"))
        #expect(names[2].contains("passEntries  ✘ the extension did not answer "))
        #expect(names[2].contains("20.0"))
        #expect(names[3].contains("cards  25.0"))
    }
}
