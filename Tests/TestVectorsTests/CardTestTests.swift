import EMVData
import ISO7816
import Octets
import Profiles
import Testing
import Transport

@testable import TestVectors

/// A card that answers every command alike and keeps what it was sent.
private struct ParrotCard: Transport, ~Copyable {
    var answer: [UInt8]
    var commands: [[UInt8]] = []
    var fieldCount = 0

    init(_ answer: String) throws { self.answer = try [UInt8](hex: answer) }

    mutating func fieldOn() throws(TransportError) { fieldCount += 1 }

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        commands.append(command)
        return answer
    }
}

/// Reads one card test.
private func test(
    _ commands: String,
    _ responses: String,
    parameters: String = "{}"
) throws -> CardTest {
    let text = """
        {"family": "card-tests", "title": "", "source": "", "notes": {}, "groups": [
          {"parameters": \(parameters), "cases": [
            {"id": "a", "comment": "", "flags": [], "input": {"commands": \(commands)},
             "expected": {"responses": \(responses)}, "result": "valid"}]}]}
        """
    let file = try VectorFile(json: [UInt8](text.utf8), name: "x.json")
    guard case .cardTest(let test) = file.cases[0].work else { throw Unexpected() }
    return test
}

private struct Unexpected: Error {}

@Suite("Card tests")
struct CardTestTests {
    /// An FCI with a name of seven bytes, and two directory entries.
    private static let answer =
        "6F1D8407A0000000031010A512BF0C0F6104 4F02 0102 6107 4F02 0304 870102 9000"

