import BERTLV
import EMVData
import Octets
import TestSupport
import Testing

private struct Ignored: Decodable, Sendable { init(from decoder: any Decoder) {} }

private func inputs(_ name: String) throws -> [[UInt8]] {
    try VectorFile<Ignored, DataInput, Ignored>.load(name).groups.flatMap(\.cases)
        .filter(\.isValid).map(\.input.data.bytes)
}

@Suite("Recognising bytes")
struct DataKindTests {
    @Test(
        "Bytes are taken for what they are",
        arguments: [
            ("95", .tag), ("9F1A", .tag), ("9F8101", .tag), ("DF8129", .tag), ("6F", .tag),
            ("9000", .statusWord), ("6A82", .statusWord), ("6985", .statusWord),
            ("6F00", .statusWord), ("611C", .statusWord),
            ("00A4040007A000000003101000", .command), ("00B2010C00", .command),
            ("80A8000002830000", .command), ("80CA9F3600", .command), ("8424000000", .command),
            ("00C000001C", .command),
            ("8407A0000000031010", .objects),
            ("6F168407A0000000031010A50B5009564953412054455354", .objects),
            ("6F168407A0000000031010A50B50095649534120544553549000", .response),
            ("770E82021980940808010100100103019000", .response),
            ("9F36020001", .objects), ("9F360200019000", .response),
            ("9F02060000000012349000", .response),
            ("9F02069F03069F1A0295055F2A029A039C019F3704", .list), ("9F3704", .list),
            ("9F66049F02069F03069F1A0295055F2A029A039C019F3704", .list),
            ("08010100100103011801020020010100", .fileLocator), ("08010100", .fileLocator),
            ("000000000000000042031E031F03", .cvmList), ("00000000000000001F00", .cvmList),
            ("4761739001010010D351220111438825", .track2),
            ("5413330089600010D35122011143857289", .track2),
            ("3B6500002063CB6800", .answerToReset), ("3B80800101", .answerToReset),
            // The check character should be 6A.
            ("3B8F8001804F0CA000000306030001000000006B", .answerToReset),
            ("A0000000031010", .applicationIdentifier), ("A000000004", .applicationIdentifier),
            ("A00000000410100102030405060708FF", .applicationIdentifier),
            ("A00000000310100000000000001F00", .applicationIdentifier),
            (
                "42343736313733393030313031303031305E4445204445564F2F4A4F484E5E333531323230313131343338383235",
                .track1
            ),
            ("9F2608AABBCCDDEEFF001195050000000000", .issuerData),
            ("0018" + "9F2608AABBCCDDEEFF001195050000000000", .issuerData),
            ("303138" + "9F2608AABBCCDDEEFF001195050000000000", .issuerData),
            ("12" + "9F2608AABBCCDDEEFF001195050000000000", .issuerData),
        ] as [(String, DataKind)]
    )
    func recognised(text: String, kind: DataKind) throws {
        let padded = text.count.isMultiple(of: 2) ? text : text + "F"
        let candidates = try DataKind.candidates(for: [UInt8](hex: padded))
        #expect(candidates.first?.kind == kind, "\(candidates)")
    }

    @Test(
        "Published values are recognised",
        arguments: [
            ("data-object-lists", DataKind.list), ("file-locators", .fileLocator),
            ("cvm-lists", .cvmList), ("file-control-information", .objects),
        ]
    )
    func published(file: String, kind: DataKind) throws {
        for bytes in try inputs(file) where bytes.count > 8 {
            let candidates = DataKind.candidates(for: bytes)
            #expect(candidates.first?.kind == kind, "\(bytes.hex): \(candidates)")
        }
    }

    @Test("What is nothing has no candidate, and every prefix of a message is at most damaged TLV")
    func nothing() throws {
        #expect(DataKind.candidates(for: []).isEmpty)
        let message = try [UInt8](hex: "6F168407A0000000031010A50B5009564953412054455354")
        for count in 3..<message.count {
            let first = DataKind.candidates(for: Array(message.prefix(count))).first
            #expect(first?.kind == .objects, "\(count)")
            #expect(first.map { $0.likelihood < DataKind.Candidate.plausible } == true, "\(count)")
        }
    }

