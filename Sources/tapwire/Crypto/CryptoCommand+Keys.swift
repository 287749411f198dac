import CommandLineKit
import EMVCrypto
import Octets

extension CryptoCommand {
    // MARK: master-key

    static let masterKey = CryptoOperation(
        name: "master-key",
        summary: "Derives a card's key from the issuer's (EMV Book 2, A1.4).",
        discussion: [
            "Option A takes the last sixteen digits of PAN and sequence number, B a hash of longer PANs, C enciphers all of them with AES. B-hashed is option B as jPOS has it: it hashes short PANs too."
        ],
        examples: [
            "tapwire crypto master-key --issuer-key 0123456789ABCDEFFEDCBA9876543210 --pan 5413330089600010 --psn 01",
            "tapwire crypto master-key --option C --issuer-key 0123456789ABCDEFFEDCBA9876543210 --pan 5413330089600010 --psn 01",
        ],
        groups: [
            CommandOption.Group(
                "Options",
                [
                    .hex("issuer-key", "The issuer's key: 16 bytes, for option C also 24 or 32."),
                    .digits("pan", "PAN of the card, 8 to 19 digits."),
                    .digits("psn", "PAN sequence number (5F34), two digits; 00 without."),
                    .choice(
                        "option",
                        MasterKeyDerivation.choices.map(\.word) + ["C"],
                        "Which option; A without."
                    ),
                    .flag("no-parity", "Leaves the parity of the key's bytes as it comes."),
                ]
            )
        ],
        run: { input throws(CommandFailure) in
            var result = CryptoResult()
            if input["option"] == "C" {
                let issuerKey = try input.aesKey("issuer-key")
                let pan = try input.digits("pan", 8...19, "a PAN")
                let sequenceNumber = try input.sequenceNumber()
                let block = AESKey.cardBlock(pan: pan, sequenceNumber: sequenceNumber)
                result.step("diversifier", "Digits of the card", block.hex)
                let key = issuerKey.cardKey(pan: pan, sequenceNumber: sequenceNumber)
                result.add(key: key)
                return result
            }
            let key = try input.cardKey(&result)
            result.steps.removeAll { $0.name == "cardKey" }
            result.add(key: key)
            return result
        }
    )

    // MARK: session-key

    private enum SessionKeyMethod {
        case common, mastercard, visaScript, mastercardScript, emv2000, pboc, aes
    }

    private static let sessionKeyMethods: [(word: String, value: SessionKeyMethod)] = [
        ("common", .common), ("mastercard", .mastercard), ("visa-script", .visaScript),
        ("mastercard-script", .mastercardScript), ("emv2000", .emv2000), ("pboc", .pboc),
        ("aes", .aes),
    ]

    static let sessionKey = CryptoOperation(
        name: "session-key",
        summary:
            "Derives the key of one transaction or script from a card's key (EMV Book 2, A1.3).",
        discussion: [
            "common takes --atc, or --diversifier for secure messaging (the cryptogram). mastercard takes --atc and --un, visa-script --atc, mastercard-script --cryptogram and --command-number, emv2000 --atc, --height and --iv, pboc --atc, aes --atc or a --diversifier of 16 bytes."
        ],
        examples: [
            "tapwire crypto session-key --card-key 0123456789ABCDEFFEDCBA9876543210 --atc 001C",
            "tapwire crypto session-key --method mastercard --card-key 438F4A976EC80DB3F4D31C0DCB32A226 --atc 0001 --un 12345678",
        ],
        groups: [
            CommandOption.Group(
                "Options",
                CommandOption.cardKeys + [
                    .choice(
                        "method",
                        sessionKeyMethods.map(\.word),
                        "How the key is derived; common without."
                    ),
                    .hex("atc", "Application transaction counter (9F36), two bytes."),
                    .hex("un", "Unpredictable number (9F37), four bytes."),
                    .hex("cryptogram", "Application cryptogram (9F26), eight bytes."),
                    .value("command-number", "N", "Commands of the script before, 0 without."),
                    .hex("diversifier", "The whole diversifier: 8 bytes, with aes 16."),
                    .choice("height", ["16", "8"], "Height of the tree of EMV 2000; 16 without."),
                    .hex("iv", "Initial vector of the tree, 16 bytes; zeros without."),
                    .flag("no-parity", "Leaves the parity of the key's bytes as it comes."),
                ]
            )
        ],
        run: { input throws(CommandFailure) in
            var result = CryptoResult()
            let method = try input.choice("method", sessionKeyMethods)
            if method == .aes {
                let cardKey = try input.aesKey("card-key")
                let block = try aesDiversifier(input)
                result.step("diversifier", "Diversifier", block.hex)
                result.add(key: cardKey.sessionKey(diversifier: block))
                return result
            }
            let cardKey = try input.cardKey(&result)
            let key = try sessionKey(method, cardKey, input, &result)
            result.add(key: key)
            return result
        }
    )

