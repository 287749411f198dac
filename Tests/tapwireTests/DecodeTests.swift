import Foundation
import TestSupport
import Testing

/// What `decode` prints for some words.
private func decode(_ words: String...) throws -> Run { try tapwire(["decode"] + words) }

/// The lines of a run without what stands left and right of their text.
private func lines(_ run: Run) -> [String] {
    run.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
}

private let directory =
    "6F2D840E325041592E5359532E4444463031A51BBF0C1861164F07A0000000031010500B5649534120435245444954"

@Suite("Decoding")
struct DecodeTests {
    // The meanings: EMV Book 3, Annex C5.
    @Test(
        "A tag by its number or a name says what the bits mean",
        arguments: [
            ["95", "8000048000"], ["TVR", "8000048000"],
            ["terminal", "verification", "8000048000"],
        ]
    )
    func bits(words: [String]) throws {
        let run = try tapwire(["decode"] + words)
        #expect(run.exitCode == 0)
        #expect(
            run.output == """
                Value of 95, 5 bytes
                95        5 b    Terminal Verification Results (TVR)
                                 8000048000
                                   B1 b8  Offline data authentication was not performed
                                   B3 b3  Online CVM captured
                                   B4 b8  Transaction exceeds floor limit

                """
        )
    }

    @Test("A tag alone says format, length, source and book")
    func definition() throws {
        let run = try decode("9F1A")
        #expect(run.exitCode == 0)
        #expect(
            run.output == """
                Tag 9F1A, context-specific class, primitive

                Terminal Country Code
                  Format     n (digits, zeros before), 2 bytes
                  Source     terminal
                  Reference  EMV Book 3, Annex A

                """
        )
        // To kernel 2 and to kernel 3.
        let shared = try decode("9F66").output
        #expect(shared.contains("Terminal Transaction Qualifiers (TTQ)"))
        #expect(shared.contains("PUNATC (Track2)"))
    }

    @Test("A name with several objects lists them, and none is a sentence with candidates")
    func names() throws {
        let several = try decode("AID")
        #expect(several.exitCode == 0)
        #expect(lines(several).dropFirst().map { $0.prefix(4) } == ["4F  ", "84  ", "9F06"])
        let ambiguous = try decode("AID", "A0000000031010")
        #expect(ambiguous.exitCode == 64)
        #expect(ambiguous.diagnostics.contains("9F06 Application Identifier (AID) - Terminal"))
        let unknown = try decode("TVRR", "00")
        #expect(unknown.exitCode == 64)
        #expect(unknown.output.isEmpty)
        #expect(
            unknown.diagnostics
                == "tapwire: “TVRR” is neither hexadecimal nor a data object's name; did you mean TVR?\n"
        )
        // AC is no tag, and AAC is not the name of an object.
        #expect(try decode("AC").output.contains("Application Cryptogram (AC)"))
    }

    @Test("Objects have their offsets, and what they say in words")
    func objects() throws {
        let run = try decode(directory)
        #expect(run.exitCode == 0)
        #expect(
            run.output == """
                BER-TLV, 47 bytes
                Guessed (--as tlv).
                offset  tag         length      object
                0000    6F              45      File Control Information (FCI) Template
                0002      84            14 b    Dedicated File (DF) Name
                                                325041592E5359532E4444463031  “2PAY.SYS.DDF01”
                0012      A5            27      File Control Information (FCI) Proprietary Template
                0014        BF0C        24      File Control Information (FCI) Issuer Discretionary Data
                0017          61        22      Application Template
                0019            4F       7 b    Application Dedicated File (ADF) Name
                                                A0000000031010  Visa
                0022            50      11 ans  Application Label
                                                5649534120435245444954  “VISA CREDIT”

                """
        )
    }

    @Test(
        "Hexadecimal is read as people copy it",
        arguments: [
            "9F 27 01 80", "9f:27:01:80", "0x9F, 0x27, 0x01, 0x80", "9F27\n0180\n",
            "\\x9f\\x27\\x01\\x80",
            "  9F27-0180\t\r\n",
        ]
    )
    func forms(text: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let expected = try decode("9F270180").output
        #expect(expected.contains("ARQC"))
        #expect(try decode(text).output == expected)
        #expect(try tapwire(["decode"], input: text).output == expected)
        #expect(try tapwire(["decode", "-"], input: text).output == expected)
        #expect(try decode("--file", scratch.file(text)).output == expected)
    }

    @Test("A file may hold the bytes themselves")
    func binary() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let path = try scratch.file()
        try Data([0x9F, 0x27, 0x01, 0x80]).write(to: URL(filePath: path))
        #expect(try decode("--file", path).output == decode("9F270180").output)
    }

    // The fault's place is counted by hand in each case.
    @Test(
        "What is malformed is an error with its offset, behind what could be read",
        arguments: [
            ("9F2701805F", 4, "the bytes end inside a tag", ["9F27"]),
            ("9F2701809582", 5, "the bytes end inside a length", ["9F27"]),
            (
                "9F2701809584000000050102030405", 5,
                "84 is a length of 4 bytes; EMV has at most three, 83", ["9F27"]
            ),
            (
                "9F270180708095050000000000", 5,
                "80 is the indefinite length, which EMV does not have", ["9F27"]
            ),
            ("70809505000000000000", 1, "80 is the indefinite length, which EMV does not have", []),
            (
                "9F27018095058000", 5, "95 ends after 2 of its 5 bytes",
                ["9F27", "95"]
            ),
            (
                "A50750095649534120" + "9F270180", 3,
                "50 has 9 bytes, and its template only room for 5",
                ["A5", "50", "9F27"]
            ),
            (
                "70069F270180FFFF", 6, "FF bytes stand where objects should; only 00 may fill",
                ["70", "9F27"]
            ),
            ("77089F2701809F270180", 6, "the template has a second 9F27", ["77", "9F27", "9F27"]),
            (
                "701270107" + "00E700C700A70087006700470020101", 16,
                "templates lie too deep in each other",
                ["70", "70", "70", "70", "70", "70", "70", "70"]
            ),
        ] as [(String, Int, String, [String])]
    )
    func malformed(text: String, offset: Int, sentence: String, tags: [String]) throws {
        let run = try decode("--json", "--as", "tlv", text)
        #expect(run.exitCode == 65)
        #expect(run.diagnostics.hasSuffix(": \(sentence)\n"), "\(run.diagnostics)")
        let faults = try #require(run.json()["faults"] as? [[String: Any]])
        #expect(faults.map { $0["offset"] as? Int } == [offset])
        #expect(try self.tags(in: run.json()) == tags)
        #expect(try decode("--as", "tlv", text).output.contains(sentence))
    }

    @Test(
        "Templates as deep as a message can be end at the ninth, with its offset",
        arguments: [9, 100, 1000]
    )
    func depth(count: Int) throws {
        var bytes: [UInt8] = [0x9F, 0x36, 0x02, 0x00, 0x01]
        for _ in 0..<count {
            let length = bytes.count
            let header: [UInt8] =
                length < 0x80
                ? [UInt8(length)]
                : length < 0x100
                    ? [0x81, UInt8(length)] : [0x82, UInt8(length >> 8), UInt8(length & 0xFF)]
            bytes = [0x70] + header + bytes
        }
        // Eight templates may lie in each other: the ninth begins behind eight tags and lengths.
        var offset = 0
        for _ in 0..<8 {
            offset += bytes[offset + 1] < 0x80 ? 2 : bytes[offset + 1] == 0x81 ? 3 : 4
        }
        let text = bytes.map { String(format: "%02X", $0) }.joined()
        let run = try tapwire(["decode", "--as", "tlv", "--json", "-"], input: text)
        #expect(run.exitCode == 65)
        #expect(run.diagnostics.hasSuffix("(\(offset)): templates lie too deep in each other\n"))
        #expect(try tags(in: run.json()) == [String](repeating: "70", count: 8))
    }

    @Test("Where a fault ends the reading, nobody knows how many more there are")
    func manyFaults() throws {
        let text = String(repeating: "9F36020001", count: 5000)
        let run = try tapwire(["decode", "--as", "tlv", "-"], input: text)
        #expect(run.exitCode == 65)
        #expect(
            run.diagnostics
                == "tapwire: offset 0005 (5): the template has a second 9F36; at least 4095 more faults\n"
        )
        let whole = try decode("--as", "tlv", "9F360200019F360200019F36020001")
        #expect(
            whole.diagnostics
                == "tapwire: offset 0005 (5): the template has a second 9F36; one more fault\n"
        )
    }

    // Each value is good up to the fault, whose place is counted by hand.
    @Test(
        "A malformed value is told with its offset, behind the entries before it",
        arguments: [
            ("9F38", "9F66049F02069F", 6, ["9F66", "9F02"]),
            ("9F38", "9F66049F0206FF", 6, ["9F66", "9F02"]),
            ("9F38", "9F66049F029000", 6, ["9F66", "9F02"]),
            ("8C", "9F02", 0, []), ("8D", "8A029F37", 2, ["8A"]), ("97", "9F02065F", 3, ["9F02"]),
            ("9F49", "9F37049F", 3, ["9F37"]), ("9F69", "9F37049F", 3, ["9F37"]),
            ("9F4F", "9A039F", 2, ["9A"]), ("9F4A", "829F", 1, ["82"]),
            ("94", "0801010010010201F8", 9, ["08010100", "10010201"]),
            ("94", "08010100F9010100", 4, ["08010100"]),
            ("94", "0801010010000100", 5, ["08010100"]),
            ("94", "0801010010020100", 6, ["08010100"]),
            ("94", "0801010010010102", 7, ["08010100"]),
            ("8E", "000000640000138842031F", 11, ["X", "Y", "1"]),
            ("8E", "0000006400001388", -1, ["X", "Y"]), ("8E", "00000064", 4, []),
            ("57", "4761739001010010D2213201", 9, []), ("57", "47617390010100102212201", -1, []),
            ("5A", "476173", 0, []), ("86", "84240002", -1, ["CLA INS", "P1 P2"]),
            ("86", "842400", 3, []), ("86", "842400021001", 4, []),
        ] as [(String, String, Int, [String])]
    )
    func malformedValue(tag: String, value: String, offset: Int, places: [String]) throws {
        guard value.count.isMultiple(of: 2) else { return }
        let options = ["decode", "--json", "--unmask", "--kernel", "2"]
        let alone = try tapwire(options + [tag, value])
        try check(alone, offset: offset, tag, places)
        // In a template, which says 2 bytes more than the tag.
        let length = String(format: "%02X", value.count / 2)
        let object = tag + length + value
        let inside = try tapwire(
            options + ["--as", "tlv", "70" + String(format: "%02X", object.count / 2) + object]
        )
        try check(inside, offset: offset < 0 ? offset : offset + 2 + tag.count / 2 + 1, tag, places)
    }

    private func check(_ run: Run, offset: Int, _ tag: String, _ places: [String]) throws {
        #expect(run.exitCode == (offset < 0 ? 0 : 65), "\(run.diagnostics)")
        let json = try run.json()
        let faults = try #require(json["faults"] as? [[String: Any]])
        #expect(faults.map { $0["offset"] as? Int } == (offset < 0 ? [] : [offset]))
        func parts(_ objects: Any?) -> [String] {
            (objects as? [[String: Any]] ?? []).flatMap { object -> [String] in
                guard object["tag"] as? String == tag else { return parts(object["objects"]) }
                return (object["parts"] as? [[String: Any]] ?? []).compactMap {
                    $0["place"] as? String
                }
            }
        }
        let sections = try #require(json["sections"] as? [[String: Any]])
        #expect(sections.flatMap { parts($0["objects"]) } == places)
    }

    @Test("A cut list shows its entries when it is said that it is one")
    func cutList() throws {
        let run = try decode("--as", "dol", "9F66049F02069F")
        #expect(run.exitCode == 65)
        #expect(lines(run).contains { $0.hasPrefix("9F02") })
        let locator = try decode("--as", "afl", "0801010010010201F8")
        #expect(lines(locator).contains("10010201  SFI 2 records 1 to 2, 1 signed"))
        let methods = try decode("--as", "cvm-list", "000000640000138842031F")
        #expect(lines(methods).contains { $0.hasPrefix("1  4203") })
    }

    // The coding: EMV Book C-2, A.1.64, A.1.108 and A.1.195; Book C-8, A.1.
    @Test(
        "What a kernel tells its reader is taken apart",
        arguments: [
            (
                "DF8129", "30F0F030A0F0FF00",
                [
                    "Status                30  Online Request",
                    "Start                 F0  none", "Online response data  F0  none",
                    "CVM                   30  verified on the device",
                    "Present               A0  message on the outcome, data record",
                    "Other interface       F0  none", "Field off             FF  no",
                    "Removal within        00  no limit",
                ]
            ),
            (
                "DF8129", "7010105058101405",
                [
                    "Status                70  Try Again", "Start                 10  B",
                    "Online response data  10  EMV data", "CVM                   50  reserved",
                    "Present               58  message on the restart, discretionary data, receipt",
                    "Other interface       10  contact chip", "Field off             14  2000 ms",
                    "Removal within        05  500 ms",
                ]
            ),
            ("9F8210", "20F0F0F000F0FF00", ["Status                20  Declined"]),
            (
                "DF8115", "000300698520",
                [
                    "L1, radio        00    no error",
                    "L2, application  03    unexpected status 6985",
                    "L3, terminal     00    no error", "Status word      6985",
                    "Message          20    See your phone for instructions",
                ]
            ),
            (
                "DF8115", "0100030000FF",
                [
                    "L1, radio        01    the card did not answer in time",
                    "L3, terminal     03    there is no amount",
                    "Message          FF    no message",
                ]
            ),
            (
                "9F8204", "00020000001C",
                ["L2, application  02    offline data authentication failed"]
            ),
            (
                "DF8116", "1704000013656E0000000000001000000000123409" + "78",
                [
                    "Message        17                Card read, please remove it",
                    "Status         04                card read successfully",
                    "Hold time      000013            1300 ms",
                    "Languages      656E000000000000  English",
                    "Kind of value  10                amount",
                    "Value          000000001234      12.34 EUR",
                    "Currency       0978              EUR",
                ]
            ),
            (
                "9F8205", "21020000000000000000000000",
                [
                    "Message    21                Present card again",
                    "Status     02                ready to read",
                    "Languages  0000000000000000  the reader's own",
                ]
            ),
            (
                "9F7E", "03",
                ["B1 b2  Verification on the device required", "B1 b1  Mobile supported"]
            ),
            ("9F6E", "43880000", ["B1 b8-6  010    Version: 2"]),
        ] as [(String, String, [String])]
    )
    func readerObjects(tag: String, value: String, expected: [String]) throws {
        let kernel = tag == "9F6E" ? "3" : tag.hasPrefix("9F8") ? "8" : "2"
        let run = try decode("--kernel", kernel, tag, value)
        #expect(run.exitCode == 0)
        for line in expected { #expect(lines(run).contains(line), "\(line) in \(run.output)") }
    }

    @Test("What tap says of an outcome is what decode says of its bytes")
    func outcomeOfTap() throws {
        let tap = try tapwire(
            ["tap", "--scheme", "visa", "--amount", "12.34", "--seed", "7", "--date", "2026-11-30"]
        )
        let line = try #require(tap.output.split(separator: "\n").first { $0.hasPrefix("outcome") })
        let words = line.split(separator: " ")
        let decoded = try decode("DF8129", String(words[words.count - 1]))
        let status = words[1..<(words.count - 2)].joined(separator: " ")
        #expect(lines(decoded).contains { $0.hasPrefix("Status") && $0.hasSuffix(status) })
        #expect(decoded.output.contains("verified on the device"))
    }

    @Test(
        "The last method of verification is told in one way",
        arguments: [
            (["9F34", "010302"], "plaintext PIN checked by the card"),
            (["9F34", "010302", "--kernel", "2"], "cardholder verified on the device"),
            (["9F34", "010302", "--kernel", "3"], "cardholder verified on the device"),
            (["9F34", "030302"], "plaintext PIN checked by the card, and signature"),
            (["9F34", "050302"], "enciphered PIN checked by the card, and signature"),
            (["9F34", "420302"], "PIN checked online"), (["9F34", "5E0300"], "signature"),
        ]
    )
    func verificationResults(words: [String], method: String) throws {
        let found = lines(try tapwire(["decode"] + words))
        #expect(
            found.contains {
                $0.hasSuffix("\(method), successful") || $0.hasSuffix("\(method), result unknown")
            }
        )
        #expect(found.contains { $0.hasPrefix("B1  ") && $0.hasSuffix("  \(method)") })
    }

    @Test(
        "A day or time that does not exist is remarked",
        arguments: [
            ("9A", "260230", "the calendar has no such day"),
            ("9A", "261301", "the calendar has no such day"),
            ("5F24", "260431", "the calendar has no such day"),
            ("5F25", "000000", "the calendar has no such day"),
            ("9F21", "235960", "no clock shows such a time"),
            ("9F21", "240000", "no clock shows such a time"),
            ("9F21", "23595A", "not written in format n"),
        ]
    )
    func oddTimes(tag: String, value: String, remark: String) throws {
        let run = try decode(tag, value)
        #expect(run.exitCode == 0)
        #expect(lines(run).contains(remark), "\(run.output)")
    }

    @Test(
        "A track is read as a reader of magnetic stripes prints it",
        arguments: [
            ["4761739001010010=22122011143804400000"], [";4761739001010010=22122011143804400000?"],
            [";4761739001010010=22122011143804400000?5"],
            ["%B4761739001010010^DOE/JOHN^22122011143804400000?"],
            ["B4761739001010010^DOE/JOHN", "^22122011143804400000"],
        ]
    )
    func trackText(words: [String]) throws {
        let run = try tapwire(["decode", "--unmask"] + words)
        #expect(run.exitCode == 0)
        #expect(lines(run).contains { $0.hasPrefix("PAN") && $0.contains("4761739001010010") })
        #expect(lines(run).contains { $0.hasPrefix("Expiry") && $0.hasSuffix("2022-12") })
        #expect(lines(run).contains { $0.hasPrefix("Service code   201") })
        let masked = try tapwire(["decode"] + words)
        #expect(!masked.output.contains("4761739001010010"))
        #expect(!masked.output.contains("JOHN"))
        let input = try tapwire(["decode", "--unmask"], input: words.joined(separator: " ") + "\n")
        #expect(input.output == run.output)
    }

    @Test("A track of text that is malformed is a fault, and its number is not repeated")
    func oddTrackText() throws {
        let run = try decode("4761739001010010=2213201")
        #expect(run.exitCode == 65)
        #expect(run.diagnostics == "tapwire: offset 0009 (9): the month does not exist\n")
        #expect(!run.output.contains("4761739"))
    }

    @Test(
        "A script's command is masked the same alone and in a script",
        arguments: [
            "8424000210FEBF34F00B7CE770DC61DD1E2B42B9A5", "8418000008A4805748F846D851",
            "0020008008241234FFFFFFFFFF", "8424000210FEBF", "04DA9F580900C7356286E3779889",
            "04DA005A0A" + "4761739001010010" + "0102",
        ]
    )
    func scriptCommand(command: String) throws {
        func data(_ run: Run) throws -> [String] {
            func data(_ value: Any?) -> [String] {
                if let list = value as? [Any] { return list.flatMap(data) }
                guard let object = value as? [String: Any] else { return [] }
                if object["place"] as? String == "Data", let text = object["value"] as? String {
                    return [text]
                }
                return object.sorted { $0.key < $1.key }.flatMap { data($0.value) }
            }
            return try data(run.json())
        }
        let length = String(format: "%02X", command.count / 2)
        let alone = try decode("--json", "--as", "command", command)
        let inside = try decode("--json", "--as", "tlv", "86" + length + command)
        #expect(try data(alone) == data(inside))
        #expect(!alone.output.contains("4761739") && !inside.output.contains("4761739"))
        #expect(!alone.output.contains("241234FF") && !inside.output.contains("241234FF"))
    }

    @Test("A certificate alone is recognised, and recovered with a key that is known")
    func bareCertificates() throws {
        func input(_ file: String, _ id: String) throws -> [String: String] {
            struct Case: Decodable {
                var id: String
                var input: [String: Text]
            }
            struct Text: Decodable {
                var text: String?

                init(from decoder: any Decoder) throws {
                    text = try? decoder.singleValueContainer().decode(String.self)
                }
            }
            struct Group: Decodable { var cases: [Case] }
            struct File: Decodable { var groups: [Group] }
            let cases = try RepositoryFile.json("Vectors/\(file).json", as: File.self).groups
            return try #require(cases.flatMap(\.cases).first { $0.id == id }).input
                .compactMapValues(\.text)
        }
        let issuers = try #require(
            input("issuer-certificates", "mh-mc-offline-issuer")["certificate"]
        )
        let keys = try decode("--ca-keys", "Vectors/ca-keys/schemes.json", issuers)
        #expect(keys.exitCode == 0)
        #expect(lines(keys).contains("Guessed (--as certificate)."))
        #expect(
            lines(keys).contains { $0.hasPrefix("Issuer identifier") && $0.hasSuffix("54133390") }
        )
        let card = try input("icc-certificates", "mh-mc-offline-icc")
        let modulus = try #require(card["issuerModulus"])
        let certificate = try #require(card["certificate"])
        let recovered = try decode("--issuer-modulus", modulus, certificate)
        #expect(recovered.output.contains("541333******1513"))
        #expect(!recovered.output.contains("5413339000001513"))
        let open = try decode("--issuer-modulus", modulus, "--unmask", certificate)
        #expect(open.output.contains("5413339000001513"))
        for bytes in [issuers, certificate] {
            let blind = try decode(bytes)
            #expect(blind.exitCode == 0)
            #expect(lines(blind).contains { $0.hasPrefix("Guessed (--as certificate)") })
            #expect(
                blind.output.contains(
                    "as long as a key of 1152 bits; no key known here recovers it"
                )
            )
        }
        // The examples of EMV Book E.
        let cards = try decode(
            "140000202912312359987654321000010260D3FB0E45A5E64834880571152BE93E241D216D407F6F000C263B1CC87517AF43CA1837F6B4321CA70262902037EFCE790DC583828AEA628FFAAEFC08618658035824B9DD96765B97A0CC52C1B668B075ED86BE31DA1159C6F9128863B75A80BD863084A1C965C681AE72DF3B58A9CA8AEC8463DEF0A7FA35C0EE83A5269F65"
        )
        #expect(lines(cards).contains("Guessed (--as certificate)."))
        #expect(lines(cards).contains { $0.hasSuffix("2029-12-31T23:59") })
        let issuersCurve = try decode(
            "120054133390FF1020301231123456A000000004E0CD7400578B1164FEA954658C763C5A94FB3514FA89DB5B3B447AE8F4D5DF870A739061ADBC6FC71C8864EA9D3D6BAB5C9501C058D895FE0F69D92E22412953DC1ACCCBBE60809C5694C739CA54CC3FF4CF0964E1B946C3ED00C4E572A5021988"
        )
        #expect(lines(issuersCurve).contains { $0.hasSuffix("2030-12-31") })
    }

    private func tags(in json: [String: Any]) throws -> [String] {
        func tags(_ objects: Any?) -> [String] {
            (objects as? [[String: Any]] ?? []).flatMap { object in
                [object["tag"] as? String].compactMap(\.self) + tags(object["objects"])
            }
        }
        let sections = try #require(json["sections"] as? [[String: Any]])
        return sections.flatMap { tags($0["objects"]) }
    }

    @Test("00 between objects is padding, and no fault")
    func padding() throws {
        let run = try decode("--as", "tlv", "0000009F2701800000")
        #expect(run.exitCode == 0)
        #expect(lines(run).filter { $0.hasSuffix("padding with 00") }.count == 2)
    }

    @Test("A list and what answers it")
    func filledList() throws {
        let run = try decode("9F02069F1A0295055F2A02", "000000001234005680000000000978")
        #expect(run.exitCode == 0)
        #expect(lines(run).contains("000000001234  12.34 EUR"))
        #expect(lines(run).contains("0056  Belgium"))
        let short = try decode("9F02069F1A02", "0000000012")
        #expect(short.exitCode == 65)
        #expect(
            short.diagnostics
                == "tapwire: offset 0005 (5): the list asks for 8 bytes, and 5 are there\n"
        )
        #expect(short.output.contains("5 of 6 n    Amount, Authorised (Numeric)"))
        let cut = try decode("--as", "dol", "9F02069F")
        #expect(cut.exitCode == 65)
        #expect(lines(cut).contains("9F02      6  Amount, Authorised (Numeric)"))
    }

    // EMV Book 3, 10.1 and 6.5; Book 1, 12.3.2.
    @Test(
        "A status word means what the command makes of it",
        arguments: [
            (
                "80A8000002830000", "6985",
                "conditions of use not satisfied: the terminal offers another application"
            ),
            ("00B2010C00", "6A83", "the file has no such record"),
            ("00A4040007A000000003101000", "6A82", "no application of that name"),
            ("80CA9F3600", "9F360200019000", "success"),
        ]
    )
    func exchange(command: String, response: String, meaning: String) throws {
        let run = try decode(command, response)
        #expect(run.exitCode == 0)
        #expect(lines(run).contains { $0.hasPrefix("SW1 SW2") && $0.hasSuffix(meaning) })
    }

    @Test("An application's name is taken apart, and refused where it is too short or too long")
    func applicationIdentifier() throws {
        let run = try decode("A0000000041010")
        #expect(run.exitCode == 0)
        #expect(lines(run).contains("RID  A000000004  Mastercard"))
        #expect(lines(run).contains { $0.hasPrefix("PIX  1010  ") })
        let unknown = try decode("--as", "aid", "F012345678")
        #expect(unknown.exitCode == 0)
        #expect(!unknown.output.contains("PIX"))
        for text in ["A0000000", "A0000000031010" + String(repeating: "00", count: 10)] {
            let run = try decode("--as", "aid", text)
            #expect(run.exitCode == 65)
            #expect(run.diagnostics.contains("an application identifier has 5 to 16 bytes"))
        }
    }

    @Test("One byte is not called bytes")
    func singular() throws {
        #expect(try decode("9F").diagnostics.contains("this byte is like nothing known here"))
        let command = try decode("00A4040001AA01")
        #expect(lines(command).contains { $0.hasSuffix("1 byte of data") })
        #expect(lines(command).contains { $0.hasSuffix("at most 1 byte") })
        let cut = try decode("--as", "tlv", "9501")
        #expect(cut.diagnostics.contains("95 ends after 0 of its 1 byte\n"))
    }

    @Test("A command's data are those of the list the card gave before")
    func conversation() throws {
        let run = try decode(
            "00A4040007A000000003101000",
            "6F148407A0000000031010A5099F38069F02065F2A029000",
            "80A800000A83080000000012340978" + "00",
            "6985"
        )
        #expect(lines(run).contains("000000001234  12.34 EUR"), "\(run.output)\(run.diagnostics)")
    }

    @Test(
        "Each kind is guessed and told",
        arguments: [
            ("6A82", "sw"), (directory + "9000", "response"), ("00B2010C00", "command"),
            ("9F02069F03069F1A02", "dol"), ("08010100100103011801020020010100", "afl"),
            ("000000000000000042031E031F03", "cvm-list"),
            ("4761739001010010D351220111438825", "track2"),
            ("3B6500002063CB6800", "atr"), ("A0000000031010", "aid"),
            ("9F2608AABBCCDDEEFF001195050000000000", "de55"),
        ]
    )
    func guesses(text: String, kind: String) throws {
        let run = try decode("--json", text)
        #expect(run.exitCode == 0)
        #expect(try run.json()["kind"] as? String == kind)
        #expect(try decode(text).output.contains("Guessed (--as \(kind))"))
        #expect(try !decode("--as", kind, text).output.contains("Guessed"))
    }

    @Test("Account numbers and tracks are masked unless the user says otherwise")
    func masks() throws {
        let number = "4761739001010010"
        for words in [
            [number + "D351220111438825"], ["5A", number], ["57", number + "D351220111438825"],
            ["7012" + "5708" + number + "5A06" + "476173900101"],
            ["00B2010C00", "700A5A08" + number + "9000"], ["700A5A08" + number + "9000"],
            ["700A5A08" + number + "FFFF"],
        ] {
            for json in [[], ["--json"]] {
                let run = try tapwire(["decode"] + json + words)
                #expect(!run.output.contains(number), "\(words)")
                #expect(!run.diagnostics.contains(number), "\(words)")
                #expect(json.isEmpty == run.output.contains("--unmask shows all"), "\(words)")
                let open = try tapwire(["decode", "--unmask"] + json + words)
                #expect(open.output.contains(number), "\(words)")
            }
        }
    }

    @Test(
        "A mistyped account number is not repeated",
        arguments: ["476173900101001x", "5A08476173900101001x"]
    )
    func mistyped(word: String) throws {
        for words in [[word], ["PAN", word], [word, "9000"]] {
            let run = try tapwire(["decode"] + words)
            #expect(run.exitCode == 64)
            #expect(!run.diagnostics.contains("4761739"), "\(run.diagnostics)")
        }
    }

    @Test("Amounts of a CVM list are in the currency of the card")
    func cvmList() throws {
        let run = try decode("--currency", "EUR", "00000064000013884203" + "1F06")
        #expect(lines(run).contains { $0.hasPrefix("X") && $0.hasSuffix("1.00 EUR") })
        #expect(lines(run).contains { $0.hasPrefix("Y") && $0.hasSuffix("50.00 EUR") })
        let inRecord = try decode("7011" + "8E0A00000064000013881F06" + "9F4202" + "0392")
        #expect(inRecord.output.contains("100 JPY"), "\(inRecord.output)")
    }

    // The recorded card's own terminal checked its certificates; the keys are published.
    @Test(
        "Certificates of a recorded card hold with the authority's key, and are told where it is missing"
    )
    func certificates() throws {
        let trace = "Vectors/traces/mastercard-offline.trace"
        let keys = "Vectors/ca-keys/schemes.json"
        let run = try decode("--file", trace, "--ca-keys", keys)
        #expect(run.exitCode == 0)
        #expect(lines(run).filter { $0.hasPrefix("Checks") && $0.hasSuffix("all hold") }.count == 3)
        #expect(lines(run).contains("Issuer identifier  54133390"))
        let blind = try decode("--file", trace)
        #expect(
            blind.output.contains("no key F3 of A000000004 is known: give --ca-keys"),
            "\(blind.output.suffix(600))"
        )
    }

    @Test(
        "A wrong command line is one sentence and 64",
        arguments: [
            (["9F2"], "there are 3 hexadecimal digits, and two make a byte"),
            (["--kernel", "9", "95"], "--kernel needs a number from 1 to 8, not “9”"),
            (["--as", "tvl", "95"], "unknown value of --as “tvl”; did you mean tlv?"),
            (["--rid", "A0", "95"], "--rid needs five bytes in hexadecimal, not “A0”"),
            (["--file", "x", "95"], "give the bytes in the file or as HEX, not both"),
            (
                ["--issuer-exponent", "03", "95"],
                "--issuer-exponent needs --issuer-modulus beside it"
            ),
            (
                ["--issuer-modulus", "00", "95"],
                "--issuer-modulus, --issuer-exponent: a modulus of 1 bytes: it must be odd, without zeros before it, 64 to 248 bytes long"
            ),
        ]
    )
    func usage(words: [String], message: String) throws {
        let run = try tapwire(["decode"] + words)
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics == "tapwire: \(message)\n")
    }

    @Test("A trace that tap wrote is read, from a file and from the standard input")
    func ownTrace() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let trace = scratch.url.appending(path: "v.trace").path
        #expect(
            try tapwire("tap", "--scheme", "visa", "--amount", "12.34", "--trace", trace).exitCode
                == 0
        )
        // What made it unreadable was a letter that is not ASCII.
        try #require(try scratch.text(trace).unicodeScalars.contains { !$0.isASCII })
        let file = try tapwire("decode", "--file", trace)
        #expect(file.exitCode == 0)
        #expect(file.output.contains("GET PROCESSING OPTIONS"))
        #expect(try tapwire(["decode"], inputPath: trace).output == file.output)
        let marked = try tapwire(["decode"], input: "\u{FEFF}" + scratch.text(trace))
        #expect(marked.output == file.output)
        #expect(try tapwire(["decode"], input: "\u{FEFF}95 05 8000048000").exitCode == 0)
    }

    // What each bit is: EMV Book C-8, A.1.
    @Test(
        "Kernel 8 has results with bits of its own",
        arguments: ["95", "9F8104", "9F820B", "9F0E"]
    )
    func kernel8Results(tag: String) throws {
        let run = try decode("--kernel", "8", tag, "84000000C0")
        #expect(run.exitCode == 0)
        #expect(
            lines(run).suffix(4) == [
                "B1 b8  Local authentication was not performed",
                "B1 b3  Local authentication failed",
                "B5 b8  The results have the format of kernel 8",
                "B5 b7  Application identifiers do not match",
            ]
        )
    }

    @Test("A tag alone has the bits of the kernel that was named")
    func kernel8Definition() throws {
        let own = try decode("--kernel", "8", "95").output
        #expect(own.contains("Local authentication failed") && !own.contains("CDA failed"))
        #expect(try decode("95").output.contains("CDA failed"))
    }

    @Test("FF is no tag, and what is behind it is read")
    func filling() throws {
        for text in [
            "FF95050000000000", "FFFF95050000000000", "5A0847617390010100109F0702FF80FF9F3602000A",
        ] {
            let run = try decode("--as", "tlv", text)
            #expect(run.exitCode == 65, "\(text)")
            #expect(run.diagnostics.contains("FF bytes stand where objects should"), "\(text)")
        }
        let run = try decode("--as", "tlv", "9F3602000AFF9F260800000000000000009F10020000")
        #expect(run.diagnostics.contains("offset 0005 (5)"))
        #expect(run.output.contains("9F26") && run.output.contains("9F10"))
        #expect(try decode("--as", "tlv", "FF810503DF8129").exitCode == 65)
        #expect(!(try decode("--as", "tlv", "FF8105009F36020001").diagnostics.contains("FF bytes")))
    }

    @Test("Hexadecimal digits that are a name too are told to be taken as one")
    func hexName() throws {
        let name = try decode("AC")
        #expect(name.diagnostics.contains("“AC” was taken as a name"))
        #expect(try decode("TVR").diagnostics.isEmpty)
        #expect(try decode("--as", "sw", "AC").exitCode == 65)
    }

    @Test("Nonsense is not guessed to be rules, and no key is too short for a certificate")
    func nonsense() throws {
        let zeros = String(repeating: "00", count: 20)
        #expect(!(try decode("11" + zeros + "11").output.contains("CVM")))
        let long = try decode("--as", "cvm-list", String(repeating: "00", count: 254))
        #expect(long.exitCode == 65)
        let short = try decode("--as", "certificate", "0011")
        #expect(short.exitCode == 65)
        #expect(short.diagnostics.contains("a certificate is as long as a key, 64 to 248 bytes"))
    }

    @Test(
        "An option that plays no part is refused",
        arguments: [
            ["--dol", "9F3704"], ["--rid", "A000000003"], ["--static-data", "00"],
            ["--issuer-modulus", String(repeating: "C1", count: 64)],
        ]
    )
    func unused(option: [String]) throws {
        for words in [["95"], ["95", "8000048000"], ["TVR"]] {
            let run = try tapwire(["decode"] + option + words)
            #expect(run.exitCode == 64)
            #expect(run.output.isEmpty)
            #expect(run.diagnostics.contains("\(option[0]) plays no part"))
        }
    }

    @Test("Nothing to decode, or nothing that can be recognised, is one sentence and 65")
    func unreadable() throws {
        let empty = try tapwire(["decode"], input: "")
        #expect(empty.exitCode == 65)
        #expect(
            empty.diagnostics
                == "tapwire: the standard input is empty; it must hold the bytes to decode\n"
        )
        let noise = try decode("FFFFFF")
        #expect(noise.exitCode == 65)
        #expect(noise.diagnostics.hasSuffix("say what they are with --as\n"))
        let untold = try tapwire(["decode"], input: "> 00A4040000\n< 9000\n")
        #expect(untold.exitCode == 65)
        #expect(
            untold.diagnostics
                == "tapwire: the standard input is no trace: line 1: a trace begins with the line “# tapwire trace 1”\n"
        )
        let text = try tapwire(["decode", "-"], input: "hello, world")
        #expect(text.exitCode == 65)
        #expect(
            text.diagnostics
                == "tapwire: the standard input: character 1 is “h”, not a hexadecimal digit\n"
        )
    }
}
