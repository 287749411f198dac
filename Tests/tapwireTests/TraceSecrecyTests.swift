import Foundation
import TestSupport
import Testing

/// What no command may print of a recorded card that is not public.
@Suite("tapwire trace keeps the cardholder to itself")
struct TraceSecrecyTests {
    private static let traces =
        (try? FileManager.default.contentsOfDirectory(
            atPath: RepositoryFile.root.appending(path: "Vectors/traces").path
        )) ?? []

    @Test("There are recordings to look at")
    func count() { #expect(Self.traces.count > 40) }

    @Test("A replay shows no number of a card that is not public", arguments: traces)
    func replay(name: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let card = try PrivateRecording(name)
        let file = try scratch.file(card.text)
        let written = try scratch.file()
        let asReader = [
            "--as", "reader", "--scheme", "visa", "--spend-atc", "--keep-going", "--trace", written,
        ]
        let asCard = [
            ["--amount", "1", "--date", "2020-01-01"], ["--amount", "1"], ["--date", "2020-01-01"],
            [],
        ]
        for json in [[], ["--json"]] {
            for more in [asReader] + asCard {
                let run = try tapwire(["trace", "replay", file] + more + json)
                for secret in card.secrets {
                    #expect(!run.output.contains(secret), "\(more) \(json)")
                    #expect(!run.diagnostics.contains(secret), "\(more) \(json)")
                }
            }
        }
        let text = try scratch.text(written)
        for secret in card.secrets { #expect(!text.contains(secret)) }
    }

    @Test(
        "An account number in a header is masked wherever the header is shown",
        arguments: [
            ["trace", "replay"],
            ["trace", "replay", "--as", "reader", "--scheme", "visa", "--spend-atc"],
            ["trace", "page"], ["trace", "import"], ["tap", "--card-trace"],
        ]
    )
    func header(command: [String]) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let number = "4992739871640004"
        let text = try PrivateRecording("visa-debit-1.trace").text
            .replacing(#/# source: .*/#, with: "# source: card \(number)\n# masked: not \(number)")
        let file = try scratch.file(text)
        let words =
            command.first == "tap"
            ? command + [file] : Array(command.prefix(2)) + [file] + command.dropFirst(2)
        for more in [[], ["--date", "2024-01-01", "--amount", "1"]] {
            let run = try tapwire(words + more)
            #expect(!run.output.contains(number) && !run.diagnostics.contains(number))
        }
        let capture = try scratch.file()
        #expect(try tapwire("trace", "export", file, "--pcapng", capture).exitCode == 0)
        #expect(try Data(contentsOf: URL(filePath: capture)).range(of: Data(number.utf8)) == nil)
    }

    @Test("Nothing that a trace says steers the terminal")
    func controls() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let text = try RepositoryFile.text("Vectors/traces/visa-offline.trace")
        let evil = "a\u{1B}]0;owned\u{7}b\u{9B}31m\u{202E}"
        let file = try scratch.file(text.replacing(#/# source: .*/#, with: "# source: \(evil)"))
        let wrong = try [
            text.replacing("# source: ", with: "# \(evil): "),
            "# tapwire trace 1\n> 00A40400\n! \(evil)\n",
        ].map { try scratch.file($0) }
        for words in [[file], [wrong[0]], [wrong[1]], ["/none\(evil)"]] {
            for command in [["trace", "replay"], ["trace", "page"], ["trace", "import"]] {
                let run = try tapwire(command + words)
                for scalar in (run.output + run.diagnostics).unicodeScalars {
                    let category = scalar.properties.generalCategory
                    #expect(
                        scalar == "\n" || (category != .control && category != .format),
                        "\(command) \(run.diagnostics)"
                    )
                }
            }
        }
    }

    @Test("A trace that could not be written was not imported")
    func importToFullDisk() throws {
        let run = try tapwire("trace", "import", "Vectors/logs/pcscd.txt", "--output", "/dev/full")
        #expect(run.exitCode == 65)
        #expect(
            run.diagnostics
                == "tapwire: trace file “/dev/full” cannot be written: the disk is full; make room or name another "
                + "place\n"
        )
        let folder = try tapwire("trace", "import", "Vectors/logs/pcscd.txt", "--output", "/tmp")
        #expect(folder.exitCode == 65)
        #expect(
            folder.diagnostics == "tapwire: trace file “/tmp” is a directory; name a file in it\n"
        )
    }
}

/// A recording of the repository as if it were of somebody's card.
struct PrivateRecording {
    private(set) var text: String
    /// What stands in it that nobody may see: account numbers as digits and as characters, ends of tracks.
    private(set) var secrets: Set<String> = []

    init(_ name: String) throws {
        text = try RepositoryFile.text("Vectors/traces/\(name)")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("# public-card:") && !$0.hasPrefix("# masked:") }
            .joined(separator: "\n")
        let tracks = text.matches(of: #/(?:57|9F6B)1[0-9A-F]([0-9]{13,19})D([0-9]{7,17})/#)
        // 9F5A is no account number.
        let fields = text.matches(of: #/(..)5A08([0-9]{16})/#).filter { $0.output.1 != "9F" }
        for number in Set(tracks.map(\.output.1) + fields.map(\.output.2)) {
            let other = Self.other(number)
            text = text.replacing(number, with: other)
                .replacing(Self.characters(number), with: Self.characters(other))
            secrets.formUnion([other, Self.characters(other)])
        }
    }

    /// Another account number of the same issuer, its check digit right.
    private static func other(_ number: Substring) -> String {
        let start = number.prefix(6) + "7319264850731".prefix(number.count - 7)
        let digits = start.reversed().compactMap(\.wholeNumberValue)
        let sum = digits.enumerated().map { place, digit in
            place.isMultiple(of: 2) ? digit * 2 / 10 + digit * 2 % 10 : digit
        }.reduce(0, +)
        return start + "\((10 - sum % 10) % 10)"
    }

    private static func characters(_ digits: some StringProtocol) -> String {
        digits.map { "3\($0)" }.joined()
    }
}