    private static func aesDiversifier(_ input: CryptoInput) throws(CommandFailure) -> [UInt8] {
        if let block = try input.optionalBytes("diversifier", 16...16, "a diversifier") {
            return block
        }
        let counter = try input.bytes("atc", 2...2, "a transaction counter")
        return counter + [UInt8](repeating: 0, count: 14)
    }

    private static func sessionKey(
        _ method: SessionKeyMethod,
        _ cardKey: borrowing DoubleLengthKey,
        _ input: CryptoInput,
        _ result: inout CryptoResult
    ) throws(CommandFailure) -> DoubleLengthKey {
        func isAdjusted() -> Bool { !input.flag("no-parity") }
        var cipher = TripleDES(key: cardKey)
        func counter() throws(CommandFailure) -> UInt16 {
            UInt16(try input.number("atc", 2, "a transaction counter"))
        }
        switch method {
        case .common, .mastercard:
            let diversifier: UInt64
            if method == .common, input.has("diversifier") {
                diversifier = try input.number("diversifier", 8, "a diversifier")
            } else {
                let number =
                    method == .mastercard
                    ? try input.number("un", 4, "an unpredictable number") : 0
                diversifier = UInt64(try counter()) << 48 | number
            }
            let others = diversifier & ~(0xFF << 40)
            result.step("leftBlock", "Block of the left half", (others | 0xF0 << 40).hex)
            result.step("rightBlock", "Block of the right half", (others | 0x0F << 40).hex)
            return cipher.commonSessionKey(diversifier: diversifier, adjustsParity: isAdjusted())
        case .visaScript:
            let counter = try counter()
            result.step("left", "Added to the left half", UInt64(counter).hex)
            result.step("right", "Added to the right half", UInt64(~counter).hex)
            return cardKey.visaSecureMessagingKey(
                counter: counter,
                adjustsParity: isAdjusted()
            )
        case .mastercardScript:
            let cryptogram = try input.number("cryptogram", 8, "a cryptogram")
            let number = try input.optionalInteger("command-number", 0...255) ?? 0
            result.step("diversifier", "Diversifier", (cryptogram &+ UInt64(number)).hex)
            return cipher.mastercardSecureMessagingKey(
                cryptogram: cryptogram,
                commandNumber: UInt64(number),
                adjustsParity: isAdjusted()
            )
        case .emv2000:
            let initial =
                try input.optionalBytes("iv", 16...16, "an initial vector")
                ?? [UInt8](repeating: 0, count: 16)
            var nodes: [String] = []
            let key = try cardKey.emv2000SessionKey(
                counter: counter(),
                tree: input.choice("height", [("16", .height16), ("8", .height8)]),
                initialLeft: UInt64(bigEndian: initial.span, at: 0),
                initialRight: UInt64(bigEndian: initial.span, at: 8)
            ) { left, right in nodes.append(left.hex + right.hex) }
            for (index, node) in nodes.enumerated() {
                result.step("level\(index + 1)", "Level \(index + 1) of the tree", node)
            }
            return key
        case .pboc:
            let counter = try counter()
            result.step("leftBlock", "Block of the left half", UInt64(counter).hex)
            result.step("rightBlock", "Block of the right half", UInt64(~counter).hex)
            return cipher.pbocSessionKey(counter: counter)
        case .aes:
            preconditionFailure("AES keys are another type")
        }
    }

    // MARK: luk

