import Foundation
import TestSupport
import Testing

/// Runs `tapwire crypto` and reads its JSON.
private func compute(_ words: String) throws -> (exitCode: Int32, values: [String: Any]) {
    let run = try tapwire(["crypto"] + words.split(separator: " ").map(String.init) + ["--json"])
    return (run.exitCode, try run.json())
}

private let issuerKey = "--issuer-key 0123456789ABCDEFFEDCBA9876543210"

/// Every kind of calculation, a member of its result, and the value.
///
/// They are those of the vectors, which name their sources.
private let calculations: [(words: String, member: String, value: String)] = [
    (
        "master-key \(issuerKey) --pan 12345678901234567 --psn 01", "key",
        "73AD54688CEF2934B0979857E3C719F1"
    ),
    (
        "master-key \(issuerKey) --pan 12345678901234567 --psn 01 --option B", "key",
        "AD406D7F6D7570916D75E5DCAB8CF737"
    ),
    (
        "master-key \(issuerKey) --pan 4111111111111111 --no-parity", "key",
        "30089565674D73ED841A6F0637029C18"
    ),
    (
        "master-key \(issuerKey) --pan 5413330089600010 --psn 01 --option C", "key",
        "01FDF8A96088F9952FD31AAF3940635A"
    ),
    (
        "session-key --card-key 0123456789ABCDEFFEDCBA9876543210 --atc 001C", "key",
        "E9FB384AF807B940FEDCEA613461B0C4"
    ),
    (
        "session-key --method mastercard --card-key 438F4A976EC80DB3F4D31C0DCB32A226 --atc 0001 --un 12345678",
        "key", "DC9B04FE621F5BAE5E195470E3458F1A"
    ),
    (
        "session-key --method visa-script --card-key 94E3194C02105E3B153438D562D5A49D --atc 0003",
        "key", "94E3194C02105E38153438D562D55B61"
    ),
    (
        "session-key --method mastercard-script --card-key AEB0F198A498E067C4E63D94A770A80E --cryptogram 51DB71A5DCC47F8A --command-number 1 --no-parity",
        "key", "E46C87DD5AC1177FCCE8F7A1C56A40C6"
    ),
    (
        "session-key --method emv2000 --card-key 0123456789ABCDEF0123456789ABCDEF --atc FFFF --iv F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0",
        "key", "73E3B0A1406E5E4908D5804C4970E520"
    ),
    (
        "session-key --method emv2000 --height 8 --card-key 0123456789ABCDEF0123456789ABCDEF --atc FFFF",
        "key", "D93D7A6B70F867615D4AAB79BF235B62"
    ),
    (
        "session-key --method aes --card-key 01FDF8A96088F9952FD31AAF3940635A --atc 0001",
        "key", "02E99E8B069C55D08223A507BFA92432"
    ),
    (
        "luk --card-key C8B507136D921FD05864C81F79F2D30B --index 0570201", "key",
        "3EA78DED27B7BB01F9069B8E34C443BC"
    ),
    (
        "luk --card-key 94E3194C02105E3B153438D562D5A49D --year 2026 --hour 6431 --counter 1 --year-digits 2 --atc 0001",
        "value", "634"
    ),
    ("kcv --key 0123456789ABCDEFFEDCBA9876543210", "checkValue", "08D7B4"),
    ("kcv --key 0123456789ABCDEF", "checkValue", "D5D44F"),
    (
        "kcv --key 0123456789ABCDEFFEDCBA987654321089ABCDEF01234567", "checkValue", "3FD539"
    ),
    (
        "kcv --algorithm aes --check-method zeros --key 0123456789ABCDEFFEDCBA98765432100011223344556677",
        "checkValue", "1EB624"
    ),
    (
        "ac --session-key AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBB --data 68656C6C6F20776F726C64",
        "cryptogram", "2BC2D9EDE0CF31F6"
    ),
    (
        "ac --session-key AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBB --padding zeros --data 68656C6C6F20776F726C64",
        "cryptogram", "78DA3D3DEB48FD4D"
    ),
    (
        "ac --algorithm aes --session-key 02E99E8B069C55D08223A507BFA92432 --data 000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C198000010110A00003220000",
        "cryptogram", "D66C7CC14358598C"
    ),
    (
        "ac --version visa-18 \(issuerKey) --pan 4111111111111111 --atc 0001 --data 00000000100000000000000007240000000000097825092500123456781800000103A4A000",
        "cryptogram", "A8DB2B65F9C821F1"
    ),
    (
        "arpc --key 38F14068B3EA57C194F8E3A20D51E3E6 --cryptogram A8DB2B65F9C821F1 --arc 3030",
        "responseCryptogram", "ADCB085B842E0A9D"
    ),
    (
        "arpc --method 2 --key 38F14068B3EA57C194F8E3A20D51E3E6 --cryptogram A8DB2B65F9C821F1 --csu 00820000",
        "issuerAuthenticationData", "54DB262500820000"
    ),
    (
        "script-mac --key B97A1C1FCE087C3B6820B52F62AB7667 --header 8418000008 --atc 001C --cryptogram 7A788EA6B8A3E733",
        "mac", "A4805748F846D851"
    ),
    (
        "script-mac --form header --key 458FCDD3F707AD75C47961E926F40D4F --header 8424000008",
        "mac", "B574ABB0A485A330"
    ),
    (
        "script-encipher --key 9EE6A89276B008516226F8CE75FD8C02 --data 249999FFFFFFFFFF",
        "enciphered", "28367E05DE3381C2"
    ),
    (
        "script-encipher --key 52E0E0B692027FD59170C7B6D3BCB5D0 --scheme visa --data 049999FFC4B001F1",
        "enciphered", "D421231A6FD2F0FAEE671384F0D3A7B9"
    ),
    (
        "script-encipher --decipher --key 52E0E0B692027FD59170C7B6D3BCB5D0 --scheme visa --data D421231A6FD2F0FAEE671384F0D3A7B9",
        "data", "049999FFC4B001F1"
    ),
    (
        "cvc3 --issuer-key 12345678123456781234567812345678 --pan 1234567890123456 --track 1234567890123456D12012061000110000000F --un 00002710 --atc 2710",
        "decimal", "39464"
    ),
    (
        "cvv --key 0123456789ABCDEFFEDCBA9876543210 --pan 4333322221111222 --expiry 9307 --service-code 141",
        "value", "382"
    ),
    (
        "cvv --kind dcvv --key DCE992BCE398C264F7858AFD4C4A324A --pan 1234567890123456 --expiry 1310 --service-code 226 --atc-digits 3210",
        "value", "422"
    ),
    (
        "cvv --kind pvv --key 0123456789ABCDEFFEDCBA9876543210 --pan 1122334455667788 --pin 4524 --key-index 1",
        "value", "8523"
    ),
    ("pin-block --format 0 --pin 1234 --pan 5555555551234567", "block", "041261AAAAEDCBA9"),
    ("pin-block --format 1 --pin 1234 --filler 0123456789", "block", "1412340123456789"),
    ("pin-block --format 2 --pin 123456789", "block", "29123456789FFFFF"),
    (
        "pin-block --format 3 --pin 123456789012 --pan 5555555551234567 --filler AAAAAAAAAA",
        "block", "3C1261032D8226FC"
    ),
    (
        "pin-block --format 4 --pin 1234 --pan 1234567890123456789 --random FFFFFFFFFFFFFFFF --key 00112233445566778899AABBCCDDEEFF",
        "block", "28B41FDDD29B743E93124BD8E32D921E"
    ),
    (
        "pin-block --format visa --pin 9999 --card-key 2F98ADEF3B4FFE0E5832759BB5D057D6 --current-pin 8888",
        "block", "8C1199FFC4B001F1"
    ),
    (
        "pin-block --format 0 --block 091261032D8DCBA9 --pan 5555555551234567", "pin",
        "123456789"
    ),
    (
        "pin-block --format 4 --block 39B69B1B91FE05D48F7EF0D68EB2CBD6 --pan 1 --key 00112233445566778899AABBCCDDEEFF",
        "pin", "123456"
    ),
]

