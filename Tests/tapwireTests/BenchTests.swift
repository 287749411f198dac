import Foundation
import FoundationXML
import TestSupport
import Testing

@Suite("tapwire bench")
struct BenchTests {
    private static let short = ["bench", "--rounds", "40", "--blocks", "2", "--warm-up", "1"]

    @Test("Every command and whole taps are measured beside their floor")
    func inProcess() throws {
        let run = try tapwire(Self.short + ["--json", "--air", "106", "--seed", "1"])
        #expect(run.exitCode == 0)
        let json = try run.json()
        #expect(json["way"] as? String == "in process")
        let cards = try #require(json["cards"] as? [[String: Any]])
        let names = try cards.map { card in
            try #require(card["measured"] as? [[String: Any]]).map { $0["name"] as? String }
        }
        #expect(
            names == [
                [
                    "SELECT PPSE", "SELECT AID", "GET PROCESSING OPTIONS",
                    "GET PROCESSING OPTIONS, signed", "READ RECORD", "whole tap, offline",
                    "whole tap, online",
                ],
                [
                    "SELECT PPSE", "SELECT AID", "GET PROCESSING OPTIONS", "READ RECORD",
                    "GENERATE AC, signed", "whole tap, offline", "whole tap, online",
                ],
            ]
        )
        // 20 bytes there and 56 or 55 back, with 3 bytes of framing each: 209 + 533 or 524 bits of 9.44 µs, two waits.
        var expected = [7_586_430, 7_501_474]
        for card in cards {
            for measured in try #require(card["measured"] as? [[String: Any]]) {
                let series = try #require(measured["series"] as? [String: Any])
                let floor = try #require(measured["floor"] as? [String: Any])
                let floorSeries = try #require(floor["series"] as? [String: Any])
                for part in [series, floorSeries] {
                    let blocks = try #require(part["blocks"] as? [[String: Double]])
                    #expect(blocks.count == 2)
                    #expect(blocks.allSatisfy { $0["p10", default: -1] <= $0["p50", default: -2] })
                    #expect(blocks.allSatisfy { $0["p50", default: -1] <= $0["p99", default: -2] })
                }
            }
            let air = try #require(card["air"] as? [String: Any])
            let times = try #require(air["nanoseconds"] as? [String: Int])
            #expect(times["SELECT PPSE"] == expected.removeFirst())
        }
    }

    @Test("A report is compared with itself and shows no difference, and the picture is XML")
    func compare() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let report = try tapwire(Self.short + ["--json", "--scheme", "visa"])
        let file = try scratch.file(report.output)
        let picture = try scratch.file()
        let run = try tapwire(
            Self.short + ["--scheme", "visa", "--compare", file, "--svg", picture, "--air", "848"]
        )
        #expect(run.exitCode == 0)
        #expect(run.output.contains("in process, 2 blocks, 20"))
        #expect(run.output.contains("too few blocks to say"))
        #expect(run.output.contains("New over old"))
        #expect(XMLParser(data: try Data(contentsOf: URL(filePath: picture))).parse())
    }

    @Test("A card that was not measured then is told, and eight blocks are enough to say something")
    func enough() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let bench = ["bench", "--scheme", "mastercard", "--rounds", "24", "--blocks", "8"]
        let file = try scratch.file(try tapwire(bench + ["--json"]).output)
        let run = try tapwire(["bench", "--scheme", "visa", "--rounds", "4", "--compare", file])
        #expect(run.output.contains("Visa test card was not measured then."))
        let rows = try tapwire(bench + ["--json", "--compare", file]).diagnostics
        #expect(rows.contains("whole tap, offline"))
        #expect(!rows.contains("too few blocks"))
        #expect(run.output.contains("Mastercard test card was not measured now."))
        #expect(run.output.contains("Nothing was measured both times."))
        #expect(!run.output.contains("New over old"))
        let small = try tapwire(bench + ["--amount", "5", "--compare", file]).output
        #expect(small.contains("Another payment: the usual one then, amount 5 now."))
        #expect(small.contains("Mastercard test card: whole tap, online was not measured now."))
    }

    @Test("A block that fails tells its sentence and its exit code as if there were no blocks")
    func failingBlock() throws {
        let run = try tapwire(Self.short + ["--scheme", "visa", "--amount", "80"])
        let whole = try tapwire(Self.short.dropLast(4) + ["--amount", "80", "--blocks", "1"])
        #expect(run.exitCode == 1)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.contains("tapwire: a tap was not approved: "))
        #expect(whole.diagnostics.contains("tapwire: a tap was not approved: "))
        let missing = try tapwire(Self.short + ["--profile", "/nonexistent"])
        #expect(missing.exitCode == 65)
        #expect(missing.diagnostics.split(separator: "\n").last?.hasPrefix("tapwire: ") == true)
    }

    @Test("A load is taken up again, sharded, and added up")
    func load() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let taps = ["bench", "--scheme", "visa", "--taps", "1200", "--json"]
        func load(_ run: Run) throws -> [String: Any] {
            #expect(run.exitCode == 0)
            return try #require(try run.json()["load"] as? [String: Any])
        }
        let parts = try [1, 2].map { part in
            try tapwire(taps + ["--shard", "\(part)/2", "--cores", "2"])
        }
        let counts = try parts.map { run in
            try #require(try load(run)["results"] as? [String: Int]).values.reduce(0, +)
        }
        #expect(counts == [612, 588])
        let files = try parts.map { try scratch.file($0.output) }
        let sum = try load(
            try tapwire("bench", "--merge", files[0], "--merge", files[1], "--json")
        )
        #expect(
            sum["results"] as? [String: Int] == [
                "APPROVED, offline": 600, "APPROVED, by the issuer": 600,
            ]
        )
        #expect(sum["failureCount"] as? Int == 0)
        let twice = try tapwire("bench", "--merge", files[0], "--merge", files[0])
        #expect(twice.exitCode == 65)
        #expect(twice.diagnostics.contains("name each part once"))
        let third = try scratch.file(try tapwire(taps + ["--shard", "1/3"]).output)
        let foreign = try tapwire("bench", "--merge", files[0], "--merge", third)
        #expect(foreign.exitCode == 65)
        #expect(foreign.diagnostics.contains("card, part 1 of 3”, not “1200 taps, Visa"))
        let compared = try tapwire("bench", "--compare", files[0])
        #expect(compared.exitCode == 65)
        #expect(compared.diagnostics.contains("has no commands to compare with"))

        let state = try scratch.file() + "-state"
        defer { try? FileManager.default.removeItem(atPath: state) }
        let first = try load(tapwire(taps + ["--state", state]))
        // All is done: the second run adds nothing and tells the same.
        let second = try load(tapwire(taps + ["--state", state]))
        #expect(first["durations"] as? NSDictionary == second["durations"] as? NSDictionary)
        let text = try String(contentsOfFile: state, encoding: .utf8)
        #expect(text.contains(#""done":[[0,16]]"#))
        for wrong in [
            "[]", "[[0,15]]", "[[0,15],[15,16]]", "[[8,16],[0,7]]", "[[0,17]]", "[[0]]",
            "[[0,7,16]]", "[[-1,16]]", "[[16,0]]", "[[0,9223372036854775807]]",
            "[[0,15],[17,17]]",
        ] {
            let tampered = try scratch.file(text.replacing("[[0,16]]", with: wrong))
            let run = try tapwire(taps + ["--state", tampered])
            #expect(run.exitCode == 65, "\(wrong)")
            #expect(run.diagnostics.contains("contradicts itself"), "\(run.diagnostics)")
        }
        let other = try tapwire("bench", "--scheme", "visa", "--taps", "1300", "--state", state)
        #expect(other.exitCode == 65)
        #expect(other.diagnostics.contains("is of another run, “1200 taps, Visa test card”"))
    }

    @Test("The state of a part stays short, and each part has both cards")
    func parts() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let state = try scratch.file() + "-state"
        defer { try? FileManager.default.removeItem(atPath: state) }
        // A terminal that knows only one of them.
        let text = try tapwire("profile", "--terminal").output
        var terminal = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        )
        let combinations = try #require(terminal["combinations"] as? [[String: Any]])
        terminal["combinations"] = combinations.filter { $0["kernel"] as? Int == 3 }
        let data = try JSONSerialization.data(withJSONObject: terminal)
        let config = try scratch.file(String(decoding: data, as: UTF8.self))
        for part in ["1/2", "2/2"] {
            let run = try tapwire(
                ["bench", "--taps", "64", "--config", config, "--shard", part, "--json"]
            )
            let load = try #require(try run.json()["load"] as? [String: Any])
            #expect(load["failureCount"] as? Int == 16)
            let results = try #require(load["results"] as? [String: Int])
            #expect(results["APPROVED, offline"] == 8, "\(results)")
        }
        let taps = ["bench", "--taps", "64", "--shard", "2/3", "--state", state, "--json"]
        let first = try tapwire(taps)
        #expect(first.exitCode == 0)
        #expect(try String(contentsOfFile: state, encoding: .utf8).contains(#""done":[[0,4]]"#))
        let second = try tapwire(taps + ["--cores", "1000"])
        let load = try #require(try second.json()["load"] as? [String: Any])
        #expect((load["results"] as? [String: Int])?.values.reduce(0, +) == 20)
        #expect(load["coreCount"] as? Int == 5)
    }

    @Test(
        "Numbers no run can have are refused, in a report and in a state",
        arguments: [
            (#""failureCount":0"#, #""failureCount":-1"#),
            (#""failureCount":0"#, #""failureCount":3"#),
            (#""coreCount":1"#, #""coreCount":9223372036854775807"#),
            (#""plannedCount":2"#, #""plannedCount":1"#),
            (#""parts":[1]"#, #""parts":[2]"#),
            (#""parts":[1]"#, #""parts":[]"#),
            (#""partCount":1"#, #""partCount":0"#),
            (#""counters":["#, #""counters":[7000,1,"#),
            (#""seconds":"#, #""seconds":-1"#),
            (#""tapsPerSecond":"#, #""tapsPerSecond":-1"#),
            (#""results":{"#, #""results":{"more":9223372036854775807,"#),
            (#""results":{"#, #""results":{"less":-1,"#),
        ]
    )
    func implausible(part: String, wrong: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let state = try scratch.file() + "-state"
        defer { try? FileManager.default.removeItem(atPath: state) }
        let taps = ["bench", "--scheme", "visa", "--taps", "2", "--state", state]
        let report = try tapwire(taps + ["--json"]).output
        let file = try scratch.file(report.replacing(part, with: wrong))
        let merged = try tapwire("bench", "--merge", file)
        #expect(report.contains(part))
        #expect(merged.exitCode == 65, "\(merged.diagnostics)")
        #expect(merged.diagnostics.contains("is not what “tapwire bench --json” prints"))

        let kept = try String(contentsOfFile: state, encoding: .utf8)
        #expect(kept.contains(part))
        try kept.replacing(part, with: wrong).write(
            toFile: state,
            atomically: true,
            encoding: .utf8
        )
        let resumed = try tapwire(taps)
        #expect(resumed.exitCode == 65, "\(resumed.diagnostics)")
        #expect(resumed.diagnostics.contains("is not one of “tapwire bench --state”"))
    }

    @Test("A tap that is not approved is an error that counts")
    func failures() throws {
        let run = try tapwire(
            "bench",
            "--scheme",
            "visa",
            "--taps",
            "2",
            "--amount",
            "80",
            "--json"
        )
        #expect(run.exitCode == 1)
        let load = try #require(try run.json()["load"] as? [String: Any])
        #expect(load["failureCount"] as? Int == 2)
        #expect((load["firstFailure"] as? String)?.hasPrefix("tap 1: ") == true)
    }

    @Test(
        "A wrong command line is one sentence and 64",
        arguments: [
            (["--spend-atc"], "--spend-atc goes with --reader"),
            (["--shard", "1/2"], "--shard goes with --taps"),
            (["--taps", "0"], "--taps needs a whole number from 1"),
            (["--taps", "5", "--shard", "3/2"], "--shard needs a part and the number of parts"),
            (["--taps", "5", "--shard", "1"], "--shard needs a part and the number of parts"),
            (["--taps", "5", "--shard", "0/2"], "--shard needs a part and the number of parts"),
            (["--taps", "5", "--rounds", "5"], "leave out --taps or --rounds"),
            (["--taps", "5", "--blocks", "5"], "leave out --taps or --blocks"),
            (["--blocks", "51"], "--blocks needs a whole number from 1 to 50"),
            (["--rounds", "-1"], "--rounds needs a whole number from 1"),
            (["--fsd", "17"], "--fsd needs one of 16, 24, 32"),
            (["--air", "100"], "unknown value of --air “100”"),
            (["--reader", "0", "--scheme", "visa"], "leave out --scheme: the card in the reader"),
            (["--scheme", "visa", "--profile", "x"], "leave out --scheme or --profile"),
            (["--taps", "5", "--air", "106"], "leave out --taps or --air"),
            (["--taps", "5", "--warm-up", "1"], "leave out --taps or --warm-up"),
            (["--merge", "x", "--reader", "0"], "leave out --merge or --reader"),
            (["--merge", "x", "--amount", "5"], "leave out --merge or --amount"),
            (["--profile", "/dev/zero"], "“/dev/zero” cannot be read for each block anew"),
        ]
    )
    func usage(arguments: [String], message: String) throws {
        let run = try tapwire(["bench"] + arguments)
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.contains(message), "\(run.diagnostics)")
    }

    @Test(
        "A file that is no report is refused before anything is measured",
        arguments: ["", "{}", "[1]", #"{"format":"tapwire bench 2"}"#, #"{"format":2}"#]
    )
    func badReport(text: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.file(text)
        for option in ["--compare", "--merge"] {
            let run = try tapwire("bench", option, file)
            #expect(run.exitCode == 65)
            #expect(run.diagnostics.contains("is not what “tapwire bench --json” prints"))
        }
    }

    @Test("A report of the form without blocks is told apart")
    func earlierReport() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.file(#"{"format":"tapwire bench 1","cards":[]}"#)
        let run = try tapwire("bench", "--compare", file)
        #expect(run.exitCode == 65)
        #expect(
            run.diagnostics.contains("is of an earlier tapwire, which did not measure in blocks")
        )
    }

    @Test(
        "Blocks no benchmark can have are refused",
        arguments: [
            (#""p10":"#, #""p10":-"#), (#""p50":"#, #""p50":1e99,"p51":"#),
            (#""blocks":[{"#, #""blocks":[{"p10":1,"p50":1,"p99":1},{"#),
            (#""clockNanoseconds":"#, #""clockNanoseconds":-1"#),
        ]
    )
    func implausibleBlocks(part: String, wrong: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let bench = ["bench", "--scheme", "visa", "--rounds", "2", "--json"]
        let report = try tapwire(bench).output
        let end = try #require(report.range(of: part)).upperBound
        let file = try scratch.file(
            String(report[..<end]).replacing(part, with: wrong) + String(report[end...])
        )
        let run = try tapwire("bench", "--compare", file)
        #expect(run.exitCode == 65)
        #expect(run.diagnostics.contains("is not what “tapwire bench --json” prints"))
    }
}

@Suite("The radio's timeline of tapwire tap")
struct TimelineTests {
    @Test("A tap shows what the radio would take, and faster rates take less")
    func rates() throws {
        func field(_ options: [String]) throws -> Int {
            let run = try tapwire(
                [
                    "tap", "--card-trace", "Vectors/traces/visa-offline.trace", "--ca-keys",
                    "Vectors/ca-keys/schemes.json", "--json",
                ] + options
            )
            let timings = try #require(try run.json()["timings"] as? [String: Any])
            let radio = try #require(timings["radio"] as? [String: Any])
            let rows = try #require(radio["rows"] as? [[String: Any]])
            return rows.reduce(0) { $0 + ($1["radioNanoseconds"] as? Int ?? 0) }
        }
        let usual = try field([])
        #expect(try field(["--air", "424"]) < usual)
        #expect(try field(["--fsd", "32"]) > usual)
    }

    @Test("The picture is XML and has a row for each exchange", arguments: ["visa", "mastercard"])
    func picture(scheme: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.file()
        let run = try tapwire("tap", "--scheme", scheme, "--amount", "80", "--svg", file)
        #expect(run.output.contains("ms in the field over 106 kbit/s"))
        let text = try scratch.text(file)
        #expect(XMLParser(data: Data(text.utf8)).parse())
        for title in ["activation", "SELECT 2PAY.SYS.DDF01", "GET PROCESSING OPTIONS", "issuer"] {
            #expect(text.contains(">\(title)"), "\(text)")
        }
        let itself = try tapwire("tap", "--profile", file, "--amount", "1", "--svg", file)
        #expect(itself.exitCode == 64)
        #expect(itself.diagnostics.contains("would overwrite the file of --profile"))
    }

    @Test("The page has a row for each exchange within its width")
    func page() throws {
        let run = try tapwire("tap", "--scheme", "mastercard", "--amount", "5", "--fsd", "64")
        #expect(run.output.contains("ms in the field over 106 kbit/s, frames of 64 bytes:"))
        #expect(run.output.contains("          activation  "))
        #expect(run.output.contains("          READ RECORD 2, SFI 3  "))
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
}