    static let limitedUseKey = CryptoOperation(
        name: "luk",
        summary: "Derives a Visa limited use key for an hour, and its stripe value for a tap.",
        discussion: [
            "The index is YHHHHCC: the last digit of the year, the hour since its beginning, the keys made in that hour before. Public sources also show two digits of the year. The key's parity is not adjusted."
        ],
        examples: [
            "tapwire crypto luk --card-key C8B507136D921FD05864C81F79F2D30B --index 0570201 --atc 0001"
        ],
        groups: [
            CommandOption.Group(
                "Options",
                CommandOption.cardKeys + [
                    .digits("index", "The index, 7 digits (8 with two of the year); or:"),
                    .value("year", "YEAR", "The year, such as 2026."),
                    .value(
                        "hour",
                        "N",
                        "Hours since the year began, 1 to 8760, in a leap year to 8784."
                    ),
                    .value("counter", "N", "Keys made in that hour before, 0 to 99; 0 without."),
                    .choice("year-digits", ["1", "2"], "Digits of the year to take; 1 without."),
                    .hex("atc", "Counter of a tap: gives its magnetic stripe value too."),
                    .hex("device-type", "Six bytes behind the counter; 000000000001 without."),
                ]
            )
        ],
        run: { input throws(CommandFailure) in
            var result = CryptoResult()
            let index = try limitedUseKeyIndex(input)
            let cardKey = try input.cardKey(&result)
            var cipher = TripleDES(key: cardKey)
            result.step("index", "Index", index.digits.map(String.init).joined())
            result.step("leftBlock", "Block of the left half", index.block(1).hex)
            result.step("rightBlock", "Block of the right half", index.block(2).hex)
            let key = cipher.limitedUseKey(index)
            result.add(key: key)
            if let counter = try input.optionalNumber("atc", 2, "a transaction counter") {
                var tap = TripleDES(key: key)
                let deviceType = try input.optionalNumber("device-type", 6, "a device type") ?? 1
                let block = counter << 48 | deviceType
                result.step("block", "Block of the tap", block.hex)
                result.step("enciphered", "Enciphered", tap.encrypt(block).hex)
                let digits = tap.magneticStripeVerificationValue(
                    counter: UInt16(counter),
                    deviceType: deviceType
                )
                result.add("value", "Magnetic stripe value", digits.map(String.init).joined())
            }
            return result
        }
    )

    private static func limitedUseKeyIndex(
        _ input: CryptoInput
    ) throws(CommandFailure) -> LimitedUseKeyIndex {
        if let digits = try input.optionalDigits("index", 7...8, "an index") {
            guard let index = LimitedUseKeyIndex(digits: digits) else {
                throw CommandFailure(
                    .usage,
                    "--index has an hour that no such year has: HHHH of YHHHHCC is 0001 to 8760, in a leap year to 8784"
                )
            }
            return index
        }
        guard let year = try input.optionalInteger("year", 0...9999),
            let hour = try input.optionalInteger(
                "hour",
                1...LimitedUseKeyIndex.hourCount(ofYear: year)
            ),
            let index = LimitedUseKeyIndex(
                year: year,
                hour: hour,
                counter: try input.optionalInteger("counter", 0...99) ?? 0,
                yearForm: try input.choice("year-digits", [("1", .oneDigit), ("2", .twoDigits)])
            )
        else {
            throw CommandFailure(.usage, "an index is missing: give --index, or --year and --hour")
        }
        return index
    }

    // MARK: kcv

    static let checkValue = CryptoOperation(
        name: "kcv",
        summary: "Computes the check value by which people tell keys apart.",
        discussion: [
            "A DES key has one, two or three parts of 8 bytes each, an AES key 16, 24 or 32 bytes. The check value is the first three bytes of a zero block enciphered."
        ],
        examples: [
            "tapwire crypto kcv --key 0123456789ABCDEFFEDCBA9876543210",
            "tapwire crypto kcv --algorithm aes --key 0123456789ABCDEFFEDCBA9876543210",
        ],
        groups: [
            CommandOption.Group(
                "Options",
                [
                    .hex("key", "The key."),
                    .choice("algorithm", ["tdes", "aes"], "What the key is for; tdes without."),
                    .choice(
                        "check-method",
                        ["cmac", "zeros"],
                        "For aes: the MAC of a zero block (ANSI X9.24-1) or the block itself; cmac without."
                    ),
                ]
            )
        ],
        run: { input throws(CommandFailure) in
            var result = CryptoResult()
            let block: [UInt8]
            if try input.choice("algorithm", [("tdes", false), ("aes", true)]) {
                let key = try input.aesKey("key")
                block = key.checkBlock(
                    try input.choice(
                        "check-method",
                        [("cmac", AESKey.CheckValueMethod.cmac), ("zeros", .zeroBlock)]
                    )
                )
            } else {
                let key = try input.bytes("key", 0...32, "a key")
                guard let checkBlock = DESKeyCheck.block(of: key) else {
                    let hint = key.count == 32 ? "; for an AES key say --algorithm aes" : ""
                    throw CommandFailure(
                        .usage,
                        "--key needs a key of 8, 16 or 24 bytes, not of \(key.count)\(hint)"
                    )
                }
                block = checkBlock
            }
            result.step("block", "Whole block", block.hex)
            result.add("checkValue", "Check value", Array(block.prefix(3)).hex)
            return result
        }
    )
}

extension CryptoResult {
    /// Adds a key and its check value.
    mutating func add(key: borrowing DoubleLengthKey) {
        add("key", "Key", key.exportedBytes.hex)
        add("checkValue", "Check value", key.checkValue.hex)
    }

    /// Adds a key and its check value.
    mutating func add(key: borrowing AESKey) {
        add("key", "Key", key.exportedBytes.hex)
        add("checkValue", "Check value", key.checkValue().hex)
    }
}