@Suite("tapwire crypto")
struct CryptoTests {
    @Test("Each calculation gives the value published", arguments: calculations)
    func values(words: String, member: String, expected: String) throws {
        let (exitCode, values) = try compute(words)
        #expect(exitCode == 0)
        #expect(values[member] as? String == expected)
    }

    @Test("Each calculation shows what was computed on the way", arguments: calculations)
    func steps(words: String, member: String, expected: String) throws {
        let steps = try compute(words + " --steps").values["steps"] as? [String: Any]
        #expect(steps?.isEmpty == false)
        let text = try tapwire(["crypto"] + words.split(separator: " ").map(String.init))
        let long = try tapwire(
            ["crypto"] + words.split(separator: " ").map(String.init) + ["--steps"]
        )
        #expect(long.output.count > text.output.count)
    }

    /// Values of Python's `cryptography` and hashlib; the certificates are the examples of EMV Book E.
    @Test(
        "A step is the value another program has there",
        arguments: [
            (
                "cvv --key 0123456789ABCDEFFEDCBA9876543210 --pan 4333322221111222 --expiry 9307 --service-code 141",
                ["block": "43333222211112229307141000000000", "enciphered": "B3ABAFDF8B2683C7"]
            ),
            (
                "cvv --kind dcvv --key DCE992BCE398C264F7858AFD4C4A324A --pan 1234567890123456 --expiry 1310 --service-code 226 --atc-digits 3210",
                ["block": "32105678901234561310226000000000"]
            ),
            (
                "cvv --kind pvv --key 0123456789ABCDEFFEDCBA9876543210 --pan 1122334455667788 --pin 4524 --key-index 1",
                ["block": "3344556677814524", "enciphered": "C8FBF5FE2370DDCF"]
            ),
            (
                "pin-block --format 0 --pin 1234 --pan 5555555551234567",
                ["pinField": "041234FFFFFFFFFF", "accountField": "0000555555123456"]
            ),
            (
                "pin-block --format 0 --block 041261AAAAEDCBA9 --pan 5555555551234567",
                ["pinField": "041234FFFFFFFFFF", "accountField": "0000555555123456"]
            ),
            (
                "pin-block --format 4 --pin 1234 --pan 1234567890123456789 --random FFFFFFFFFFFFFFFF --key 00112233445566778899AABBCCDDEEFF",
                [
                    "pinField": "441234AAAAAAAAAAFFFFFFFFFFFFFFFF",
                    "enciphered": "CCFFA14C0DDB760827CA556A7C87F137",
                    "accountField": "71234567890123456789000000000000",
                ]
            ),
            (
                "pin-block --format visa --pin 9999 --card-key 2F98ADEF3B4FFE0E5832759BB5D057D6 --current-pin 8888",
                [
                    "pinField": "049999FFFFFFFFFF", "keyField": "000000003B4FFE0E",
                    "currentPINField": "8888000000000000",
                ]
            ),
            ("kcv --key 0123456789ABCDEFFEDCBA9876543210", ["block": "08D7B4FB629D0885"]),
            (
                "certificate --certificate 120054133390FF1020301231123456A000000004E0CD7400578B1164FEA954658C763C5A94FB3514FA89DB5B3B447AE8F4D5DF870A739061ADBC6FC71C8864EA9D3D6BAB5C9501C058D895FE0F69D92E22412953DC1ACCCBBE60809C5694C739CA54CC3FF4CF0964E1B946C3ED00C4E572A5021988 --rid A000000004 --ca-index E0 --ca-x F60DAECD42B48FCCA547D942204D6098F1A353A5CD25CBDF2EC1ABFD0170E0FC",
                [
                    "hash": "739061ADBC6FC71C8864EA9D3D6BAB5C9501C058D895FE0F69D92E22412953DC",
                    "computedHash":
                        "739061ADBC6FC71C8864EA9D3D6BAB5C9501C058D895FE0F69D92E22412953DC",
                ]
            ),
            (
                "certificate --certificate 140000202912312359987654321000010260D3FB0E45A5E64834880571152BE93E241D216D407F6F000C263B1CC87517AF43CA1837F6B4321CA70262902037EFCE790DC583828AEA628FFAAEFC08618658035824B9DD96765B97A0CC52C1B668B075ED86BE31DA1159C6F9128863B75A80BD863084A1C965C681AE72DF3B58A9CA8AEC8463DEF0A7FA35C0EE83A5269F65 --issuer-x CD7400578B1164FEA954658C763C5A94FB3514FA89DB5B3B447AE8F4D5DF870A",
                ["hash": "035824B9DD96765B97A0CC52C1B668B075ED86BE31DA1159C6F9128863B75A80"]
            ),
        ]
    )
    func stepValues(words: String, expected: [String: String]) throws {
        let steps = try compute(words + " --steps").values["steps"] as? [String: Any]
        for (name, value) in expected { #expect(steps?[name] as? String == value, "\(name)") }
    }

    @Test(
        "An option that plays no part is refused",
        arguments: [
            ("arpc --key KEY --cryptogram 0011223344556677 --arc 3030", "csu", "00820000"),
            ("arpc --key KEY --cryptogram 0011223344556677 --arc 3030", "proprietary", "00"),
            (
                "arpc --method 2 --key KEY --cryptogram 0011223344556677 --csu 00820000", "arc",
                "3030"
            ),
            ("ac --session-key KEY --data 00", "card-key", "KEY"),
            ("ac --session-key KEY --data 00", "issuer-key", "KEY"),
            ("ac --session-key KEY --data 00", "pan", "4761739001010010"),
            ("ac --session-key KEY --data 00", "psn", "01"),
            ("ac --session-key KEY --data 00", "option", "B"),
            ("ac --session-key KEY --data 00", "version", "visa-18"),
            ("ac --session-key KEY --data 00", "atc", "0001"),
            ("ac --session-key KEY --data 00", "un", "00000001"),
            ("ac --algorithm aes --session-key KEY --data 00", "padding", "zeros"),
            ("ac --version visa-10 --card-key KEY --data 00", "padding", "zeros"),
            ("ac --version visa-10 --card-key KEY --data 00", "issuer-key", "KEY"),
            ("ac --version visa-10 --session-key KEY --objects OBJECTS", "data", "00"),
            (
                "ac --version visa-10 --session-key KEY --objects OBJECTS", "cryptogram",
                "0011223344556677"
            ),
            ("ac --version visa-10 --session-key KEY --objects OBJECTS", "card-key", "KEY"),
            ("ac --version visa-10 --session-key KEY --objects OBJECTS", "algorithm", "tdes"),
            ("session-key --card-key KEY --atc 0001", "issuer-key", "KEY"),
            ("session-key --card-key KEY --atc 0001", "un", "00000001"),
            ("session-key --card-key KEY --atc 0001", "iv", "KEY"),
            ("session-key --card-key KEY --diversifier 0011223344556677", "atc", "0001"),
            ("session-key --method emv2000 --card-key KEY --atc 0001", "no-parity", ""),
            ("session-key --method pboc --card-key KEY --atc 0001", "no-parity", ""),
            ("session-key --method aes --card-key KEY --atc 0001", "pan", "4761739001010010"),
            ("master-key --option C --issuer-key KEY --pan 4761739001010010", "no-parity", ""),
            ("luk --card-key KEY --index 0570201", "year", "2026"),
            ("luk --card-key KEY --index 0570201", "device-type", "000000000001"),
            ("kcv --key KEY", "check-method", "cmac"),
            ("script-mac --form header --key KEY --header 8424000008", "atc", "0001"),
            (
                "script-mac --form header --key KEY --header 8424000008", "cryptogram",
                "0011223344556677"
            ),
            ("cvc3 --card-key KEY --ivcvc3 60B9 --un 00000012 --atc 0001", "track", "00"),
            ("cvc3 --card-key KEY --ivcvc3 60B9 --un 00000012 --atc 0001", "pcvc3", "0038"),
            ("cvc3 --card-key KEY --ivcvc3 60B9 --un 00000012 --atc 0001", "on-device", ""),
            (
                "cvv --key KEY --pan 4333322221111222 --expiry 9307 --service-code 141", "pin",
                "1234"
            ),
            (
                "cvv --key KEY --pan 4333322221111222 --expiry 9307 --service-code 141",
                "atc-digits", "0001"
            ),
            ("cvv --kind pvv --key KEY --pan 4333322221111222 --pin 1234", "expiry", "9307"),
            (
                "cvv --kind dcvv --key KEY --pan 4333322221111222 --expiry 9307 --service-code 141 --atc-digits 0001",
                "digits", "4"
            ),
            ("pin-block --format 2 --pin 1234", "pan", "5555555551234567"),
            ("pin-block --format 2 --pin 1234", "filler", "0123456789"),
            ("pin-block --format 2 --pin 1234", "card-key", "KEY"),
            ("pin-block --format 2 --block 241234FFFFFFFFFF", "pin", "1234"),
            (
                "certificate --certificate CERTIFICATE --rid A000000004 --ca-index E0 --ca-x X",
                "remainder", "00"
            ),
            (
                "certificate --certificate CERTIFICATE --rid A000000004 --ca-index E0 --ca-x X",
                "ca-modulus", "00"
            ),
            (
                "sdad --signature SIGNATURE --icc-modulus MODULUS --terminal-data ABABABAB", "un",
                "ABABABAB"
            ),
            (
                "sdad --signature SIGNATURE --icc-modulus MODULUS --terminal-data ABABABAB",
                "cdol1-data", "00"
            ),
        ]
    )
    func unused(words: String, option: String, value: String) throws {
        func filled(_ text: String) -> String {
            let parts = [
                ("KEY", "0123456789ABCDEFFEDCBA9876543210"),
                (
                    "OBJECTS",
                    "9F02060000000002009F03060000000000009F1A020840950500000000005F2A0208409A032611309C01009F370411223344820220009F360200019F10070601"
                        + "0A03A00000"
                ),
                (
                    "CERTIFICATE",
                    "120054133390FF1020301231123456A000000004E0CD7400578B1164FEA954658C763C5A94FB3514FA89DB5B3B447AE8F4D5DF870A739061ADBC6FC71C8864EA9D3D6BAB5C9501C058D895FE0F69D92E22412953DC1ACCCBBE60809C5694C739CA54CC3FF4CF0964E1B946C3ED00C4E572A5021988"
                ),
                (
                    "SIGNATURE",
                    "762F1D0A5B81419A5481ECD0391DE135B95C99931B05C68FD1B6B7720CBCE92AA1B5B90441A3E91E3B20DFEE7A25385DD101B63779050598388CEA5E10E953A70F655BCB6308D396B8B4DA51F5DD6DCD6321E2783E3F8363ED657961F18E759C"
                ),
                (
                    "MODULUS",
                    "900000000000000000000000001200000000000000000000000000000000480000000000000000000000000000000010800000000000000000000000019800000000000000000000000000000006600000000000000000000000000000000055"
                ),
                ("X", "F60DAECD42B48FCCA547D942204D6098F1A353A5CD25CBDF2EC1ABFD0170E0FC"),
            ]
            return text.split(separator: " ").map { word in
                parts.first { $0.0 == word }?.1 ?? String(word)
            }.joined(separator: " ")
        }
        let base = ["crypto"] + filled(words).split(separator: " ").map(String.init)
        let good = try tapwire(base)
        #expect(good.exitCode == 0, "\(good.diagnostics)")
        let run = try tapwire(base + ["--\(option)"] + (value.isEmpty ? [] : [filled(value)]))
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.hasPrefix("tapwire: --\(option) plays no part"))
    }

