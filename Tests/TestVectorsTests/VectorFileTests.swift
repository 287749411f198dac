import EMVCrypto
import Profiles
import Testing

@testable import TestVectors

/// A file with one good case and one bad one.
private let good = """
    {
      "family": "aes", "title": "t", "source": "s", "notes": {"odd": "n"}, "doubtful": ["odd"],
      "groups": [
        {"parameters": {"of": "block"}, "cases": [
          {"id": "a", "comment": "", "flags": ["odd"], "source": "b",
           "input": {"key": "000102030405060708090A0B0C0D0E0F",
                     "block": "00112233445566778899AABBCCDDEEFF"},
           "expected": {"block": "69C4E0D86A7B0430D8CDB78070B4C55A"}, "result": "valid"},
          {"id": "b", "comment": "short", "flags": [],
           "input": {"key": "00", "block": "00112233445566778899AABBCCDDEEFF"},
           "expected": {"error": "wrongKeyLength"}, "result": "invalid"}
        ]}
      ]
    }
    """

private func read(_ text: String) throws(VectorFileError) -> VectorFile {
    try VectorFile(json: [UInt8](text.utf8), name: "x.json")
}

/// The verdicts on the cases of a file.
private func verdicts(_ text: String) throws -> [VectorCase.Verdict] {
    try read(text).cases.map { vector in
        guard case .computation(let computation) = vector.work else { throw Unexpected() }
        return try computation.run()
    }
}

private struct Unexpected: Error {}

@Suite("Reading files of test values")
struct VectorFileTests {
    @Test("A good file is read whole")
    func whole() throws {
        let file = try read(good)
        #expect(file.family == "aes" && file.title == "t" && file.source == "s")
        #expect(file.cases.map(\.id) == ["a", "b"])
        #expect(file.cases.map(\.isDoubtful) == [true, false])
        #expect(file.cases.map(\.isValid) == [true, false])
        #expect(file.cases.map(\.source) == ["b", nil])
        #expect(try verdicts(good) == [.passed, .passed])
    }

