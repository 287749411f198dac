import Octets
import Testing

@testable import Profiles

/// The JSON reader: everything RFC 8259 allows, nothing else, and the place of what is wrong.
@Suite struct JSONTests {
    @Test func readsEveryKindOfValue() throws {
        let text = #"""
             {"text": "a\"\\\/\b\f\n\r\té\u00e9\ud83d\ude00", "numbers": [0, -1, 12.5, 1e3, 0.1E-2],
              "words": [true, false, null], "empty": [{}, []] }
            """#
        #expect(
            try JSONParser.parse([UInt8](text.utf8))
                == .object([
                    .init("text", .string("a\"\\/\u{8}\u{C}\n\r\téé😀")),
                    .init(
                        "numbers",
                        .array(["0", "-1", "12.5", "1e3", "0.1E-2"].map { .number($0) })
                    ),
                    .init("words", .array([.boolean(true), .boolean(false), .null])),
                    .init("empty", .array([.object([]), .array([])])),
                ])
        )
    }

    @Test(arguments: [
        ("", "line 1, column 1: a value is missing"),
        ("hello", "line 1, column 1: no value starts like this"),
        ("{\n  \"a\": 1,\n}", "line 3, column 1: a name in quotation marks is missing"),
        ("{\"a\": 1} x", "line 1, column 10: more follows the value"),
        ("{\"a\" 1}", "line 1, column 6: \":\" is missing"),
        ("{\"a\": 1 \"b\": 2}", "line 1, column 9: \",\" or \"}\" is missing"),
        ("{\"a\": 1, \"a\": 2}", "line 1, column 10: \"a\" is here a second time"),
        ("[1, 2", "line 1, column 6: \",\" or \"]\" is missing"),
        ("[1, ]", "line 1, column 5: no value starts like this"),
        ("{'a': 1}", "line 1, column 2: a name in quotation marks is missing"),
        ("// note\n{}", "line 1, column 1: no value starts like this"),
        ("[01]", "line 1, column 4: a number has no leading zeros"),
        ("[-]", "line 1, column 3: a number has no leading zeros"),
        ("[1.]", "line 1, column 4: a digit is missing"),
        ("[1e]", "line 1, column 4: a digit is missing"),
        ("[+1]", "line 1, column 2: no value starts like this"),
        ("\"abc", "line 1, column 5: a text has no end"),
        ("\"abc\\", "line 1, column 6: a text has no end"),
        ("\"a\nb\"", "line 1, column 3: a text may not run over the end of a line"),
        ("\"\\x\"", "line 1, column 3: this escape is not JSON's"),
        ("\"\\u12\"", "line 1, column 4: four hexadecimal digits are missing"),
        ("\"\\ud83d\"", "line 1, column 8: half of a surrogate pair is missing"),
        ("\u{FEFF}{}", "line 1, column 1: no value starts like this"),
        ("[\"é\", x]", "line 1, column 7: no value starts like this"),
    ])
    func saysWhereItGoesWrong(_ text: String, problem: String) {
        #expect(throws: ProfilesError("", "is not JSON: " + problem)) {
            try JSONParser.parse([UInt8](text.utf8))
        }
    }

    @Test func everyPrefixIsRefused() throws {
        let text = [UInt8](CardProfile.builtInJSON(.visa).utf8)
        let end = try #require(text.lastIndex(of: UInt8(ascii: "}")))
        for count in 0...end {
            #expect(throws: ProfilesError.self) { try JSONParser.parse([UInt8](text[..<count])) }
        }
        #expect(throws: ProfilesError.self) { try JSONParser.parse(text + [UInt8(ascii: "}")]) }
    }

    @Test func depthIsLimited() throws {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        #expect(throws: ProfilesError.self) { try JSONParser.parse(deep) }
        let allowed = String(repeating: "[", count: 16) + "1" + String(repeating: "]", count: 16)
        _ = try JSONParser.parse([UInt8](allowed.utf8))
        #expect(throws: ProfilesError.self) { try JSONParser.parse([UInt8]("[\(allowed)]".utf8)) }
    }

    @Test func onlyUTF8IsText() {
        #expect(throws: ProfilesError("", "is not JSON: the text is not UTF-8")) {
            try JSONParser.parse([0x22, 0xFF, 0x22])
        }
    }
}