    @Test(
        "An expiry that is no month is remarked",
        arguments: [("9213", 1), ("0012", 0), ("1299", 0)]
    )
    func oddExpiry(expiry: String, count: Int) throws {
        let words =
            "cvv --key 0123456789ABCDEFFEDCBA9876543210 --pan 4333322221111222 --service-code 141"
        let (exitCode, values) = try compute(words + " --expiry \(expiry)")
        #expect(exitCode == 0)
        #expect((values["remarks"] as? [String] ?? []).count == count)
        let run = try tapwire(
            ["crypto"] + words.split(separator: " ").map(String.init) + ["--expiry", expiry]
        )
        #expect(run.diagnostics.isEmpty == (count == 0))
    }

    @Test("The objects of a host message are enough for its cryptogram")
    func hostMessage() throws {
        let objects =
            "4F07A0000000041010571354133300896041" + "11D22122010123409172029F82021980"
            + "5F3401019505000000800" + "09A031701059C01009F02060000000310009F0306000000000000"
            + "9F10120111A04009220000000000000000000000FF9F1A020840" + "5F2A020840"
            + "9F2608C988F5EE999922D79F360200049F37044A7275FB"
        let words = "ac --issuer-key 9E15204313F7318ACB79B90BD986AD29 --objects \(objects)"
        let (exitCode, values) = try compute(words + " --steps")
        #expect(exitCode == 0)
        #expect(values["isGenuine"] as? Bool == true)
        #expect(values["version"] as? String == "M/Chip CVN 11 (17 decimal)")
        let steps = try #require(values["steps"] as? [String: String])
        #expect(steps["cardKey"] == "DFA7EF76B54F73014C974FFD0EF1FD43")
        #expect(steps["sessionKey"] == "EC7F0715457A6ED6C7EF61898337F2E5")

        let changed = words.replacingOccurrences(of: "000000031000", with: "000000041000")
        let other = try compute(changed)
        #expect(other.exitCode == 1)
        #expect(other.values["isGenuine"] as? Bool == false)
    }

