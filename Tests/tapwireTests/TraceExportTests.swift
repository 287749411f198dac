import Foundation
import TestSupport
import Testing

@Suite("tapwire trace import, export and page")
struct TraceExportTests {
    @Test("A log becomes a trace, masked, and the trace is one for the other commands")
    func imported() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let log = "Vectors/logs/pcscd.txt"
        let run = try tapwire("trace", "import", log)
        #expect(run.exitCode == 0)
        #expect(run.diagnostics == "7 exchanges from a log of pcscd\n")
        #expect(run.output.hasPrefix("# tapwire trace 1\n# source: a log of pcscd\n# masked: "))
        #expect(!run.output.contains("5413330089600010"))
        let file = try scratch.file()
        let open = try tapwire("trace", "import", log, "--unmask", "--output", file)
        #expect(open.exitCode == 0 && open.output.isEmpty)
        #expect(try scratch.text(file).contains("5413330089600010"))
        let replay = try tapwire(
            "trace",
            "replay",
            file,
            "--as",
            "reader",
            "--scheme",
            "mastercard"
        )
        #expect(replay.exitCode == 0, "\(replay.output)")
        let terminal = try tapwire(
            "trace",
            "replay",
            file,
            "--amount",
            "12.34",
            "--date",
            "2026-11-30"
        )
        #expect(terminal.exitCode == 64 && terminal.diagnostics.contains("leave out --amount"))
    }

    @Test("What is no log is told")
    func noLog() throws {
        for (file, sentence) in [
            ("Package.swift", "there are no commands and responses in it"),
            ("/nonexistent", "does not exist"),
        ] {
            let run = try tapwire("trace", "import", file)
            #expect(run.exitCode == 65)
            #expect(run.diagnostics.contains(sentence))
        }
    }

    @Test("A log that may be cut off is told, and a trace that is is refused")
    func cutOff() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let log = try RepositoryFile.text("Vectors/logs/pcscd.txt")
        let cut = try #require(log.range(of: "SW: 6F 1F 84 07"))
        let file = try scratch.file(String(log[..<cut.upperBound]))
        let run = try tapwire("trace", "import", file)
        #expect(run.exitCode == 0)
        #expect(
            run.diagnostics
                == "2 exchanges from a log of pcscd; the last line has no end, so that bytes may be missing\n"
        )
        let trace = try RepositoryFile.text("Vectors/traces/visa-offline.trace")
        for count in [1, 2, 10, 11, 200] {
            let file = try scratch.file(String(trace.dropLast(count)))
            for command in [
                ["trace", "replay"], ["trace", "import"], ["trace", "page"],
                ["read", "--card-trace"],
                ["tap", "--card-trace"],
            ] {
                let run = try tapwire(command + [file])
                #expect(run.exitCode == 65 && run.output.isEmpty, "\(command) \(count)")
                #expect(run.diagnostics.contains(", line "), "\(run.diagnostics)")
            }
        }
    }

    @Test("An export needs its file, and never writes over the trace")
    func exportUsage() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.file(try RepositoryFile.text("Vectors/traces/visa-offline.trace"))
        let nowhere = try tapwire("trace", "export", file)
        #expect(nowhere.exitCode == 64)
        #expect(nowhere.diagnostics.contains("export needs --pcapng"))
        for command in [["export", file, "--pcapng", file], ["page", file, "--output", file]] {
            let run = try tapwire(["trace"] + command)
            #expect(run.exitCode == 64)
            #expect(run.diagnostics.contains("would overwrite"))
        }
        let capture = try scratch.file()
        #expect(try tapwire("trace", "export", file, "--pcapng", capture).exitCode == 0)
        let bytes = try Data(contentsOf: URL(filePath: capture))
        #expect(bytes.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]))
    }

    @Test("Neither a capture nor a page shows a number that is not public")
    func masked() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let trace = try scratch.file()
        let log = "Vectors/logs/pcscd.txt"
        #expect(try tapwire("trace", "import", log, "--unmask", "--output", trace).exitCode == 0)
        let number = "5413330089600010"
        for (more, isShown) in [([], false), (["--unmask"], true)] {
            let page = try tapwire(["trace", "page", trace] + more)
            #expect(page.exitCode == 0)
            #expect(page.output.contains(number) == isShown)
            #expect(page.output.contains("Masked:") != isShown)
            let capture = try scratch.file()
            #expect(
                try tapwire(["trace", "export", trace, "--pcapng", capture] + more).exitCode == 0
            )
            let bytes = try Data(contentsOf: URL(filePath: capture))
            #expect((bytes.range(of: Data(number.utf8)) != nil) == isShown)
            #expect(
                (bytes.range(of: Data([0x54, 0x13, 0x33, 0x00, 0x89, 0x60])) != nil) == isShown
            )
        }
    }

    @Test("A page has what was exchanged and loads nothing")
    func page() throws {
        let run = try tapwire("trace", "page", "Vectors/traces/mastercard-offline.trace")
        #expect(run.exitCode == 0)
        for part in [
            "<!DOCTYPE html>", "default-src &#39;none&#39;", "SELECT 2PAY.SYS.DDF01",
            "Signed Dynamic Application Data", "id=\"x9\"", "href=\"#x9\"",
        ] {
            #expect(
                run.output.contains(part.replacing("&#39;", with: "'")),
                "\(part)"
            )
        }
        for word in ["<script", "http://", "https://", "src=", "url(", "@import", "onload"] {
            #expect(!run.output.contains(word), "\(word)")
        }
        let opened = run.output.matches(of: #/<(section|ul|li|div|details|table|dl)[ >]/#).count
        let closed = run.output.matches(of: #/<\/(section|ul|li|div|details|table|dl)>/#).count
        #expect(opened == closed)
    }

    @Test("Amounts are in the currency that the card was told")
    func currency() throws {
        let path = "Vectors/traces/visa-offline.trace"
        let page = try tapwire("trace", "page", path)
        #expect(page.output.contains("<title>Tap of 2.00 USD on 2019-08-19</title>"))
        #expect(!page.output.contains("EUR"))
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.file()
        let pay = [
            "tap", "--scheme", "visa", "--amount", "2", "--currency", "JPY", "--trace", file,
        ]
        #expect(try tapwire(pay).exitCode == 0)
        let replay = try tapwire("trace", "replay", file, "--as", "reader", "--scheme", "visa")
        #expect(replay.output.contains("9F02 Amount, Authorised (Numeric)  000000000002  2 JPY\n"))
    }

    @Test("What a trace says is never markup")
    func injection() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let evil = "</title><script>alert(1)</script>\u{202E}\u{7}\"'&amp;"
        // An application label (50) with markup in it.
        let label = "3C696D67207372633D78206F6E6572726F723D616C6572742831293E"
        let file = try scratch.file(
            """
            # tapwire trace 1
            # source: \(evil)
            # note: \(evil)
            > 00A4040007A000000003101000
            < 6F298407A0000000031010A51E501C\(label)9000

            """
        )
        let run = try tapwire("trace", "page", file)
        #expect(run.exitCode == 0)
        #expect(!run.output.contains("<script") && !run.output.contains("<img"))
        #expect(
            run.output.contains(
                "&lt;script&gt;alert(1)&lt;/script&gt;\u{FFFD}\u{FFFD}&quot;&#39;&amp;amp;"
            )
        )
        #expect(run.output.contains("&lt;img src=x onerror=alert(1)&gt;"))
        #expect(!run.output.contains("\u{202E}"))
    }
}
