import Foundation
import TestSupport
import Testing

@Suite("tapwire tap")
struct TapTests {
    /// What makes two runs of the same payment the same.
    private static let fixed = ["--seed", "7", "--date", "2026-11-30"]

    @Test("A payment is approved and told in full", arguments: ["visa", "mastercard"])
    func approved(scheme: String) throws {
        let run = try tapwire("tap", "--scheme", scheme, "--amount", "12.34", "--currency", "EUR")
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        for part in [
            "SELECT 2PAY.SYS.DDF01", "GET PROCESSING OPTIONS", " µs\n",
            "9F26 Application Cryptogram",
            "DF8129", "TAPWIRE TEST SHOP", "12.34 EUR", "APPROVED, by the issuer", "Response code",
            "wallet    authenticationRequired, authenticationCompleted", "stays here",
        ] {
            #expect(run.output.contains(part), "\(part)")
        }
        #expect(!run.output.contains("\u{1B}"), "no styles where there is no terminal")
        let widest = run.output.split(separator: "\n").map(\.count).max() ?? 0
        #expect(widest <= 100)
    }

    @Test(
        "JSON holds outcome, exchanges, DE 55, answer, receipt and times",
        arguments: ["visa", "mastercard"]
    )
    func json(scheme: String) throws {
        let run = try tapwire(
            ["tap", "--scheme", scheme, "--amount", "12.34", "--json"] + Self.fixed
        )
        #expect(run.exitCode == 0)
        let json = try run.json()
        #expect(json["result"] as? String == "approvedOnline")
        #expect(json["exitCode"] as? Int == 0)
        let outcome = try #require(json["outcome"] as? [String: Any])
        let parameters = [
            "status", "start", "onlineResponseData", "cvm", "uiRequestOnOutcome",
            "uiRequestOnRestart",
            "dataRecord", "discretionaryData", "alternateInterface", "receipt",
            "fieldOffMilliseconds",
            "removalTimeoutMilliseconds", "error", "parameterSet", "errorIndication",
        ]
        #expect(Set(outcome.keys) == Set(parameters))
        #expect((outcome["parameterSet"] as? String)?.count == 16)
        let exchanges = try #require(json["exchanges"] as? [[String: Any]])
        #expect(exchanges.count == (scheme == "visa" ? 3 : 7))
        #expect(exchanges.allSatisfy { ($0["elapsedNanoseconds"] as? Int ?? 0) > 0 })
        #expect((json["de55"] as? String)?.isEmpty == false)
        let issuer = try #require(json["issuer"] as? [String: Any])
        #expect(issuer["responseCode"] as? String == "00")
        #expect(issuer["deliveredToCard"] as? Bool == false)
        let receipt = try #require(json["receipt"] as? [String: Any])
        #expect(
            receipt["pan"] as? String
                == (scheme == "visa" ? "476173******0010" : "541333******0010")
        )
        let timings = try #require(json["timings"] as? [String: Any])
        #expect((timings["exchangeNanoseconds"] as? [Int])?.count == exchanges.count)
    }

    @Test("The same command gives the same bytes except times", arguments: ["visa", "mastercard"])
    func reproducible(scheme: String) throws {
        func bytes(_ more: [String] = []) throws -> String {
            let arguments =
                ["tap", "--scheme", scheme, "--amount", "5", "--json"] + Self.fixed + more
            var json = try tapwire(arguments).json()
            json["timings"] = nil
            json["exchanges"] = (json["exchanges"] as? [[String: Any]])?.map { exchange in
                exchange.filter { $0.key != "elapsedNanoseconds" }
            }
            let data = try JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
            return String(decoding: data, as: UTF8.self)
        }
        let first = try bytes()
        #expect(try bytes() == first)
        #expect(try bytes(["--un", "12345678"]) != first)
    }

    @Test("The unpredictable number is the one that was given")
    func unpredictableNumber() throws {
        let run = try tapwire("tap", "--scheme", "visa", "--amount", "1", "--un", "89ABCDEF")
        #expect(run.output.contains("9F37 Unpredictable Number  89ABCDEF"))
    }

    @Test(
        "Exit codes tell how a payment ended",
        arguments: [
            (["--amount", "5"], 0), (["--amount", "12.34"], 0), (["--amount", "20000"], 1),
            (["--amount", "9999.99", "--cdcvm", "no"], 1),
            (["--amount", "2000", "--type", "refund"], 0),
            (["--amount", "20", "--type", "cashback", "--cashback", "5"], 0),
            (["--amount", "12.34", "--date", "2040-01-01"], 1),
        ] as [([String], Int32)]
    )
    func exitCodes(arguments: [String], exitCode: Int32) throws {
        for scheme in ["visa", "mastercard"] {
            let run = try tapwire(["tap", "--scheme", scheme] + arguments)
            #expect(run.exitCode == exitCode, "\(scheme): \(run.output)")
            #expect(run.diagnostics.isEmpty)
        }
    }
}