    private func verdict(
        _ response: String,
        answer: String = answer,
        extent: Redaction.Extent = .nothing
    ) throws -> VectorCase.Verdict {
        var card = try ParrotCard(answer)
        return try test(#"["00A40400"]"#, "[\(response)]")
            .run(over: &card, redaction: Redaction(extent))
    }

    @Test(
        "An answer that is as expected passes",
        arguments: [
            #"{"status": "9000"}"#, #"{"status": "90XX"}"#,
            #"{"status": ["6A82", "9000"]}"#, #"{"status": "XXXX"}"#,
            #"{"status": "9000", "objects": {"84": "present", "9F38": "absent"}}"#,
            #"{"status": "9000", "objects": {"6F/84": {"equals": "a0 00000003 1010"}}}"#,
            #"{"status": "9000", "objects": {"84": {"prefix": "A000000003", "length": 7}}}"#,
            #"{"status": "9000", "objects": {"84": {"length": [5, 16]}}}"#,
            #"{"status": "9000", "objects": {"84": {"anyOf": ["00", "A0000000031010"]}}}"#,
            #"{"status": "9000", "objects": {"BF0C/61/4F": {"equals": "0102"}}}"#,
            #"{"status": "9000", "objects": {"61/87": {"equals": "02"}}}"#,
        ]
    )
    func passes(response: String) throws {
        #expect(try verdict(response) == .passed)
    }

    @Test(
        "An answer that is not tells what was expected and what came",
        arguments: [
            (#"{"status": "6A82"}"#, "status 6A82", "9000"),
            (#"{"status": ["6A82", "63CX"]}"#, "status 6A82 or 63CX", "9000"),
            (#"{"status": "9000", "objects": {"9F38": "present"}}"#, "9F38 present", "absent"),
            (#"{"status": "9000", "objects": {"87": "absent"}}"#, "87 absent", "02"),
            (
                #"{"status": "9000", "objects": {"84": {"equals": "00"}}}"#, "84 00",
                "A0000000031010"
            ),
            (
                #"{"status": "9000", "objects": {"84": {"anyOf": ["00", "01"]}}}"#, "84 00 or 01",
                "A0000000031010"
            ),
            (
                #"{"status": "9000", "objects": {"84": {"prefix": "A1", "length": 7}}}"#,
                "84 A1… of 7 bytes", "A0000000031010"
            ),
            (
                #"{"status": "9000", "objects": {"84": {"length": [1, 6]}}}"#,
                "84 of 1 to 6 bytes", "A0000000031010"
            ),
            // 84 is not directly in A5.
            (#"{"status": "9000", "objects": {"A5/84": "present"}}"#, "A5/84 present", "absent"),
            (
                #"{"status": "9000", "keep": {"pdol": "9F38"}}"#, "9F38 present", "absent"
            ),
        ]
    )
    func fails(response: String, expected: String, got: String) throws {
        #expect(try verdict(response) == .failed(expected: expected, got: got))
    }

    @Test("Data that are no objects fail where objects are expected, and only there")
    func noObjects() throws {
        #expect(try verdict(#"{"status": "9000"}"#, answer: "6F059000") == .passed)
        #expect(
            try verdict(#"{"status": "9000", "objects": {"84": "absent"}}"#, answer: "6F059000")
                == .failed(expected: "data objects", got: "2 bytes that are none")
        )
    }

    @Test("An account number is masked in what is told")
    func masked() throws {
        let answer = "5A0847617390010100109000"
        let response = #"{"status": "9000", "objects": {"5A": "absent"}}"#
        #expect(
            try verdict(response, answer: answer)
                == .failed(expected: "5A absent", got: "4761739001010010")
        )
        let masked = try verdict(response, answer: answer, extent: .cardholderData)
        #expect(masked != .failed(expected: "5A absent", got: "4761739001010010"))
    }

    @Test("What an answer had stands in later commands")
    func variables() throws {
        var card = try ParrotCard(Self.answer)
        let verdict = try test(
            #"["00A40400", "00A4 0400 {#aid}{aid}00", "80CA0000{#fci}"]"#,
            #"[{"status": "9000", "keep": {"aid": "84", "fci": "A5"}}, {"status": "9000"}, {"status": "9000"}]"#
        ).run(over: &card, redaction: Redaction(.nothing))
        #expect(verdict == .passed)
        #expect(
            card.commands.map(\.hex) == ["00A40400", "00A4040007A000000003101000", "80CA000012"]
        )
        #expect(card.fieldCount == 1)
    }

    @Test("A test ends with the first wrong answer, and says which it was")
    func first() throws {
        var card = try ParrotCard("6985")
        let verdict = try test(
            #"["00A40400", "00A40402", "00A40400"]"#,
            #"[{"status": "6985"}, {"status": "6A82"}, {"status": "6985"}]"#
        ).run(over: &card, redaction: Redaction(.nothing))
        #expect(verdict == .failed(expected: "answer 2: status 6A82", got: "6985"))
        #expect(card.commands.count == 2)
    }

    @Test("An answer without a status word is no answer")
    func short() throws {
        for answer in ["", "90"] {
            var card = try ParrotCard(answer)
            let whole = try test(#"["00A40400"]"#, #"[{"status": "XXXX"}]"#)
            #expect(throws: TransportError.protocolViolation) {
                try whole.run(over: &card, redaction: Redaction(.nothing))
            }
        }
    }

    @Test(
        "Only selecting and reading is known to cost nothing",
        arguments: [
            (#"["00A4040000", "00B2010C00", "80CA9F3600"]"#, false),
            (#"["80A8000002830000"]"#, true),
            (#"["00A4040000", "80AE800000"]"#, true), (#"["0020008008FFFFFFFFFFFFFFFF"]"#, true),
            (#"["0088000000"]"#, true), (#"["00FF0000"]"#, true), (#"["84A4040000"]"#, true),
        ]
    )
    func costs(commands: String, isCostly: Bool) throws {
        let count = commands.split(separator: ",").count
        let responses = [String](repeating: #"{"status": "9000"}"#, count: count)
        let whole = try test(commands, "[\(responses.joined(separator: ","))]")
        #expect(whole.isCostly == isCostly)
    }

    @Test("A group may be for a scheme")
    func schemes() throws {
        let response = #"[{"status": "9000"}]"#
        let visa = try test(#"["00A40400"]"#, response, parameters: #"{"scheme": "visa"}"#)
        #expect(visa.scheme == .visa)
        #expect(try test(#"["00A40400"]"#, response).scheme == nil)
    }

    @Test(
        "What is malformed is told with its place",
        arguments: [
            (#"["00A404"]"#, #"[{"status": "9000"}]"#, "input.commands[0]: must start with four"),
            (#"["{a}00A40400"]"#, #"[{"status": "9000"}]"#, #"no earlier answer keeps "a""#),
            (#"["00A40400{"]"#, #"[{"status": "9000"}]"#, "has a { without a }"),
            (#"["00A4040"]"#, #"[{"status": "9000"}]"#, "has an odd number"),
            (#"["00A40400"]"#, "[]", "expected.responses: must be as many"),
            ("[]", "[]", "expected.responses: must be as many"),
            (#"["00A40400"]"#, #"[{"status": "900"}]"#, "expected.responses[0].status: must be"),
            (#"["00A40400"]"#, #"[{"status": []}]"#, "expected.responses[0].status: must have"),
            (#"["00A40400"]"#, "[{}]", "expected.responses[0].status: is missing"),
            (
                #"["00A40400"]"#, #"[{"status": "9000", "objects": {"9F": "present"}}]"#,
                "expected.responses[0].objects.9F: \"9F\" is no tag"
            ),
            (
                #"["00A40400"]"#, #"[{"status": "9000", "objects": {"84": "here"}}]"#,
                #"objects.84: must be "present", "absent""#
            ),
            (
                #"["00A40400"]"#, #"[{"status": "9000", "objects": {"84": {"length": [2, 1]}}}]"#,
                "objects.84.length: the first of both"
            ),
            (
                #"["00A40400"]"#, #"[{"status": "9000", "keep": {"a": 1}}]"#,
                "keep.a: must be the way to a data object"
            ),
            (#"["00A40400"]"#, #"[{"status": "9000", "data": ""}]"#, "data: is not known here"),
        ]
    )
    func malformed(commands: String, responses: String, reason: String) throws {
        let error = #expect(throws: VectorFileError.self) { try test(commands, responses) }
        #expect(error?.caseID == "a")
        let description = error.map { String(describing: $0.reason) } ?? ""
        #expect(description.contains(reason), "\(description)")
    }
}
