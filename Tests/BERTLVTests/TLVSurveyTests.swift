import BERTLV
import Octets
import TestSupport
import Testing

/// What a survey found: `6F@0(84@2 A5@11(50@13))`.
private func outline(_ objects: [TLVSurvey.Object]) -> String {
    objects.map { object in
        let inside = object.tag.isConstructed ? "(\(outline(object.objects)))" : ""
        let missing = object.isWhole ? "" : " \(object.value.count) of \(object.length)"
        return "\(object.tag)@\(object.offset)\(missing)\(inside)"
    }.joined(separator: " ")
}

private func tree(_ object: TLVSurvey.Object) -> TLV {
    object.tag.isConstructed
        ? TLV(object.tag, object.objects.map(tree)) : TLV(object.tag, object.value)
}

private let directory =
    "6F2D840E325041592E5359532E4444463031A51BBF0C1861164F07A0000000031010500B5649534120435245444954"

@Suite("Surveying bytes that should be TLV")
struct TLVSurveyTests {
    @Test("Everything has its place")
    func places() throws {
        let survey = TLVSurvey(try [UInt8](hex: directory))
        #expect(survey.isSound)
        #expect(outline(survey.objects) == "6F@0(84@2 A5@18(BF0C@20(61@23(4F@25 50@34))))")
        #expect(survey.objects[0].objects[0].valueOffset == 4)
        #expect(survey.end == 47)
    }

    @Test(
        "Each fault has its offset, and what stands before it is there",
        arguments: [
            ("9F2701805F", [.truncatedTag], [4], "9F27@0", 4),
            ("9F27018095", [.truncatedLength], [5], "9F27@0", 4),
            ("9F2701809582", [.truncatedLength], [5], "9F27@0", 4),
            ("9F2701801F81818101", [.tagTooLong], [4], "9F27@0", 4),
            // A length of two gigabytes, one of 16 MiB, and the indefinite one.
            ("9F2701809584FFFFFFFF", [.unsupportedLength], [5], "9F27@0", 4),
            ("9F2701809583FFFFFF11", [.truncatedValue], [5], "9F27@0 95@4 1 of 16777215", 10),
            ("9F27018070809F2701800000", [.unsupportedLength], [5], "9F27@0", 4),
            (
                "770E9F270180950500", [.truncatedValue, .truncatedValue], [1, 7],
                "77@0 7 of 14(9F27@2 95@6 1 of 5)", 9
            ),
            // 50 says nine bytes; its template has four left, and the next object is read after it.
            (
                "A50750095649534120009F270180", [.pastTemplate(0x50)], [3],
                "A5@0(50@2 5 of 9) 9F27@10", 14
            ),
            ("70049F270180FFFF", [.filling], [6], "70@0(9F27@2)", 8),
            ("70069F270180FFFF9F360100", [.filling], [6], "70@0(9F27@2) 9F36@8", 12),
            ("77079F2701809F2700", [.duplicate(0x9F27)], [6], "77@0(9F27@2 9F27@6)", 9),
        ] as [(String, [Reason], [Int], String, Int)]
    )
    func faults(
        text: String,
        reasons: [Reason],
        offsets: [Int],
        objects: String,
        end: Int
    ) throws {
        let survey = TLVSurvey(try [UInt8](hex: text))
        #expect(survey.faults.map(\.reason) == reasons.map(\.reason))
        #expect(survey.faults.map(\.offset) == offsets)
        #expect(outline(survey.objects) == objects)
        #expect(survey.end == end)
    }

    /// A reason with its tag as a number.
    enum Reason: Sendable {
        case truncatedTag, tagTooLong, truncatedLength, unsupportedLength, truncatedValue, filling
        case pastTemplate(UInt32), duplicate(UInt32)

        var reason: TLVError.Reason {
            switch self {
            case .truncatedTag: .truncatedTag
            case .tagTooLong: .tagTooLong
            case .truncatedLength: .truncatedLength
            case .unsupportedLength: .unsupportedLength
            case .truncatedValue: .truncatedValue
            case .filling: .filling
            case .pastTemplate(let tag): .pastTemplate(Tag(rawValue: tag))
            case .duplicate(let tag): .duplicate(Tag(rawValue: tag))
            }
        }
    }

    @Test("Templates of one kind, and the commands of a script, may follow each other")
    func repeated() throws {
        let list = "BF0C0C61044F02A00061044F02A001"
        #expect(TLVSurvey(try [UInt8](hex: list)).isSound)
        #expect(TLVSurvey(try [UInt8](hex: "72088602842486028418")).isSound)
    }

    @Test("Zero bytes are padding, before, between and behind objects")
    func zeros() throws {
        let survey = TLVSurvey(try [UInt8](hex: "00009F27018000" + "7005009F270180" + "000000"))
        #expect(survey.isSound)
        #expect(outline(survey.objects) == "9F27@2 70@7(9F27@10)")
        #expect(survey.padding.map(\.offset) == [0, 6, 9, 14])
        #expect(survey.padding.map(\.count) == [2, 1, 1, 3])
        #expect(survey.padding.allSatisfy { $0.byte == 0 })
    }

    @Test("Depth ends the reading, and costs no stack")
    func depth() throws {
        let deep = (0..<TLV.maximumDepth).reduce([0x9F, 0x27, 0x01, 0x80] as [UInt8]) { inner, _ in
            [0x70, UInt8(inner.count)] + inner
        }
        #expect(TLVSurvey(deep).isSound)
        let deeper = TLVSurvey([0x70, UInt8(deep.count)] + deep)
        #expect(deeper.faults == [TLVError(.nestedTooDeeply, at: 2 * TLV.maximumDepth)])
        #expect(deeper.objects.count == 1)
        #expect(TLVSurvey([UInt8](repeating: 0x70, count: 100_000)).objects.count == 1)
    }

    @Test("What is sound is what the strict reader reads, whatever the bytes")
    func agreesWithStrictReader() throws {
        var generator = SeededGenerator()
        for _ in 0..<2000 {
            let count = Int.random(in: 0...12, using: &generator)
            let bytes = (0..<count).map { _ in
                UInt8.random(in: 0...255, using: &generator)
                    & (Bool.random(using: &generator) ? 0x7F : 0x07)
            }
            let survey = TLVSurvey(bytes)
            let strict = try? TLV.parse(bytes)
            if survey.isSound {
                #expect(survey.objects.map(tree) == strict, "\(bytes.hex), \(generator)")
            } else if survey.faults.allSatisfy({ $0.reason.isFatal }) {
                #expect(strict == nil, "\(bytes.hex), \(generator)")
            }
        }
    }

    @Test("Every prefix of a message is read as far as it goes")
    func prefixes() throws {
        let bytes = try [UInt8](hex: directory)
        for count in 1..<bytes.count {
            let survey = TLVSurvey(Array(bytes.prefix(count)))
            #expect(!survey.isSound, "\(count)")
            #expect(survey.faults.allSatisfy { 0...count ~= $0.offset })
            #expect(survey.end <= count)
        }
    }
}

extension TLVError.Reason {
    /// Whether the strict reader refuses for it.
    fileprivate var isFatal: Bool {
        switch self {
        case .duplicate, .filling: false
        default: true
        }
    }
}