    @Test("Every example in the help works")
    func examples() throws {
        let help = try tapwire("crypto", "--help").output
        let names = help.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("  "), !line.hasPrefix("   "), !line.hasPrefix("  --") else {
                return nil
            }
            return line.split(separator: " ").first.map(String.init)
        }
        let commands = names.filter { $0 != "help" && $0 != "batch" }
        #expect(commands.count == 13)
        for name in commands {
            let examples = try tapwire("crypto", name, "--help").output.split(separator: "\n")
                .filter { $0.hasPrefix("  tapwire crypto \(name) ") }
            #expect(!examples.isEmpty, "\(name)")
            for example in examples {
                let words = example.split(separator: " ").dropFirst().map(String.init)
                let run = try tapwire(words + ["--steps"])
                #expect(run.exitCode == 0, "\(example): \(run.diagnostics)")
                #expect(!run.output.isEmpty)
            }
        }
    }

    @Test(
        "What is wrong is one sentence that names the option",
        arguments: [
            ("", "unknown subcommand “kvc”; did you mean kcv?", ["kvc"]),
            ("kcv", "--key is missing: it needs a key in hexadecimal", []),
            ("kcv", "--key needs a key of 8, 16 or 24 bytes, not of 1", ["--key", "01"]),
            (
                "kcv",
                "--key needs a key of 8, 16 or 24 bytes, not of 32; for an AES key say --algorithm aes",
                ["--key", String(repeating: "01", count: 32)]
            ),
            (
                "kcv", "--key needs a key in hexadecimal, and here 3 digits are an odd number",
                ["--key", "012"]
            ),
            (
                "kcv",
                "--key needs a key in hexadecimal, and here character 2 is not a hexadecimal digit",
                ["--key", "0x12"]
            ),
            (
                "kcv", "--key needs a key of 16, 24 or 32 bytes, not of 17",
                ["--algorithm", "aes", "--key", String(repeating: "11", count: 17)]
            ),
            (
                "ac", "--objects, byte 3: a value is shorter than its length says",
                [
                    "--issuer-key", String(repeating: "11", count: 16), "--pan", "4761739001010010",
                    "--version", "visa-17", "--objects", "9F0206",
                ]
            ),
            ("master-key", "a key is missing: give --card-key, or --issuer-key with --pan", []),
            (
                "master-key", "--pan is missing: it needs a PAN",
                ["--issuer-key", String(repeating: "11", count: 16)]
            ),
            (
                "master-key", "--psn needs a PAN sequence number of 2 digits and nothing else",
                [
                    "--issuer-key", String(repeating: "11", count: 16), "--pan", "4761739001010010",
                    "--psn", "1",
                ]
            ),
            (
                "luk", "an index is missing: give --index, or --year and --hour",
                ["--card-key", String(repeating: "11", count: 16)]
            ),
            (
                "luk", "--hour needs a number from 1 to 8760, not “9000”",
                [
                    "--card-key", String(repeating: "11", count: 16), "--year", "2026", "--hour",
                    "9000",
                ]
            ),
            ("ac", "data are missing: give --objects or --data", []),
            (
                "ac",
                "the version is missing: give --version, or 9F10 and 4F or 84 among --objects",
                ["--objects", "9A03260101"]
            ),
            (
                "ac", "--objects: 9F02 is missing; add it",
                ["--version", "visa-10", "--objects", "9F1000"]
            ),
            (
                "ac",
                "a key is missing: give --session-key, or --version with a card or issuer key",
                ["--data", "00"]
            ),
            (
                "cvc3", "track data are missing: give --track or --ivcvc3",
                [
                    "--card-key", String(repeating: "11", count: 16), "--un", "00000001", "--atc",
                    "0001",
                ]
            ),
            (
                "cvc3", "--pcvc3, --punatc and --natc do not fit together or go beyond --placed-in",
                [
                    "--card-key", String(repeating: "11", count: 16), "--un", "00000001", "--atc",
                    "0001", "--ivcvc3", "0001", "--placed-in", "123", "--pcvc3", "0038", "--punatc",
                    "0006",
                ]
            ),
            ("pin-block", "give --pin to make a block, or --block to read one", []),
            (
                "pin-block",
                "--key is for --format 4 alone: leave it out, a block of --format 0 is not enciphered",
                [
                    "--pin", "1234", "--pan", "5555555551234567", "--key",
                    String(repeating: "11", count: 16),
                ]
            ),
            (
                "pin-block", "--filler needs 10 to 14 hexadecimal digits for this PIN",
                ["--format", "1", "--pin", "1234"]
            ),
            (
                "pin-block", "--block has 1 bytes; blocks have 8, those of --format 4 have 16",
                ["--format", "2", "--block", "24"]
            ),
            (
                "certificate",
                "the key that signed is missing: give --ca-modulus, --rid and --ca-index, or --issuer-modulus",
                ["--certificate", "00"]
            ),
            (
                "certificate",
                "no key 99 of A000000003 is known; give --ca-modulus, or a file with --ca-keys",
                ["--certificate", "00", "--rid", "A000000003", "--ca-index", "99"]
            ),
            (
                "certificate", "--ca-x: the number is not the coordinate of a point of the curve",
                [
                    "--certificate", "00", "--rid", "A000000003", "--ca-index", "99", "--ca-x",
                    String(repeating: "FF", count: 32),
                ]
            ),
            (
                "sdad", "--icc-modulus, --icc-exponent: an exponent must be 03 or 010001",
                [
                    "--signature", "00", "--icc-modulus", String(repeating: "FF", count: 64),
                    "--icc-exponent", "05", "--terminal-data", "00",
                ]
            ),
        ]
    )
    func usage(name: String, message: String, options: [String]) throws {
        let run = try tapwire(["crypto"] + (name.isEmpty ? [] : [name]) + options)
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics == "tapwire: \(message)\n")
    }

    @Test(
        "What contradicts itself is one sentence and 64",
        arguments: [
            ("ac --objects 9F360200019F36020002 --version visa-10", "--objects has 9F36 twice"),
            (
                "ac --objects 5A08476173900101001057135413330089600010D25122010000000000000F --version visa-10",
                "57 and 5A among --objects have different account numbers"
            ),
            (
                "ac --objects 5A084761739001010010 --version visa-10 --pan 5413330089600010",
                "--pan is not the account number of 5A"
            ),
            (
                "ac --objects 5F340101 --version visa-10 --psn 02",
                "--psn is not the 5F34 among --objects"
            ),
            (
                "script-mac --key 94F867167C64EF23EAB0CB627A7ACB62 --header 8418000008 --length 4 --form header",
                "--header ends with Lc 08, and data and MAC together have 4 bytes, which is 04"
            ),
            (
                "script-mac --key 94F867167C64EF23EAB0CB627A7ACB62 --header 8418000008 --data 0102 --form header",
                "--header ends with Lc 08, and data and MAC together have 10 bytes, which is 0A"
            ),
            (
                "luk --card-key C8B507136D921FD05864C81F79F2D30B --index 0000000",
                "--index has an hour that no such year has"
            ),
            (
                "luk --card-key C8B507136D921FD05864C81F79F2D30B --year 2026 --hour 8784",
                "--hour needs a number from 1 to 8760"
            ),
            (
                "pin-block --format 1 --pin 123456 --filler AAAAAAA",
                "--filler needs 8 to 14 hexadecimal digits for this PIN"
            ),
        ]
    )
    func contradictions(words: String, message: String) throws {
        let run = try tapwire(["crypto"] + words.split(separator: " ").map(String.init))
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.contains(message), "\(run.diagnostics)")
    }

    @Test("A PIN block takes as many filling digits as it needs")
    func shortFiller() throws {
        let (_, filled) = try compute("pin-block --format 1 --pin 123456 --filler ABCDEF01")
        #expect(filled["block"] as? String == "16123456ABCDEF01")
    }

    @Test("A file of keys that is not there is 65")
    func missingFile() throws {
        let run = try tapwire(
            "crypto",
            "certificate",
            "--certificate",
            "00",
            "--rid",
            "A000000003",
            "--ca-index",
            "99",
            "--ca-keys",
            "nowhere.json"
        )
        #expect(run.exitCode == 65)
        #expect(
            run.diagnostics
                == "tapwire: CA key file “nowhere.json” does not exist; check the path\n"
        )
    }

    @Test(
        "What does not hold is told beside what was found, with 1",
        arguments: [
            (
                ["pin-block", "--format", "2", "--block", "241234FFFFFFFFF0"],
                "what fills the block up is not what --format demands"
            ),
            (
                ["pin-block", "--format", "2", "--block", "341234FFFFFFFFFF"],
                "the block begins as one of format 3, which --format does not say"
            ),
            (
                [
                    "script-encipher", "--decipher", "--scheme", "ccd", "--key",
                    String(repeating: "11", count: 16), "--data", "0011223344556677",
                ],
                "--data do not decipher: they are no whole blocks, or not filled up as --scheme says"
            ),
        ]
    )
    func failures(words: [String], message: String) throws {
        let run = try tapwire(["crypto"] + words)
        #expect(run.exitCode == 1)
        #expect(run.diagnostics == "tapwire: \(message)\n")
    }

    @Test("A line of JSON has an answer each, and a wrong one an error")
    func batch() throws {
        let lines = """
            {"id": 7, "operation": "kcv", "key": "0123456789ABCDEFFEDCBA9876543210"}

            {"id": "b", "operation": "session-key", "cardKey": "0123456789ABCDEFFEDCBA9876543210", "atc": "001C", "steps": true}
            {"operation": "luk", "card-key": "94E3194C02105E3B153438D562D5A49D", "year": 2026, "hour": 6431, "counter": 1}
            {"operation": "master-key", "issuerKey": "0123456789ABCDEFFEDCBA9876543210", "pan": "4111111111111111", "noParity": true}
            {"operation": "kvc"}
            {"operation": "kcv", "kye": "00"}
            {"id": 8}
            [1]
            {"operation": "kcv", "key": "00", "key": "01"}
            {"operation": "luk", "cardKey": "00", "card-key": "00"}
            {"operation": "kcv", "key": [1]}
            """
        let run = try tapwire(["crypto", "batch"], input: lines)
        #expect(run.exitCode == 1)
        #expect(
            run.output == """
                {"id":7,"checkValue":"08D7B4"}
                {"id":"b","key":"E9FB384AF807B940FEDCEA613461B0C4","checkValue":"7DD53C","steps":{"leftBlock":"001CF00000000000","rightBlock":"001C0F0000000000"}}
                {"key":"0EF0BCEA57547B6489F73F86090BBE33","checkValue":"74FCD9"}
                {"key":"30089565674D73ED841A6F0637029C18","checkValue":"9595D5"}
                {"error":"unknown operation “kvc”"}
                {"error":"kcv takes no “kye”"}
                {"id":8,"error":"\\"operation\\" is missing"}
                {"error":"must be an object in braces, not a list"}
                {"error":"is not JSON: line 1, column 35: \\"key\\" is here a second time"}
                {"error":"“card-key” is there in both ways of writing"}
                {"error":"key: must be a text, number or truth value, not a list"}

                """
        )
        let good = try tapwire(
            ["crypto", "batch"],
            input: "{\"operation\":\"kcv\",\"key\":\"0123456789ABCDEFFEDCBA9876543210\"}"
        )
        #expect(good.exitCode == 0)
    }

    @Test("Help reaches every depth")
    func help() throws {
        let whole = try tapwire("crypto", "--help")
        #expect(whole.exitCode == 0)
        #expect(whole.output.contains("Usage: tapwire crypto SUBCOMMAND [options]"))
        #expect(try tapwire("help", "crypto").output == whole.output)
        #expect(try tapwire("crypto", "help").output == whole.output)
        let one = try tapwire("crypto", "arpc", "--help").output
        #expect(one.contains("Usage: tapwire crypto arpc [options]"))
        #expect(try tapwire("help", "crypto", "arpc").output == one)
        let bare = try tapwire("crypto")
        #expect(bare.exitCode == 64)
        #expect(bare.output.isEmpty)
    }
}

