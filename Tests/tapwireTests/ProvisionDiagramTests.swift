import Foundation
import TestSupport
import Testing

/// How wide texts are in DejaVu Sans, the widest of the usual fonts: advances of its `hmtx` table, in hundredths of the size.
private enum DejaVuSans {
    private static let book: [(Int, String)] = [
        (27, "'"), (28, "ijl"), (29, "IJ"), (32, " ,."), (34, "/:;\\|"), (35, "f"), (36, "-"),
        (39, "()[]t"), (40, "!"), (41, "r"), (46, "\""), (50, "*_`"), (52, "sz“”"), (53, "?"),
        (55, "c"), (56, "L"), (58, "Fk"), (59, "vxy"), (60, "P"), (61, "TYao"), (62, "e"),
        (63, "ESbdghnpquµ"), (64, "$0123456789{}"), (66, "K"), (68, "AV"), (69, "BRXZ"),
        (70, "C"), (73, "U"), (75, "HN"), (77, "DG"), (78, "&"), (79, "OQ"), (82, "w"),
        (84, "#+<=>^~"), (86, "M"), (95, "%"), (97, "m"), (99, "W"), (100, "@…"),
    ]
    private static let bold: [(Int, String)] = [
        (31, "'"), (34, "ijl"), (35, " "), (37, "/IJ\\|"), (38, ",."), (40, ":;"), (42, "-"),
        (44, "f"), (46, "!()[]"), (48, "t"), (49, "r"), (50, "_`"), (52, "\"*"), (58, "?z"),
        (59, "c"), (60, "s"), (64, "L"), (65, "vxy"), (67, "ak"), (68, "EFTe"), (69, "o"),
        (70, "$0123456789"), (71, "hnu{}"), (72, "SYbdgpq"), (73, "CPZ"), (76, "B"),
        (77, "AKRVX"), (81, "U"), (82, "G"), (83, "D"), (84, "#+<=>HN^~"), (85, "OQ"),
        (87, "&"), (92, "w"), (100, "%@M"), (104, "m"), (110, "W"),
    ]

    static func width(_ text: String, size: Int, isBold: Bool) throws -> Double {
        try text.reduce(0) { sum, character in
            let entry = (isBold ? bold : book).first { $0.1.contains(character) }
            return sum + Double(try #require(entry, "no width of \(character)").0 * size) / 100
        }
    }
}

@Suite("The sequence diagram", .timeLimit(.minutes(5)))
struct ProvisionDiagramTests {
    private struct Label {
        var x: Int
        var y: Int
        var right: Double
        var text: String
    }

    private func read(_ svg: String) throws -> (width: Int, labels: [Label]) {
        let width = try #require(svg.firstMatch(of: /<svg [^>]*width="(\d+)"/)?.1)
        let pattern =
            /<text x="(\d+)" y="(\d+)" text-anchor="(\w+)"[^>]*style="font: (bold )?(\d+)px[^"]*">([^<]*)</
        var labels: [Label] = []
        for match in svg.matches(of: pattern) {
            let x = try #require(Int(match.1))
            let text = [
                ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
            ].reduce(String(match.6)) { $0.replacing($1.0, with: $1.1) }
            let size = try #require(Int(match.5))
            let width = try DejaVuSans.width(text, size: size, isBold: match.4 != nil)
            let right = Double(x) + (match.3 == "middle" ? width / 2 : width)
            let y = try #require(Int(match.2))
            labels.append(Label(x: x, y: y, right: right, text: text))
        }
        return (try #require(Int(width)), labels)
    }

    @Test("No text is wider than the picture, however long it is, and none lies on another")
    func overruns() throws {
        let long = String(repeating: "a server that says quite a lot of things ", count: 12)
        let word = String(repeating: "Wm", count: 300)
        for (route, call) in [
            ("manual", "authorizeService"), ("in-app", "authorizeService"),
            ("extension", "authorizeService"), ("extension", "logIn"), ("in-app", "cards"),
        ] {
            for message in ["", long, word] {
                let wallet = try ProvisionRuns()
                let diagram = try wallet.scratch.file()
                let party =
                    message.isEmpty
                    ? ""
                    : """
                    {"party": "issuerServer", "call": "\(call)", "failWithStatus": 500,
                     "message": "\(message)"}
                    """
                _ = try wallet.scenario(
                    """
                    {"route": "\(route)", "decision": "yellow", "activate": true,
                     "events": [{"event": "suspend"}], "parties": [\(party)]}
                    """,
                    "--diagram",
                    diagram
                )
                let (width, labels) = try read(try wallet.scratch.text(diagram))
                #expect(labels.count > 6)
                for label in labels {
                    #expect(label.right <= Double(width), "\(route) \(call): \(label.text)")
                }
                // Labels of the same row stand beside each other.
                for (index, label) in labels.enumerated() {
                    for other in labels[..<index] where other.y == label.y {
                        #expect(
                            other.right <= Double(label.x) || label.right <= Double(other.x)
                                || label.y < 90,
                            "\(other.text) lies on \(label.text)"
                        )
                    }
                }
            }
        }
    }
}
