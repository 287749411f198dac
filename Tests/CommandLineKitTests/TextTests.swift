import Foundation
import Testing

@testable import CommandLineKit

@Suite("Text")
struct TextTests {
    @Test("Lines break at spaces and long words stand alone")
    func wrapping() {
        #expect(TextWrapping.wrap("one two three", width: 7) == ["one two", "three"])
        #expect(
            TextWrapping.wrap("unbreakable is long", width: 4) == ["unbreakable", "is", "long"]
        )
        #expect(TextWrapping.wrap("", width: 4) == [])
    }

    @Test("Hexadecimal text is chopped anywhere")
    func chopping() {
        #expect(TextWrapping.chop("0011223", width: 4) == ["0011", "223"])
        #expect(TextWrapping.chop("0011", width: 4) == ["0011"])
        #expect(TextWrapping.chop("", width: 4) == [])
    }

    @Test("Columns are as wide as their widest cell")
    func table() {
        var table = TextTable([.leading, .trailing])
        table.append("a", "1")
        table.append("long", "12345", "tail")
        table.append("b")
        #expect(table.lines == ["a         1", "long  12345  tail", "b"])
        #expect(TextTable().lines == [])
        var hostile = TextTable()
        hostile.append("a\nb", "\u{1B}[2J")
        hostile.append("c", "d")
        #expect(hostile.lines == [#"a\nb  \u{1B}[2J"#, "c     d"])
    }

    @Test(
        "Nothing that others have written steers the terminal, and styles stay where there are any"
    )
    func steering() {
        let hostile =
            "\u{1B}]0;me\u{7}\u{9B}31m\u{1B}[2J\r\u{8}\u{7F}\u{202E}\u{2028}\u{200D}\u{AD}\u{E0001}"
        let harmless =
            #"\u{1B}]0;me\u{07}\u{009B}31m\u{1B}[2J\r\u{08}\u{7F}\u{202E}\u{2028}\u{200D}\u{00AD}\u{000E0001}"#
        let styled = "a\n\u{1B}[1mb\u{1B}[0m\t\u{1B}[36m“µ”\u{1B}[0m"
        #expect((styled + hostile).shown(isStyled: true) == styled + harmless)
        #expect(
            (styled + hostile).shown(isStyled: false)
                == #"a\#n\u{1B}[1mb\u{1B}[0m\#t\u{1B}[36m“µ”\u{1B}[0m"# + harmless
        )
        // No style of ours, though it begins like one.
        #expect("\u{1B}[3m\u{1B}[".shown(isStyled: true) == #"\u{1B}[3m\u{1B}["#)
        #expect("a\r\nb".shown(isStyled: true) == #"a\r\#nb"#)
        for plain in ["", "two\nlines", "naïve € 😀"] {
            #expect(plain.shown(isStyled: false) == plain)
        }
    }
}

@Suite("JSON")
struct JSONTests {
    /// Every kind of value, and every character that must be escaped.
    private let value: JSONValue = [
        "zeta": 1, "alpha": [true, nil, [:], []],
        "text": "a\"\\\n\t\u{1}é\u{1F600}\u{7F}\u{9B}\u{202E}\u{E0001}",
        "least": .integer(.min),
    ]

    @Test("Members keep their order")
    func order() {
        #expect(
            value.text == """
                {
                  "zeta": 1,
                  "alpha": [
                    true,
                    null,
                    {},
                    []
                  ],
                  "text": "a\\"\\\\\\n\\t\\u0001é😀\\u007f\\u009b\\u202e\\udb40\\udc01",
                  "least": -9223372036854775808
                }

                """
        )
    }

    @Test("Another reader understands it")
    func foundation() throws {
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(value.text.utf8)) as? [String: Any]
        )
        #expect(
            object["text"] as? String == "a\"\\\n\t\u{1}é\u{1F600}\u{7F}\u{9B}\u{202E}\u{E0001}"
        )
        #expect(object["least"] as? Int64 == .min)
        #expect(object.count == 4)
    }
}