    @Test("Random bytes are never claimed for what cannot be read")
    func random() throws {
        var generator = SeededGenerator()
        for _ in 0..<2000 {
            let count = Int.random(in: 0...24, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let candidates = DataKind.candidates(for: bytes)
            #expect(Set(candidates.map(\.kind)).count == candidates.count, "\(generator)")
            #expect(
                zip(candidates, candidates.dropFirst()).allSatisfy {
                    $0.likelihood >= $1.likelihood
                }
            )
            #expect(candidates.allSatisfy { 1...100 ~= $0.likelihood }, "\(bytes.hex)")
        }
    }

    @Test(
        "Two pieces belong together",
        arguments: [
            ("95", "8000048000", .object), ("9F02069F3704", "00000000123411223344", .filledList),
            ("9F3704", "1122", .filledList),
            ("00A4040007A000000003101000", "6A82", .exchange),
            ("80CA9F3600", "9F360200019000", .exchange),
            ("1234567890", "9000", nil), ("", "9000", nil),
        ] as [(String, String, DataPair?)]
    )
    func pairs(first: String, second: String, pair: DataPair?) throws {
        #expect(try DataPair([UInt8](hex: first), [UInt8](hex: second)) == pair)
    }
}

@Suite("Finding data objects by name")
struct DataObjectSearchTests {
    @Test(
        "Short forms, whole names and beginnings of words",
        arguments: [
            ("TVR", ["95"]), ("tvr", ["95"]), ("AIP", ["82"]), ("PAN", ["5A"]), ("ATC", ["9F36"]),
            ("AC", ["9F26"]), ("IAD", ["9F10"]), ("TTQ", ["9F66"]), ("UN", ["9F37"]),
            ("PDOL", ["9F38"]), ("cdol1", ["8C"]), ("CVM List", ["8E"]), ("cvm-list", ["8E"]),
            (
                "CVM",
                [
                    "8E", "9F34", "DF8118", "DF8119", "DF8124", "DF8125", "DF8126", "9F71",
                    "9F820E", "9F68", "DF811E", "DF812C", "9F8207", "9F8208",
                ]
            ),
            ("AID", ["4F", "84", "9F06"]), ("IAC", ["9F0D", "9F0E", "9F0F"]),
            ("Amount, Authorised (Numeric)", ["9F02"]), ("amount authorised", ["9F02", "81"]),
            ("terminal country", ["9F1A"]), ("Track 2", ["57"]),
            ("Outcome Parameter Set", ["DF8129", "9F8210"]),
            ("nonsense", []), ("", []), ("()", []),
        ] as [(String, [String])]
    )
    func named(text: String, tags: [String]) {
        let found = DataObjectDefinition.named(text).map(\.tag.description)
        #expect(Set(found) == Set(tags))
    }

    // 9F6E: four bytes to kernel 3, five or more to kernel 2 (EMV Books C-2 and C-3).
    @Test(
        "The length tells meanings apart, the kernel does before it",
        arguments: [
            (nil, 4, "Form Factor Indicator (FFI)"), (nil, 7, "Third Party Data"),
            (.kernel4, 4, "Enhanced Contactless Reader Capabilities"),
            (.kernel2, 4, "Third Party Data"), (nil, nil, "Form Factor Indicator (FFI)"),
        ] as [(KernelIdentifier?, Int?, String)]
    )
    func meanings(kernel: KernelIdentifier?, byteCount: Int?, name: String) {
        let found = DataObjectDefinition.meanings(
            of: .formFactorIndicator,
            in: kernel,
            byteCount: byteCount
        )
        #expect(found.first?.name == name)
        #expect(found.count == 3)
    }

    @Test(
        "Values are written as their format says, or not",
        arguments: [
            (DataFormat.numeric, "000123", true), (.numeric, "00012A", false),
            (.compressedNumeric, "4761FFFF", true), (.compressedNumeric, "47F1", false),
            (.compressedNumeric, "476A", false),
            (.alphabetic, "4245", true), (.alphabetic, "4231", false),
            (.alphanumeric, "5931", true),
            (.alphanumeric, "5920", false), (.alphanumericSpecial, "5920", true),
            (.alphanumericSpecial, "591F", false), (.alphanumericSpecial, "E9", true),
            (.binary, "FF", true),
        ]
    )
    func formats(format: DataFormat, value: String, fits: Bool) throws {
        #expect(try format.fits([UInt8](hex: value)) == fits)
    }
}
