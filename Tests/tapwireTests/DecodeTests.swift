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
        ]
    )
    func usage(words: [String], message: String) throws {
        let run = try tapwire(["decode"] + words)
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics == "tapwire: \(message)\n")
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
