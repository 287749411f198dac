import CommandLineKit
import Foundation
import Testing

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
    }
}

@Suite("JSON")
struct JSONTests {
    /// Every kind of value, and every character that must be escaped.
    private let value: JSONValue = [
        "zeta": 1, "alpha": [true, nil, [:], []], "text": "a\"\\\n\t\u{1}é\u{1F600}\u{7F}",
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
                  "text": "a\\"\\\\\\n\\t\\u0001é😀\\u007f",
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
        #expect(object["text"] as? String == "a\"\\\n\t\u{1}é\u{1F600}\u{7F}")
        #expect(object["least"] as? Int64 == .min)
        #expect(object.count == 4)
    }
}