    @Test("A file that is cut or goes on is refused")
    func cut() {
        let bytes = [UInt8](good.utf8)
        for count in bytes.indices {
            #expect(throws: VectorFileError.self) {
                try VectorFile(json: [UInt8](bytes[..<count]), name: "x.json")
            }
        }
        #expect(throws: VectorFileError.self) { try read(good + "x") }
    }

    @Test(
        "What is wrong is told with file, case and place",
        arguments: [
            (#""family": "aes""#, #""family": "des""#, nil, "family"),
            (#""title": "t", "#, "", nil, "title: is missing"),
            (#""title": "t", "#, #""title": "t", "x": 1, "#, nil, "x: is not known here"),
            (#"["odd"], "source""#, #"["even"], "source""#, "a", #"flags[0]: "even" has no note"#),
            (
                #"["odd"], "source""#, #"["odd", "odd"], "source""#, "a",
                #"flags[1]: "odd" is here a second time"#
            ),
            (#""doubtful": ["odd"]"#, #""doubtful": ["x"]"#, nil, "doubtful[0]"),
            (#""id": "b""#, #""id": "a""#, nil, "groups[0].cases[1].id: another case is called"),
            (#""id": "b""#, #""id": """#, nil, "groups[0].cases[1].id: must not be empty"),
            (#""id": "b", "#, "", nil, "groups[0].cases[1].id: is missing"),
            (#""comment": "short", "#, "", "b", "comment: is missing"),
            (#""flags": [],"#, "", "b", "flags: is missing"),
            (#""of": "block""#, #""of": "lock""#, "a", "groups[0].parameters.of: must be one of"),
            (#""of": "block""#, #""of": "block", "x": 1"#, "a", "groups[0].parameters.x: is not"),
            (#""key": "00""#, #""key": "000""#, "b", "input.key: has an odd number"),
            (#""key": "00""#, #""key": "0G""#, "b", "input.key: has no hexadecimal digit"),
            (#""key": "00""#, #""key": 0"#, "b", "input.key: must be hexadecimal digits"),
            (#""key": "00", "#, "", "b", "input.key: is missing"),
            (#""key": "00""#, #""key": "00", "iv": """#, "b", "input.iv: is not known here"),
            (#""result": "invalid""#, #""result": "bad""#, "b", "result: must be one of"),
            (#""result": "invalid""#, #""result": "invalid", "x": 1"#, "b", "x: is not known"),
            (#""error": "wrong"#, #""text": "wrong"#, "b", "expected.text: is not known here"),
            (#"{"error": "wrongKeyLength"}"#, #"{"error": 1}"#, "b", "expected.error: must be"),
            (#""wrongKeyLength""#, #""nonsense""#, "b", #"expected.error: "nonsense" is no error"#),
            (#"{"error": "wrongKeyLength"}"#, #""error""#, "b", "expected: must be an object"),
            (#""title": "t""#, #""title": "t"#, nil, "is not JSON: line 2"),
        ]
    )
    func refuses(old: String, new: String, caseID: String?, reason: String) throws {
        let text = good.replacing(old, with: new, maxReplacements: 1)
        try #require(text != good)
        let error = #expect(throws: VectorFileError.self) { try read(text) }
        #expect(error?.caseID == caseID)
        #expect(error?.file == "x.json")
        let description = error.map { String(describing: $0.reason) } ?? ""
        #expect(description.contains(reason), "\(description)")
    }

    @Test("No group and no case are refused")
    func empty() throws {
        let start = try #require(good.firstRange(of: "[\n    {\"parameters\""))
        let noGroup = good[..<start.lowerBound] + "[]}"
        #expect(throws: VectorFileError.self) { try read(String(noGroup)) }
        let noCase = good[..<start.lowerBound] + #"[{"parameters": {}, "cases": []}]}"#
        let error = #expect(throws: VectorFileError.self) { try read(String(noCase)) }
        #expect(error?.reason.path == "groups[0].cases")
    }

    @Test("A wrong value fails and tells both")
    func failure() throws {
        let wrong = good.replacing("69C4E0D8", with: "69C4E0D9")
        #expect(
            try verdicts(wrong) == [
                .failed(
                    expected: "block 69C4E0D96A7B0430D8CDB78070B4C55A",
                    got: "block 69C4E0D86A7B0430D8CDB78070B4C55A"
                ), .passed,
            ]
        )
        let missing = good.replacing(#"{"block": "69C4"#, with: #"{"bloc": "69C4"#)
        let error = #expect(throws: VectorFileError.self) { try verdicts(missing) }
        #expect(error?.reason.path == "expected.bloc")
    }

    @Test("What must be refused and is not fails, and so does the other way round")
    func refusals() throws {
        let otherError = good.replacing("wrongKeyLength", with: "wrongHash")
        #expect(
            try verdicts(otherError)[1]
                == .failed(expected: "refused: wrongHash", got: "refused: wrongKeyLength")
        )
        let anyError = good.replacing(#"{"error": "wrongKeyLength"}"#, with: "{}")
        #expect(try verdicts(anyError)[1] == .passed)
        let accepted = good.replacing(
            #""key": "00""#,
            with: #""key": "000102030405060708090A0B0C0D0E0F""#
        )
        #expect(
            try verdicts(accepted)[1]
                == .failed(
                    expected: "refused: wrongKeyLength",
                    got: "block 69C4E0D86A7B0430D8CDB78070B4C55A"
                )
        )
        let refused = good.replacing(
            "{\"error\": \"wrongKeyLength\"}, \"result\": \"invalid\"",
            with: "{\"block\": \"00\"}, \"result\": \"valid\""
        )
        #expect(
            try verdicts(refused)[1]
                == .failed(expected: "block 00", got: "refused: wrongKeyLength")
        )
    }

    @Test("A good input of which nothing is expected is refused")
    func nothingExpected() throws {
        let empty = good.replacing(
            "{\"error\": \"wrongKeyLength\"}, \"result\": \"invalid\"",
            with: "{}, \"result\": \"valid\""
        )
        let error = #expect(throws: VectorFileError.self) { try read(empty) }
        #expect(error?.caseID == "b")
        #expect(error?.reason.path == "expected")
    }

    @Test("Odd digits in what is expected are a broken file, not a failed case")
    func oddExpectation() throws {
        let error = #expect(throws: VectorFileError.self) {
            try verdicts(good.replacing("69C4E0D86A7B", with: "9C4E0D86A7B"))
        }
        #expect(error?.caseID == "a")
        #expect(error?.reason.path == "expected.block")
    }
}

@Suite("Comparing values")
struct VectorValueTests {
    private func matches(_ value: VectorValue, _ json: String) throws -> Bool {
        try value.matches(JSONParser.parse([UInt8](json.utf8)), path: "expected")
    }

    @Test(
        "Like matches like alone",
        arguments: [
            (VectorValue.bytes([0xAB]), "\"ab\"", true), (.bytes([0xAB]), "\"AB CD\"", false),
            (.bytes([0xAB]), "null", false),
            (.beginning([1, 2, 3], atLeast: 2), "\"0102\"", true),
            (.beginning([1, 2, 3], atLeast: 2), "\"010203\"", true),
            (.beginning([1, 2, 3], atLeast: 1), "\"02\"", false),
            (.beginning([1], atLeast: 1), "\"0102\"", false),
            (.text("AB"), "\"AB\"", true), (.text("AB"), "\"ab\"", false), (.number(3), "3", true),
            (.number(3), "4", false), (.boolean(true), "true", true),
            (.boolean(true), "false", false), (.nothing, "null", true), (.nothing, "0", false),
            (.list([.number(1), .number(2)]), "[1, 2]", true),
            (.list([.number(1), .number(2)]), "[2, 1]", false),
            (.list([.number(1), .number(2)]), "[1]", false),
            (.object(["a": .number(1), "b": .number(2)]), #"{"a": 1}"#, true),
            (.object(["a": .list([.object(["b": .bytes([1])])])]), #"{"a": [{"b": "02"}]}"#, false),
        ]
    )
    func comparison(value: VectorValue, json: String, isMatch: Bool) throws {
        #expect(try matches(value, json) == isMatch)
    }

    @Test(
        "What a value could never be is a broken file, not a failed case",
        arguments: [
            (VectorValue.bytes([0xAB]), "171", "must be a text, not a number"),
            (.beginning([1, 2, 3, 4, 5], atLeast: 4), "\"010203\"", "must have at least 4 bytes"),
            (.beginning([1, 2, 3], atLeast: 2), "\"\"", "must have at least 2 bytes"),
            (.beginning([1, 2, 3], atLeast: 2), "1", "must be a text, not a number"),
            (.text("AB"), "[]", "must be a text"), (.number(3), "\"3\"", "must be a number"),
            (.boolean(true), "1", "must be true or false"), (.list([]), "{}", "must be a list"),
            (.object(["a": .number(1)]), "1", "must be an object"),
            (.object(["mac": .number(1)]), #"{"Mac": 2}"#, "expected.Mac: is nothing that comes"),
            (.object(["a": .number(1)]), #"{"a": 1, "b": null}"#, "here a can be expected"),
        ]
    )
    func broken(value: VectorValue, json: String, reason: String) throws {
        let error = #expect(throws: ProfilesError.self) { try matches(value, json) }
        let description = error.map { String(describing: $0) } ?? ""
        #expect(description.contains(reason), "\(description)")
    }

    @Test(
        "An error is one that a family can give",
        arguments: [
            ("wrongHash", true), ("missing9F38", true), ("status6985", true), ("nonsense", false),
            ("", false), ("status69", false), ("wrong9F", false), ("wrongA", false),
            ("WrongHash", false), ("absent9F38", false),
        ]
    )
    func knownErrors(name: String, isKnown: Bool) {
        #expect(VectorRefusal.isKnown(name) == isKnown)
    }

    @Test("Errors are named by their case")
    func names() {
        #expect(VectorRefusal(CertificateError.wrongHash).name == "wrongHash")
        #expect(VectorRefusal(CertificateError.wrongHeader(0x6B)).name == "wrongHeader")
        let length = CertificateError.wrongLength(expected: 1, found: 2)
        #expect(VectorRefusal(length).name == "wrongLength")
        #expect(VectorRefusal(VectorRefusal("x")).name == "x")
    }
}
