import Profiles
import Testing
import Transport

@testable import TestVectors

@Suite("Explanations of recorded taps")
struct ExplanationTests {
    private func explanations(_ json: String) throws -> Explanations {
        try Explanations(JSONObject(parsing: [UInt8](json.utf8)))
    }

    /// A card of which the first exchange is asked for otherwise and the second not at all.
    private func card() throws -> LenientCard {
        var card = LenientCard([
            Exchange([0x80, 0xA8, 0, 0, 2, 0x83, 0, 0], [0x90, 0]),
            Exchange([0x80, 0xCA, 0x9F, 0x36, 0], [0x90, 0]),
        ])
        _ = try card.transmit([0x80, 0xA8, 0, 0, 1, 0x83, 0])
        _ = try card.transmit([0x00, 0xB2, 1, 0x0C, 0])
        return card
    }

    private let options = #"{"sent": "80A80000018300", "recorded": "80A8000002830000", "why": "x"}"#
    private let record = #"{"sent": "00B2010C00", "why": "x"}"#
    private let rest = #"{"first": 2, "last": 2, "why": "x"}"#

    @Test("What is explained to the last command leaves nothing")
    func complete() throws {
        let whole = try explanations(
            #"{"differences": [\#(record), \#(options)], "unplayed": [\#(rest)]}"#
        )
        #expect(try whole.unexplained(card()).isEmpty)
        #expect(try whole.needless(card()).isEmpty)
    }

    @Test("What is not explained is told, and what needs no explanation too")
    func incomplete() throws {
        let none = try explanations(#"{"differences": [], "unplayed": []}"#)
        #expect(
            try none.unexplained(card()) == [
                "80A80000018300 instead of 80A8000002830000",
                "00B2010C00, not recorded", "exchange 2, not played",
            ]
        )
        let twice = try explanations(
            #"{"differences": [\#(record), \#(record), \#(options)], "unplayed": [{"first": 1, "last": 2, "why": "x"}]}"#
        )
        #expect(try twice.unexplained(card()).isEmpty)
        #expect(try twice.needless(card()) == ["00B2010C00, not recorded", "exchange 1"])
    }

    @Test("A difference without words is refused")
    func silent() {
        #expect(throws: ProfilesError("differences[0].why", "is missing")) {
            try explanations(#"{"differences": [{"sent": "00B2010C00"}], "unplayed": []}"#)
        }
    }
}