@Suite("tapwire tap, recorded cards")
struct RecordedCardTests {
    private static let keys = ["--ca-keys", "Vectors/ca-keys/schemes.json"]

    @Test(
        "The recorded cards run to their recorded end, authentication included",
        arguments: [
            ("visa-offline", 0, "approvedOffline", "fDDA, successful", "20261203C3227D26"),
            ("mastercard-offline", 0, "approvedOffline", "CDA, successful", "49C27A9F8E4BF538"),
            ("mastercard-online", 2, "unanswered", "CDA, successful", "AC123456789ABCDE"),
            ("visa-debit-1", 2, "unanswered", "not performed", "12542E554303B047"),
            ("visa-debit-2", 2, "unanswered", "not performed", "EC1C5779FF267037"),
            ("visa-debit-3", 2, "unanswered", "not performed", "AEB8EA19E9685BF4"),
            ("visa-phone-transit", 2, "unanswered", "not performed", "C21624CB9CD4F92D"),
        ] as [(String, Int32, String, String, String)]
    )
    func replay(
        name: String,
        exitCode: Int32,
        result: String,
        authentication: String,
        cryptogram: String
    ) throws {
        let path = "Vectors/traces/\(name).trace"
        let run = try tapwire(["tap", "--card-trace", path, "--json"] + Self.keys)
        #expect(run.exitCode == exitCode)
        #expect(run.diagnostics.isEmpty)
        let json = try run.json()
        #expect(json["result"] as? String == result)
        let application = try #require(json["application"] as? [String: Any])
        #expect(application["offlineDataAuthentication"] as? String == authentication)
        let receipt = try #require(json["receipt"] as? [String: Any])
        #expect(receipt["cryptogram"] as? String == cryptogram)
        let recorded = try RepositoryFile.text(path).split(separator: "\n").filter {
            $0.hasPrefix(">")
        }
        #expect((json["exchanges"] as? [Any])?.count == recorded.count)
    }

    @Test("A card whose issuer is not here is neither approved nor declined")
    func unanswered() throws {
        let path = "Vectors/traces/mastercard-online.trace"
        let run = try tapwire(["tap", "--card-trace", path] + Self.keys)
        #expect(run.exitCode == 2)
        #expect(run.output.contains("nobody could be asked"))
        #expect(!run.output.contains("APPROVED"))
        #expect(!run.output.contains("DECLINED"))
    }

    @Test("Without the authority's key the recorded offline approval is declined")
    func noKey() throws {
        let run = try tapwire("tap", "--card-trace", "Vectors/traces/visa-offline.trace")
        #expect(run.exitCode == 1)
        #expect(run.output.contains("does not have the CA key 92"))
    }