/// One case of a file of vectors, as far as these tests look at it.
private struct Case: Decodable {
    var id: String
    var input: [String: String?]
    var expected: [String: String?]
    var result: String

    private enum CodingKeys: CodingKey { case id, input, expected, result }

    /// A member that may be something else than a text.
    private struct Text: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        result = try container.decode(String.self, forKey: .result)
        input = try container.decode([String: Text].self, forKey: .input).mapValues(\.text)
        expected = try container.decode([String: Text].self, forKey: .expected).mapValues(\.text)
    }

    /// Options of these names, for the members that there are.
    func options(_ names: (String, String)...) -> [String] {
        names.flatMap { member, option -> [String] in
            guard let value = input[member] ?? nil, !value.isEmpty else { return [] }
            return ["--\(option)", value]
        }
    }

    /// Everything that CDA covers, of which the last byte stands for the answer.
    var transactionOptions: [String] {
        guard let data = input["transactionData"] ?? nil else { return [] }
        return ["--cdol1-data", String(data.dropLast(2)), "--response", String(data.suffix(2))]
    }

    /// The option for the day, which files give as YYMMDD.
    var dateOption: [String] {
        guard let day = input["date"] ?? nil else { return [] }
        let digits = Array(day)
        return [
            "--date", "20\(String(digits[..<2]))-\(String(digits[2..<4]))-\(String(digits[4...]))",
        ]
    }
}

