import BERTLV
import CommandLineKit
import EMVCrypto
import EMVData
import Octets

extension CryptoCommand {
    /// The versions of the cryptogram by the words of `--version`.
    static let versions: [(word: String, value: ApplicationCryptogram)] = [
        ("visa-10", .visaCVN10), ("visa-17", .visaCVN17), ("visa-18", .visaCVN18),
        ("visa-22", .visaCVN22), ("visa-43", .visaCVN43), ("visa-4a", .visaCVN4A),
        ("mchip-10", .mchipCVN10), ("mchip-11", .mchipCVN11), ("mchip-14", .mchipCVN14),
        ("mchip-15", .mchipCVN15), ("ccd-5", .commonCore), ("interac-133", .interacCVN133),
        ("discover-06", .discoverCVN06), ("amex-01", .amexCVN01), ("amex-02", .amexCVN02),
        ("jcb-01", .jcbCVN01), ("jcb-02", .jcbCVN02), ("unionpay-01", .unionPayCVN01),
        ("unionpay-17", .unionPayCVN17),
    ]

    private static let cloudInputs: [(word: String, value: ApplicationCryptogram.CloudInput)] = [
        ("whole", .issuerApplicationData), ("without-length", .withoutLength),
        ("cvr", .verificationResults),
    ]

    // MARK: ac

    static let cryptogram = CryptoOperation(
        name: "ac",
        summary: "Computes an application cryptogram, and checks the one among data objects.",
        discussion: [
            "Either --objects has the data objects as a host gets them (DE 55): 9F10 and 4F or 84 tell the version, 5A or 57 and 5F34 the card, and a 9F26 among them is checked. Or --data has what the card authenticates, put together already.",
            "Versions: \(versions.map(\.word).joined(separator: ", ")).",
            "M/Chip versions are hexadecimal: 10, 11, 14, 15 are 16, 17, 20, 21 in other books. The books of American Express, JCB and UnionPay are not public: their versions are as described by others, and the result says so.",
            "A cryptogram that is not the card's ends with exit code 1.",
        ],
        examples: [
            "tapwire crypto ac --issuer-key 2315208C9110AD402315208C9110AD40 --pan 4761739001010010 --psn 01 --version visa-17 --objects 9F02060000000002009F3704ABABABAB9F360200159F100706011103900000",
            "tapwire crypto ac --session-key AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBB --padding zeros --data 68656C6C6F20776F726C64",
        ],
        groups: [
            CommandOption.Group(
                "Keys",
                [.hex("session-key", "The key of the transaction; without it, it is derived:")]
                    + CommandOption.cardKeys
            ),
            CommandOption.Group(
                "Data",
                [
                    .hex("objects", "Data objects, tag, length and value each; or:"),
                    .hex("data", "What the card authenticates, at most 504 bytes."),
                    .value(
                        "version",
                        "VERSION",
                        "The version, where 9F10 and 4F or 84 do not tell."
                    ),
                    .choice(
                        "cloud-input",
                        cloudInputs.map(\.word),
                        "What ends the input of visa-43 and visa-4a: sources differ; whole without."
                    ),
                    .hex("atc", "With --data: counter (9F36) for the session key."),
                    .hex("un", "With --data: unpredictable number (9F37) for the session key."),
                    .hex("cryptogram", "With --data: the cryptogram to check."),
                    .choice(
                        "padding",
                        ["marked", "zeros"],
                        "With --session-key: ISO 9797-1 padding."
                    ),
                    .choice("algorithm", ["tdes", "aes"], "With --session-key: what it is for."),
                ]
            ),
        ],
        run: { input throws(CommandFailure) in
            guard input.has("objects") || input.has("data") else {
                throw CommandFailure(.usage, "data are missing: give --objects or --data")
            }
            return input.has("objects")
                ? try cryptogram(overObjects: input) : try cryptogram(overData: input)
        }
    )

    private static func cryptogram(
        overObjects input: CryptoInput
    ) throws(CommandFailure) -> CryptoResult {
        var result = CryptoResult()
        let objects = try objects(input)
        let version = try version(input, objects)
        result.add("version", "Version", version.name)
        result.add("evidence", "Known from", version.evidence.text)
        let message: [UInt8]
        do throws(ApplicationCryptogramError) {
            message = try version.input(
                cloudInput: cloudInput(input),
                { objects[$0] }
            )
        } catch {
            throw CommandFailure(.usage, "--objects: \(error.sentence)")
        }
        let key = try sessionKey(of: version, input, objects, &result)
        var mac = RetailMAC(key: key)
        let cryptogram = mac.mac(of: message.span, padding: version.padding)
        result.step("input", "Input", message.hex)
        result.step("padded", "Filled up", version.padding.padded(message).hex)
        result.add("cryptogram", "Cryptogram", cryptogram.hex)
        if let sent = objects[.applicationCryptogram] {
            result.add("sent", "9F26", sent.hex)
            result.check("isGenuine", "Genuine", sent.hex == cryptogram.hex)
        }
        return result
    }