    @Test("A terminal that asks something else than was recorded ends with one sentence")
    func deviation() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let text = try RepositoryFile.text("Vectors/traces/visa-offline.trace")
            .replacing("00B2011C00", with: "00B2021C00")
        let file = try scratch.file(text)
        let run = try tapwire(["tap", "--card-trace", file] + Self.keys)
        #expect(run.exitCode == 1)
        let shown = run.output.split(separator: "\n")
        #expect(
            shown.filter { $0.hasPrefix("> ") }.map { $0.prefix(10) } == [
                "> 00A40400", "> 00A40400", "> 80A80000", "> 00B2011C",
            ]
        )
        #expect(
            shown.suffix(3) == [
                "deviation in command 4 of 6, READ RECORD 2, SFI 3", "expected  00B2021C00",
                "got       00B2011C00",
            ]
        )
        #expect(
            run.diagnostics
                == "tapwire: the recorded card cannot go on: command 4 was recorded as 00B2021C00, "
                + "and the terminal sends 00B2011C00\n"
        )
    }

    @Test("A recording that goes on where the terminal has ended is told")
    func leftover() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let text = try RepositoryFile.text("Vectors/traces/visa-offline.trace")
        let file = try scratch.file(text + "> 00B2041400\n< 6A83\n")
        let run = try tapwire(["tap", "--card-trace", file] + Self.keys)
        #expect(run.exitCode == 1)
        #expect(run.output.contains("ended after 6 of 7 recorded exchanges"))
    }

    @Test("A payment that was written down can be tapped again", arguments: ["visa", "mastercard"])
    func writeAndReplay(scheme: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.file()
        // The first amount is approved offline; for the second a recording finds no issuer.
        for (amount, replayed) in [("5", Int32(0)), ("12.34", 2)] {
            let payment = [
                "tap", "--scheme", scheme, "--amount", amount, "--trace", file, "--json",
            ]
            let first = try tapwire(payment)
            #expect(first.exitCode == 0)
            let again = try tapwire("tap", "--card-trace", file, "--json")
            #expect(again.exitCode == replayed)
            let (one, two) = (try first.json(), try again.json())
            #expect((one["de55"] is String) == (replayed == 2))
            for member in ["de55", "outcome"] {
                #expect(try text(of: one[member]) == text(of: two[member]), "\(member)")
            }
        }
    }

    @Test(
        "A card that is not public is masked everywhere, and its recording still runs",
        arguments: ["visa", "mastercard"]
    )
    func masked(scheme: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let profile = try scratch.file(
            try RepositoryFile.text("Sources/Profiles/Resources/\(scheme).json")
                .replacing("\"public\": true", with: "\"public\": false")
        )
        let number = scheme == "visa" ? "4761739001010010" : "5413330089600010"
        let name = Array("TEST CARD/\(scheme.uppercased())".utf8).map {
            String($0, radix: 16).uppercased()
        }.joined()
        let file = try scratch.file()
        let payment = ["tap", "--profile", profile, "--amount", "5", "--trace", file]
        for more in [[], ["--json"]] {
            let scratch = try Scratch()
            defer { scratch.remove() }
            let run = try tapwire(payment + more)
            #expect(run.exitCode == 0)
            #expect(!run.output.contains(number))
            #expect(!run.output.contains(name))
            #expect(run.output.contains(more.isEmpty ? " (masked)" : "\"masked\": true"))
        }
        let trace = try scratch.text(file)
        #expect(!trace.contains(number))
        #expect(!trace.contains(name))
        #expect(trace.contains("# masked: "))

        let again = try tapwire("tap", "--card-trace", file, "--json")
        #expect(again.exitCode == 0)
        let application = try #require(try again.json()["application"] as? [String: Any])
        #expect(
            (application["offlineDataAuthentication"] as? String)?.hasSuffix(
                "the recording is masked"
            ) == true
        )

        let open = try tapwire(payment + ["--unmask"])
        #expect(open.output.contains(number))
        #expect(!open.output.contains("(masked)"))
        #expect(try scratch.text(file).contains(number))
    }
}