private struct CaseFile: Decodable {
    struct Group: Decodable { var cases: [Case] }
    var groups: [Group]

    static func cases(_ name: String) throws -> [Case] {
        try RepositoryFile.json("Vectors/\(name).json", as: CaseFile.self).groups
            .flatMap(\.cases)
    }
}

@Suite("tapwire crypto on certificates")
struct CryptoCertificateTests {
    @Test("Issuer certificates recover, and wrong ones say why")
    func issuerCertificates() throws {
        // A list of certificates called back is the terminal's and no option; an exponent left out is 03.
        for vector in try CaseFile.cases("issuer-certificates")
        where vector.input["revoked"] == nil && vector.input["exponent"] != "" {
            let run = try tapwire(
                ["crypto", "certificate", "--json"]
                    + vector.options(
                        ("certificate", "certificate"),
                        ("remainder", "remainder"),
                        ("exponent", "exponent"),
                        ("caModulus", "ca-modulus"),
                        ("caExponent", "ca-exponent"),
                        ("rid", "rid"),
                        ("index", "ca-index"),
                        ("pan", "pan")
                    ) + vector.dateOption
            )
            #expect((run.exitCode == 0) == (vector.result == "valid"), "\(vector.id)")
            guard run.exitCode != 64 else {
                #expect(run.diagnostics.hasPrefix("tapwire: --"), "\(vector.id)")
                continue
            }
            let values = try run.json()
            if vector.result == "valid" {
                #expect(isExpected(values["modulus"], vector.expected["modulus"] ?? nil))
                #expect(run.diagnostics.isEmpty)
            } else {
                #expect(run.diagnostics.hasPrefix("tapwire: --certificate: "), "\(vector.id)")
                #expect(run.diagnostics == "tapwire: \(values["error"] ?? "")\n")
            }
        }
    }