    /// The key of `--session-key`, or the one the version derives.
    private static func sessionKey(
        of version: ApplicationCryptogram,
        _ input: CryptoInput,
        _ objects: [BERTLV.Tag: [UInt8]],
        _ result: inout CryptoResult
    ) throws(CommandFailure) -> DoubleLengthKey {
        if let key = try input.optionalKey("session-key") { return key }
        let cardKey = try cardKey(input, objects, &result)
        do throws(ApplicationCryptogramError) {
            let key = try version.sessionKey(cardKey: cardKey) { objects[$0] }
            result.step("sessionKey", "Session key", key.exportedBytes.hex)
            return key
        } catch {
            throw CommandFailure(.usage, "--objects: \(error.sentence)")
        }
    }

    private static func cryptogram(
        overData input: CryptoInput
    ) throws(CommandFailure) -> CryptoResult {
        var result = CryptoResult()
        let message = try input.bytes("data", 0...RetailMAC.maximumCount, "data")
        let sent = try input.optionalNumber("cryptogram", 8, "a cryptogram")
        let cryptogram: UInt64
        if try input.choice("algorithm", [("tdes", false), ("aes", true)]) {
            let key = try input.aesKey("session-key")
            result.step("mac", "Whole MAC", key.cmac(of: message).hex)
            cryptogram = key.applicationCryptogram(over: message)
        } else if let key = try input.optionalKey("session-key") {
            let padding = try input.choice(
                "padding",
                [("marked", RetailMAC.Padding.marked), ("zeros", .zeros)]
            )
            result.step("padded", "Filled up", padding.padded(message).hex)
            var mac = RetailMAC(key: key)
            cryptogram = mac.mac(of: message.span, padding: padding)
        } else {
            guard input.has("version") else {
                throw CommandFailure(
                    .usage,
                    "a key is missing: give --session-key, or --version with a card or issuer key"
                )
            }
            let version = try input.choice("version", versions)
            result.add("version", "Version", version.name)
            result.add("evidence", "Known from", version.evidence.text)
            let cardKey = try input.cardKey(&result)
            let key = version.sessionKey(
                cardKey: cardKey,
                counter: UInt16(
                    try input.optionalNumber("atc", 2, "a transaction counter") ?? 0
                ),
                unpredictableNumber: UInt32(
                    try input.optionalNumber("un", 4, "an unpredictable number") ?? 0
                )
            )
            result.step("sessionKey", "Session key", key.exportedBytes.hex)
            result.step("padded", "Filled up", version.padding.padded(message).hex)
            var mac = RetailMAC(key: key)
            cryptogram = mac.mac(of: message.span, padding: version.padding)
        }
        result.add("cryptogram", "Cryptogram", cryptogram.hex)
        if let sent { result.check("isGenuine", "Genuine", sent == cryptogram) }
        return result
    }

    private static func objects(
        _ input: CryptoInput
    ) throws(CommandFailure) -> [BERTLV.Tag: [UInt8]] {
        let bytes = try input.bytes("objects", 2...65535, "data objects")
        let parsed: [TLV]
        do throws(TLVError) {
            parsed = try TLV.parse(bytes)
        } catch {
            throw CommandFailure(
                .usage,
                "--objects, byte \(error.offset + 1): \(error.reason.sentence)"
            )
        }
        var objects: [BERTLV.Tag: [UInt8]] = [:]
        for object in parsed
        where objects.updateValue(object.value, forKey: object.tag) != nil {
            throw CommandFailure(.usage, "--objects has \(object.tag) twice; leave one of them out")
        }
        try checkAgreement(objects, input)
        return objects
    }

    /// Refuses objects that say two things about one card, or another than the options do.
    private static func checkAgreement(
        _ objects: [BERTLV.Tag: [UInt8]],
        _ input: CryptoInput
    ) throws(CommandFailure) {
        let track = objects[.track2EquivalentData].flatMap { try? Track2(parsing: $0) }
        let number = objects[.applicationPAN].flatMap { try? PrimaryAccountNumber(parsing: $0) }
        if let number, let track, number.text != track.accountNumber.text {
            throw CommandFailure(
                .usage,
                "57 and 5A among --objects have different account numbers; leave one of them out"
            )
        }
        if input.has("pan"), let own = (number ?? track?.accountNumber)?.text, input["pan"] != own {
            let tag = number == nil ? "57" : "5A"
            throw CommandFailure(
                .usage,
                "--pan is not the account number of \(tag) among --objects; leave one of them out"
            )
        }
        if input.has("psn"), let own = objects[.panSequenceNumber]?.hex, input["psn"] != own {
            throw CommandFailure(
                .usage,
                "--psn is not the 5F34 among --objects; leave one of them out"
            )
        }
    }

