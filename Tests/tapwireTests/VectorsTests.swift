import Foundation
import TestSupport
import Testing

/// Runs the program on files and checks how it ends.
private func vectors(_ arguments: String...) throws -> Run { try tapwire(["vectors"] + arguments) }

@Suite("tapwire vectors")
struct VectorsTests {
    /// A file of Vectors/ with something changed, as a file of its own.
    private func changed(
        _ scratch: borrowing ScratchFolder,
        _ old: String,
        _ new: String
    ) throws -> String {
        let text = try RepositoryFile.text("Vectors/paddings.json")
        let other = text.replacing(old, with: new, maxReplacements: 1)
        try #require(other != text)
        return try scratch.file(other, "paddings.json")
    }

    @Test("A good file passes with a line for the family and the sum")
    func good() throws {
        let run = try vectors("Vectors/paddings.json")
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        #expect(
            run.output == """
                family    passed  failed  flagged  doubtful
                paddings       9       0        0         0

                9 passed, 0 failed

                """
        )
    }

    @Test("The built-in set passes whole, and every family has a file")
    func builtIn() throws {
        let run = try vectors()
        #expect(run.exitCode == 0)
        #expect(run.output.hasSuffix(" passed, 0 failed\n"))
        let names = try FileManager.default.contentsOfDirectory(
            atPath: RepositoryFile.root.appending(path: "Vectors").path()
        )
        let families = names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
        let lines = run.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        for family in families { #expect(lines.contains(family[...]), "\(family)") }
    }

    @Test("A wrong value fails with what was expected and what came")
    func failing() throws {
        let scratch = try ScratchFolder()
        let path = try changed(scratch, "1234000000000000", "1234000000000001")
        let run = try vectors(path)
        #expect(run.exitCode == 1)
        #expect(run.output.contains("paddings       8       1        0         0"))
        #expect(
            run.output.contains(
                """
                FAILED    paddings pad1-1234-8: method 1, blocks of 8
                expected  padded 1234000000000001
                got       padded 1234000000000000
                """
            )
        )
        #expect(run.output.hasSuffix("\n8 passed, 1 failed\n"))
    }

    @Test("A folder stands for its files")
    func folder() throws {
        let scratch = try ScratchFolder()
        _ = try changed(scratch, "1234000000000000", "1234000000000001")
        _ = try scratch.file(RepositoryFile.text("Vectors/aes.json"), "aes.json")
        _ = try scratch.file("not read", "notes.txt")
        let run = try vectors(scratch.path)
        #expect(run.exitCode == 1)
        #expect(run.output.hasSuffix("\n16 passed, 1 failed\n"))
        let empty = try ScratchFolder()
        let none = try vectors(empty.path)
        #expect(none.exitCode == 65)
        #expect(none.diagnostics.contains("has no .json file"))
    }

    @Test("A broken file is told with file, case and reason")
    func broken() throws {
        let scratch = try ScratchFolder()
        let path = try changed(scratch, "\"message\": \"1234\"", "\"message\": \"123\"")
        let run = try vectors("Vectors/aes.json", path)
        #expect(run.exitCode == 65)
        #expect(run.output.isEmpty)
        #expect(
            run.diagnostics
                == "tapwire: vector file “\(path)”, case “pad1-1234-8”, input.message: has an odd number of "
                + "hexadecimal digits, 3; Vectors/README.md describes the format\n"
        )
        let cut = try scratch.file("{\"family\":", "cut.json")
        let second = try vectors(cut)
        #expect(second.exitCode == 65)
        #expect(second.diagnostics.contains("is not JSON: line 1, column 11: a value is missing"))
        #expect(try vectors("/nonexistent.json").exitCode == 65)
    }

    @Test(
        "What is wrong with the command line is said",
        arguments: [
            (["--shard", "0/2"], "a part such as 2/4"), (["--shard", "3/2"], "a part such as 2/4"),
            (["--shard", "1"], "a part such as 2/4"),
            (["Vectors/aes.json", "--filter", "no-such-case"], "no case is meant"),
            (["--scheme", "visa", "--reader", "0"], "--scheme and --reader both choose a card"),
            (["--spend-atc"], "--spend-atc is for the card in a reader"),
            (["--scheme", "visa", "--unmask"], "--unmask is for the card in a reader"),
            (["--scheme", "visa", "Vectors/aes.json"], "no case is meant"),
            (
                ["Vectors/aes.json", "--junit", "Vectors/aes.json"],
                "would overwrite a file that is read"
            ),
            (["--list", "--junit", "nowhere.xml"], "--list runs nothing"),
            (["--show", "aes", "--junit", "nowhere.xml"], "--show runs nothing"),
            (["--show", "aes", "--list"], "--list plays no part"),
            (["--show", "aes", "--filter", "a"], "--filter plays no part"),
            (["--show", "aes", "--shard", "1/2"], "--shard plays no part"),
            (["--show", "aes", "Vectors"], "a PATH plays no part"),
        ]
    )
    func usage(arguments: [String], message: String) throws {
        let run = try tapwire(["vectors"] + arguments)
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.contains(message), "\(run.diagnostics)")
    }

    @Test("Without pcscd a reader is not there")
    func noReader() throws {
        let run = try vectors("Vectors/card-tests.json", "--reader", "0")
        #expect(run.exitCode == 69)
        #expect(run.output.isEmpty)
    }

    @Test("A filter looks at families and cases")
    func filter() throws {
        let family = try vectors("--filter", "AES-keys", "--list")
        #expect(family.output.split(separator: "\n").count == 24)
        let cases = try vectors("--filter", "cmac", "--list", "Vectors/aes.json")
        #expect(cases.exitCode == 0)
        for line in cases.output.split(separator: "\n") { #expect(line.hasPrefix("aes  aes-cmac")) }
    }

    @Test("Shards are disjoint and make up the whole", arguments: [1, 2, 3, 7, 50])
    func shards(count: Int) throws {
        let files = ["Vectors/paddings.json", "Vectors/aes.json", "Vectors/card-tests.json"]
        func list(_ more: String...) throws -> [String] {
            let run = try tapwire(["vectors", "--list", "--json"] + more + files)
            let cases = try #require(run.json()["cases"] as? [[String: Any]])
            return cases.map { "\($0["family"] ?? "") \($0["id"] ?? "") \($0["card"] ?? "")" }
        }
        let whole = try list()
        var parts: [String] = []
        for index in 1...count {
            let part = try list("--shard", "\(index)/\(count)")
            #expect(part == part.filter(whole.contains))
            #expect(abs(part.count - whole.count / count) <= 1)
            parts += part
        }
        #expect(parts.sorted() == whole.sorted())
        #expect(Set(parts).count == parts.count)
    }

    @Test("The program prints its file of a family")
    func show() throws {
        let run = try vectors("--show", "aes")
        #expect(run.exitCode == 0)
        #expect(try run.output == RepositoryFile.text("Vectors/aes.json"))
        let unknown = try vectors("--show", "aess")
        #expect(unknown.exitCode == 64)
        #expect(unknown.diagnostics.contains("did you mean aes?"))
    }

    @Test("JSON has every case and how it went")
    func json() throws {
        let scratch = try ScratchFolder()
        let path = try changed(scratch, "1234000000000000", "1234000000000001")
        let run = try vectors(path, "Vectors/card-verification-values.json", "--json")
        #expect(run.exitCode == 1)
        let values = try run.json()
        #expect(values["passed"] as? Int == 30 && values["failed"] as? Int == 1)
        let families = try #require(values["families"] as? [[String: Any]])
        #expect(
            families.map { $0["family"] as? String } == ["paddings", "card-verification-values"]
        )
        #expect(families[1]["doubtful"] as? Int == 2)
        let cases = try #require(families[0]["cases"] as? [[String: Any]])
        #expect(cases.count == 9)
        let failed = try #require(cases.first { $0["verdict"] as? String == "failed" })
        #expect(failed["expected"] as? String == "padded 1234000000000001")
        #expect(failed["got"] as? String == "padded 1234000000000000")
        let list = try vectors(path, "--json", "--list").json()["cases"] as? [[String: Any]]
        #expect(list?.count == 9)
        #expect(list?[0]["verdict"] == nil)
    }

    @Test("A JUnit report is XML with every case")
    func junit() throws {
        let scratch = try ScratchFolder()
        let path = try changed(scratch, "\"id\": \"pad1-1234-8\"", "\"id\": \"<&\\\"\\u0001>\"")
        let report = scratch.path + "/report.xml"
        let run = try vectors(path, "--junit", report)
        #expect(run.exitCode == 0)
        let text = try String(contentsOfFile: report, encoding: .utf8)
        #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "))
        #expect(
            text.contains("<testsuite name=\"paddings\" tests=\"9\" failures=\"0\" skipped=\"0\">")
        )
        #expect(text.contains("name=\"&lt;&amp;&quot;?&gt;\"/>"))
        let elements = text.split(separator: "\n").count { $0.contains("<testcase ") }
        #expect(elements == 9)
    }

    @Test("A doubtful case is run and told")
    func doubtful() throws {
        let run = try vectors("Vectors/card-verification-values.json")
        #expect(run.exitCode == 0)
        #expect(
            run.output.contains(
                "doubtful  card-verification-values amex-csc-v1-201, amex-csc-v1-000\n          The digits are those"
            )
        )
    }

    @Test("Card tests run on each built-in card, or on one")
    func cardTests() throws {
        let both = try vectors("Vectors/card-tests.json", "--list").output
        #expect(both.contains("select-ppse (visa)") && both.contains("select-ppse (mastercard)"))
        let visa = try vectors("--scheme", "visa", "--list").output
        #expect(visa.contains("visa-gpo-online") && !visa.contains("mastercard"))
        let run = try vectors("--scheme", "mastercard")
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("family      passed  failed  flagged  doubtful\ncard-tests"))
    }

    @Test("Card tests run on the card of a profile")
    func profiles() throws {
        let scratch = try ScratchFolder()
        let profile = try tapwire("profile", "--scheme", "visa").output
            .replacing("\"VISA CREDIT\"", with: "\"VISA DEBIT\"")
        let path = try scratch.file(profile, "profile.json")
        let general = try vectors("--profile", path)
        #expect(general.exitCode == 0)
        #expect(!general.output.contains("doubtful  "))
        let whole = try vectors(
            "--profile",
            path,
            "Vectors/card-tests.json",
            "--filter",
            "visa-select"
        )
        #expect(whole.exitCode == 1)
        #expect(whole.output.contains("expected  6F/A5/50 5649534120435245444954"))
        #expect(whole.output.contains("got       56495341204445424954"))
    }
}

/// A folder for a test's files that is gone with it.
private struct ScratchFolder: ~Copyable {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    deinit { scratch.remove() }

    var path: String { scratch.url.path }

    /// Writes a file of a name.
    func file(_ text: String, _ name: String) throws -> String {
        let file = scratch.url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