    @Test("Card certificates recover, and wrong ones say why")
    func cardCertificates() throws {
        for vector in try CaseFile.cases("icc-certificates")
        where vector.input["exponent"] != "" {
            let run = try tapwire(
                ["crypto", "certificate", "--json", "--steps"]
                    + vector.options(
                        ("certificate", "certificate"),
                        ("remainder", "remainder"),
                        ("exponent", "exponent"),
                        ("issuerModulus", "issuer-modulus"),
                        ("issuerExponent", "issuer-exponent"),
                        ("staticData", "static-data"),
                        ("pan", "pan")
                    ) + vector.dateOption
            )
            #expect((run.exitCode == 0) == (vector.result == "valid"), "\(vector.id)")
            guard run.exitCode != 64 else {
                #expect(run.diagnostics.hasPrefix("tapwire: --"), "\(vector.id)")
                continue
            }
            let values = try run.json()
            #expect(isExpected(values["modulus"], vector.expected["modulus"] ?? nil))
        }
    }

    /// Whether a value is the one expected, where one is.
    private func isExpected(_ value: Any?, _ expected: String?) -> Bool {
        expected == nil || value as? String == expected
    }

    @Test("PAN and day are checked when they are given")
    func panAndDay() throws {
        let vector = try #require(CaseFile.cases("issuer-certificates").first)
        let base =
            ["crypto", "certificate"]
            + vector.options(
                ("certificate", "certificate"),
                ("exponent", "exponent"),
                ("caModulus", "ca-modulus"),
                ("caExponent", "ca-exponent")
            )
        let good = try tapwire(base + ["--pan", "5413330089600044", "--date", "2014-12-31"])
        #expect(good.exitCode == 0)
        let late = try tapwire(base + ["--date", "2015-01-01"])
        #expect(late.exitCode == 1)
        #expect(
            late.diagnostics == "tapwire: --certificate: the certificate has expired on --date\n"
        )
        #expect(late.output.contains("54133300"), "what was found is shown all the same")
        let other = try tapwire(base + ["--pan", "4761739001010010"])
        #expect(other.exitCode == 1)
    }

    @Test("Signed dynamic data recover, and wrong ones say why")
    func signedDynamicData() throws {
        for vector in try CaseFile.cases("signed-dynamic-data")
        where vector.input["transactionData"] != "" {
            let run = try tapwire(
                ["crypto", "sdad", "--json"]
                    + vector.options(
                        ("signature", "signature"),
                        ("iccModulus", "icc-modulus"),
                        ("iccExponent", "icc-exponent"),
                        ("terminalData", "terminal-data")
                    ) + vector.transactionOptions
            )
            #expect((run.exitCode == 0) == (vector.result == "valid"), "\(vector.id)")
            guard run.exitCode != 64 else {
                #expect(run.output.isEmpty && !run.diagnostics.isEmpty, "\(vector.id)")
                continue
            }
            let values = try run.json()
            for (member, value) in vector.expected where member != "error" {
                guard let value, values[member] != nil else { continue }
                #expect(values[member] as? String == value, "\(vector.id) \(member)")
            }
        }
    }

    @Test("Fast DDA takes the objects the terminal sent")
    func fastDDA() throws {
        let vector = try #require(
            CaseFile.cases("signed-dynamic-data").first { $0.id == "g8-visa-fdda-1" }
        )
        let data = try #require(vector.input["terminalData"] ?? nil)
        // 9F37, 9F02, 5F2A and 9F69 one after another.
        let parts = [8, 12, 4].reduce(into: (rest: data[...], parts: [String]())) {
            $0.parts.append(String($0.rest.prefix($1)))
            $0.rest = $0.rest.dropFirst($1)
        }
        let base =
            ["crypto", "sdad"]
            + vector.options(
                ("signature", "signature"),
                ("iccModulus", "icc-modulus"),
                ("iccExponent", "icc-exponent")
            )
        let run = try tapwire(
            base + ["--un", parts.parts[0], "--amount", parts.parts[1], "--currency"]
                + [parts.parts[2], "--card-data", String(parts.rest)]
        )
        #expect(run.exitCode == 0, "\(run.diagnostics)")
        let other = try tapwire(base + ["--un", parts.parts[0]])
        #expect(other.exitCode == 1, "version 00 signs the number alone")
    }
}