    private static func version(
        _ input: CryptoInput,
        _ objects: [BERTLV.Tag: [UInt8]]
    ) throws(CommandFailure) -> ApplicationCryptogram {
        if input.has("version") { return try input.choice("version", versions) }
        let name = objects[.dedicatedFileName] ?? objects[.applicationIdentifier] ?? []
        guard let issuerData = objects[.issuerApplicationData],
            let version = ApplicationCryptogram(
                issuerApplicationData: issuerData,
                rid: [UInt8](name.prefix(5))
            )
        else {
            throw CommandFailure(
                .usage,
                "the version is missing: give --version, or 9F10 and 4F or 84 among --objects"
            )
        }
        return version
    }

    private static func cloudInput(
        _ input: CryptoInput
    ) -> ApplicationCryptogram.CloudInput {
        cloudInputs.first { $0.word == input["cloud-input"] }?.value ?? .issuerApplicationData
    }

    /// The card key, with PAN and sequence number from the objects where the options do not tell.
    private static func cardKey(
        _ input: CryptoInput,
        _ objects: [BERTLV.Tag: [UInt8]],
        _ result: inout CryptoResult
    ) throws(CommandFailure) -> DoubleLengthKey {
        var others: [String: String] = [:]
        if !input.has("pan") {
            let track = objects[.track2EquivalentData].flatMap { try? Track2(parsing: $0) }
            let number = objects[.applicationPAN].flatMap {
                try? PrimaryAccountNumber(parsing: $0)
            }
            others["pan"] = (number ?? track?.accountNumber)?.text
        }
        if !input.has("psn") { others["psn"] = objects[.panSequenceNumber]?.hex }
        return try input.replacing(others).cardKey(&result)
    }

    // MARK: arpc

    static let response = CryptoOperation(
        name: "arpc",
        summary: "Computes the issuer's answer to a cryptogram, and tag 91 (EMV Book 2, 8.2).",
        discussion: [
            "The key is the session key of the request for most cards; for Visa CVN 10 and 17 and for M/Chip CVN 10 and 11 it is the card's key."
        ],
        examples: [
            "tapwire crypto arpc --key AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBB --cryptogram 1234567890ABCDEF --arc 3030",
            "tapwire crypto arpc --method 2 --key AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBB --cryptogram 1234567890ABCDEF --csu 00820000",
        ],
        groups: [
            CommandOption.Group(
                "Options",
                [
                    .hex("key", "Session key or card key."),
                    .choice("method", ["1", "2"], "Which method; 1 without."),
                    .hex("cryptogram", "Application cryptogram (9F26) of the request."),
                    .hex("arc", "Method 1: authorisation response code (8A), 3030 for 00."),
                    .hex("csu", "Method 2: card status update, four bytes."),
                    .hex(
                        "proprietary",
                        "Method 2: proprietary authentication data, up to 8 bytes."
                    ),
                ]
            )
        ],
        run: { input throws(CommandFailure) in
            var result = CryptoResult()
            let key = try input.key("key")
            let cryptogram = try input.number("cryptogram", 8, "a cryptogram")
            guard try input.choice("method", [("1", false), ("2", true)]) else {
                let code = try input.number("arc", 2, "a response code")
                result.step("block", "Block", (cryptogram ^ code << 48).hex)
                let response = ResponseCryptogram.method1(
                    cryptogram: cryptogram,
                    responseCode: UInt16(code),
                    key: key
                )
                result.add("responseCryptogram", "ARPC", response.hex)
                let code16 = UInt16(code)
                result.add("issuerAuthenticationData", "91", response.hex + code16.hex)
                return result
            }
            let update = UInt32(try input.number("csu", 4, "a card status update"))
            let proprietary =
                try input.optionalBytes("proprietary", 0...8, "authentication data") ?? []
            let response = ResponseCryptogram.method2(
                cryptogram: cryptogram,
                cardStatusUpdate: update,
                proprietaryData: proprietary,
                key: key
            )
            result.step("input", "Input", cryptogram.hex + update.hex + proprietary.hex)
            result.add("responseCryptogram", "ARPC", response.hex)
            result.add(
                "issuerAuthenticationData",
                "91",
                response.hex + update.hex + proprietary.hex
            )
            return result
        }
    )
}

extension ApplicationCryptogram.Evidence {
    /// What people read.
    var text: String {
        switch self {
        case .testCards: "cryptograms of real test cards"
        case .publishedValues: "values computed in hardware, or printed in a guide"
        case .otherPrograms: "values of another program, in part"
        case .description: "descriptions only; no published value was found"
        }
    }
}

extension ApplicationCryptogramError {
    /// What is wrong, and what to do.
    fileprivate var sentence: String {
        switch self {
        case .missing(let tag): "\(tag) is missing; add it"
        case .wrongLength(let tag, let count): "\(tag) has \(count) bytes, which it never has"
        case .malformed(let tag): "\(tag) does not hold what this version needs"
        }
    }
}
