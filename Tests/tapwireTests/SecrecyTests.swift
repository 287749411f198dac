import Foundation
import TestSupport
import Testing

/// What a program must not say by accident, and must not keep to itself.
@Suite("Output that leaks or is lost")
struct SecrecyTests {
    private static let number = "5413330089600010"

    /// A card that is not public and asks in its CDOL1 for its own account number.
    private func curiousProfile() throws -> String {
        let text = try RepositoryFile.text("Sources/Profiles/Resources/mastercard.json")
            .replacing("\"public\": true", with: "\"public\": false")
        let list = try #require(text.firstMatch(of: /"cdol1": "([^"]*)"/))
        return text.replacing(list.output.0, with: "\"cdol1\": \"\(list.output.1) 5A08\"")
    }

    @Test(
        "A recording of a card that asks for its own account number runs again",
        arguments: [[], ["--unmask"]]
    )
    func ownData(more: [String]) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let profile = try scratch.file(curiousProfile())
        let trace = try scratch.file()
        let payment = ["tap", "--profile", profile, "--amount", "12.34", "--trace", trace]
        #expect(try tapwire(payment + more).exitCode == 0)
        let again = try tapwire("tap", "--card-trace", trace)
        #expect(again.exitCode == 2, "\(again.output)\(again.diagnostics)")
    }

    @Test("Commands that differ from a recording are masked like everything else")
    func deviation() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let profile = try scratch.file(curiousProfile())
        let trace = try scratch.file()
        let payment = ["tap", "--profile", profile, "--amount", "12.34", "--trace", trace]
        #expect(try tapwire(payment + ["--unmask"]).exitCode == 0)

        // The recording now says that the cryptogram was asked for where the first record was.
        let text = try scratch.text(trace)
        let lines = text.split(separator: "\n")
        let record = try #require(lines.first { $0.hasPrefix("> 00B2") })
        let cryptogram = try #require(lines.first { $0.hasPrefix("> 80AE") })
        #expect(cryptogram.contains(Self.number))
        let changed = try scratch.file(text.replacing(record, with: cryptogram))

        let run = try tapwire("tap", "--card-trace", changed, "--amount", "12.34")
        #expect(run.exitCode == 1)
        #expect(run.diagnostics.contains("was recorded as 80AE"))
        #expect(!run.diagnostics.contains(Self.number))
        #expect(!run.output.contains(Self.number))
    }

    @Test(
        "A mistyped secret is not repeated",
        arguments: [
            ["kcv", "--key", "0123456789ABCDEFFEDCBA987654321x"],
            ["pin-block", "--format", "0", "--pin", "12345x", "--pan", "4761739001010010"],
            ["pin-block", "--format", "0", "--pin", "1234", "--pan", "476173900101001x"],
        ]
    )
    func mistyped(words: [String]) throws {
        let run = try tapwire(["crypto"] + words)
        #expect(run.exitCode == 64)
        for word in words where word.hasSuffix("x") {
            #expect(!run.diagnostics.contains(word.dropLast()))
        }
    }

    @Test(
        "Output that cannot be written is an error",
        arguments: [["--help"], ["profile", "--terminal"]]
    )
    func fullDisk(words: [String]) throws {
        let run = try tapwire(words, device: "/dev/full")
        #expect(run.exitCode == 65)
        #expect(run.diagnostics.hasPrefix("tapwire: the output cannot be written"))
    }
}
