import CommandLineKit
import EMVCrypto
import Octets

extension CryptoCommand {
    // MARK: cvc3

    static let cvc3 = CryptoOperation(
        name: "cvc3",
        summary: "Computes a dynamic CVC3 and places it in a track's digits (EMV Book C-2).",
        discussion: [
            "--placed-in and the card's bitmaps (9F65 to 9F67, or 9F62 to 9F64 for track 1) write the dynamic digits over the discretionary data."
        ],
        examples: [
            "tapwire crypto cvc3 --issuer-key 0123456789ABCDEFFEDCBA9876543210 --pan 5413330089600010 --psn 01 --track 5413330089600010D25122010000000000000F --un 00000899 --atc 005E",
            "tapwire crypto cvc3 --card-key 438F4A976EC80DB3F4D31C0DCB32A226 --ivcvc3 60B9 --un 00000012 --atc 0001 --placed-in 0000000000000 --pcvc3 0038 --punatc 03C6 --natc 4",
        ],
        groups: [
            CommandOption.Group("Keys", CommandOption.cardKeys),
            CommandOption.Group(
                "Data",
                [
                    .hex("track", "Static track data; or:"),
                    .hex("ivcvc3", "Initial vector, two bytes."),
                    .digits("un", "Unpredictable number (9F6A), eight digits."),
                    .hex("atc", "Application transaction counter (9F36)."),
                ]
            ),
            CommandOption.Group(
                "Placement",
                [
                    .digits("placed-in", "Discretionary data to write the digits into."),
                    .hex("pcvc3", "Positions of the CVC3 (9F65, 9F62)."),
                    .hex("punatc", "Positions of number and counter (9F66, 9F63)."),
                    .value("natc", "N", "Digits of the counter (9F67, 9F64)."),
                    .flag("on-device", "The card verified its holder (DF4B)."),
                ]
            ),
        ],
        run: { input throws(CommandFailure) in
            var result = CryptoResult()
            let cardKey = try input.cardKey(&result)
            let digits = try input.digits("un", 8...8, "an unpredictable number")
            let number = digits.reduce(UInt32(0)) { $0 << 4 | UInt32($1) }
            let counter = UInt16(try input.number("atc", 2, "a transaction counter"))
            let initialVector: UInt16
            if let vector = try input.optionalNumber("ivcvc3", 2, "an initial vector") {
                initialVector = UInt16(vector)
            } else {
                guard
                    let track = try input.optionalBytes(
                        "track",
                        1...RetailMAC.maximumCount,
                        "track data"
                    )
                else {
                    throw CommandFailure(
                        .usage,
                        "track data are missing: give --track or --ivcvc3"
                    )
                }
                initialVector = DynamicCVC3.initialVector(trackData: track, cardKey: cardKey)
            }
            result.step("initialVector", "Initial vector", initialVector.hex)
            let value = DynamicCVC3.value(
                initialVector: initialVector,
                unpredictableNumber: number,
                counter: counter,
                cardKey: cardKey
            )
            result.step("block", "Block", initialVector.hex + number.hex + counter.hex)
            let decimal = String(repeating: "0", count: 5) + String(value)
            result.add("cvc3", "CVC3", value.hex)
            result.add("decimal", "Decimal", String(decimal.suffix(5)))
            if let track = try input.optionalDigits("placed-in", 1...40, "discretionary data") {
                let placed = try place(value, number, counter, in: track, input)
                result.add("digits", "Discretionary data", placed.map(String.init).joined())
            }
            return result
        }
    )

    private static func place(
        _ value: UInt16,
        _ number: UInt32,
        _ counter: UInt16,
        in track: [UInt8],
        _ input: CryptoInput
    ) throws(CommandFailure) -> [UInt8] {
        let positions = try input.bytes("pcvc3", 2...6, "a bitmap")
        let numberPositions = try input.bytes("punatc", 2...6, "a bitmap")
        guard
            let placement = CVC3Placement(
                cvc3Positions: positions,
                numberPositions: numberPositions,
                counterDigitCount: UInt8(try input.optionalInteger("natc", 0...5) ?? 0)
            ),
            let placed = placement.place(
                in: track,
                cvc3: value,
                unpredictableNumber: number,
                counter: counter,
                isVerifiedOnDevice: input.flag("on-device")
            )
        else {
            throw CommandFailure(
                .usage,
                "--pcvc3, --punatc and --natc do not fit together or go beyond --placed-in"
            )
        }
        return placed
    }

    // MARK: cvv

    private enum CardValueKind { case value, dynamic, pin }

    static let cardValue = CryptoOperation(
        name: "cvv",
        summary: "Computes CVV, CVC, iCVV, CVV2, Visa's dynamic CVV, or a PIN verification value.",
        discussion: [
            "Service code 000 gives what is printed on the card, 999 what a chip's track has. For dcvv the key is the card's, and --atc-digits are the counter's decimal digits (jPOS takes the hexadecimal ones)."
        ],
        examples: [
            "tapwire crypto cvv --key 0123456789ABCDEFFEDCBA9876543210 --pan 4666655554444111 --expiry 9206 --service-code 120",
            "tapwire crypto cvv --kind pvv --key 0123456789ABCDEFFEDCBA9876543210 --pan 4111111111111111 --pin 1234 --key-index 1",
        ],
        groups: [
            CommandOption.Group(
                "Options",
                [
                    .choice("kind", ["cvv", "dcvv", "pvv"], "What to compute; cvv without."),
                    .hex("key", "Both keys of the pair one after another."),
                    .digits("pan", "PAN of the card."),
                    .digits("expiry", "Four digits in the order the scheme wants, such as YYMM."),
                    .digits("service-code", "Three digits."),
                    .digits("atc-digits", "dcvv: four digits of the counter."),
                    .digits("pin", "pvv: the PIN."),
                    .value("key-index", "N", "pvv: index of the key, 0 to 6."),
                    .value("digits", "N", "cvv: how many digits, 1 to 5; 3 without."),
                ]
            )
        ],
        run: { input throws(CommandFailure) in
            var result = CryptoResult()
            let key = try input.key("key")
            let pan = try input.digits("pan", 12...19, "a PAN")
            let kind = try input.choice(
                "kind",
                [("cvv", CardValueKind.value), ("dcvv", .dynamic), ("pvv", .pin)]
            )
            let digits: [UInt8]
            switch kind {
            case .value, .dynamic:
                let expiry = try input.digits("expiry", 4...4, "an expiry")
                let serviceCode = try input.digits("service-code", 3...3, "a service code")
                let isDynamic = kind == .dynamic
                let counter = isDynamic ? try input.digits("atc-digits", 4...4, "a counter") : []
                let count = isDynamic ? 3 : try input.optionalInteger("digits", 1...5) ?? 3
                guard
                    let block = CardVerificationValue.block(
                        pan: counter + pan.dropFirst(counter.count),
                        expiry: expiry,
                        serviceCode: serviceCode
                    )
                else { preconditionFailure("the counts were checked") }
                let enciphered = CardVerificationValue.enciphered(block, key: key)
                result.step("block", "Block", block.hex)
                result.step("enciphered", "Enciphered", enciphered.hex)
                digits = CardVerificationValue.digits(of: enciphered, count: count)
                result.remark(expiry: expiry)
            case .pin:
                let pin = try input.digits("pin", 4...12, "a PIN")
                let index = UInt8(try input.optionalInteger("key-index", 0...6) ?? 0)
                guard
                    let block = CardVerificationValue.pinVerificationBlock(
                        pin: pin,
                        pan: pan,
                        keyIndex: index
                    )
                else { preconditionFailure("the counts were checked") }
                var cipher = TripleDES(key: key)
                let enciphered = cipher.encrypt(block)
                result.step("block", "Block", block.hex)
                result.step("enciphered", "Enciphered", enciphered.hex)
                digits = CardVerificationValue.digits(of: enciphered, count: 4)
            }
            result.add("value", "Value", digits.map(String.init).joined())
            return result
        }
    )

    // MARK: pin-block

    static let pinBlock = CryptoOperation(
        name: "pin-block",
        summary: "Makes or reads a PIN block (ISO 9564-1, and Visa's for a PIN change).",
        discussion: [
            "With --pin a block is made, with --block its PIN is read. Formats 1 and 3 take --filler, format 4 --random and --key (AES), visa --card-key and, where the card asks for the old PIN, --current-pin."
        ],
        examples: [
            "tapwire crypto pin-block --format 0 --pin 1234 --pan 5555555551234567",
            "tapwire crypto pin-block --format 4 --block CC17F65586BFD0953010226C4FC5B3CA --pan 432198765432109870 --key C1D0F8FB4958670DBA40AB1F3752EF0D",
        ],
        groups: [
            CommandOption.Group(
                "Options",
                [
                    .choice(
                        "format",
                        ["0", "1", "2", "3", "4", "visa"],
                        "Which format; 0 without."
                    ),
                    .digits("pin", "The PIN, 4 to 12 digits; or:"),
                    .hex("block", "A block to read."),
                    .digits("pan", "Formats 0, 3 and 4: the account number."),
                    .value(
                        "filler",
                        "NIBBLES",
                        "Formats 1 and 3: hexadecimal digits that fill up."
                    ),
                    .hex("random", "Format 4: eight random bytes."),
                    .hex("key", "Format 4: the AES key."),
                    .hex("card-key", "visa: the card's key for application cryptograms."),
                    .digits("current-pin", "visa: the PIN until now."),
                ]
            )
        ],
        run: { input throws(CommandFailure) in
            guard input.has("pin") || input.has("block") else {
                throw CommandFailure(.usage, "give --pin to make a block, or --block to read one")
            }
            let format = try input.choice("format", pinFormats)
            // A block that looks enciphered and is not would give the PIN away.
            guard format == "4" || !input.has("key") else {
                throw CommandFailure(
                    .usage,
                    "--key is for --format 4 alone: leave it out, a block of --format \(format) is not enciphered"
                )
            }
            return input.has("block") ? try readPIN(input) : try makeBlock(input)
        }
    )

    private static let pinFormats: [(word: String, value: String)] =
        ["0", "1", "2", "3", "4", "visa"].map { ($0, $0) }

    private static func makeBlock(_ input: CryptoInput) throws(CommandFailure) -> CryptoResult {
        let pin = try input.digits("pin", 4...12, "a PIN")
        let block: [UInt8]
        var result = CryptoResult()
        switch try input.choice("format", pinFormats) {
        case "0":
            let pan = try input.digits("pan", 13...19, "an account number")
            block = try pinBlock { () throws(PINBlockError) in
                try PINBlock.format0(pin: pin, pan: pan)
            }
            try result.stepFields(of: block, pan)
        case "1":
            let filler = try nibbles(input, besides: pin)
            block = try pinBlock { () throws(PINBlockError) in
                try PINBlock.format1(pin: pin, filler: filler)
            }
            result.step("pinField", "PIN field", block.hex)
        case "2":
            block = try pinBlock { () throws(PINBlockError) in try PINBlock.format2(pin: pin) }
            result.step("pinField", "PIN field", block.hex)
        case "3":
            let pan = try input.digits("pan", 13...19, "an account number")
            let filler = try nibbles(input, besides: pin)
            block = try pinBlock { () throws(PINBlockError) in
                try PINBlock.format3(pin: pin, pan: pan, filler: filler)
            }
            try result.stepFields(of: block, pan)
        case "4":
            let pan = try input.digits("pan", 1...19, "an account number")
            let random = try input.bytes("random", 8...8, "random bytes")
            let key = try input.aesKey("key")
            block = try pinBlock { () throws(PINBlockError) in
                try PINBlock.format4(pin: pin, pan: pan, random: random, key: key)
            }
            try result.stepFields(ofFormat4: block, pan, key)
        default:
            let cardKey = try input.key("card-key")
            let currentPIN = try input.optionalDigits("current-pin", 4...12, "a PIN")
            block = try pinBlock { () throws(PINBlockError) in
                try PINBlock.visa(pin: pin, currentPIN: currentPIN, cardKey: cardKey)
            }
            let parts = try pinBlock { () throws(PINBlockError) in
                try PINBlock.visaFields(currentPIN: currentPIN, cardKey: cardKey)
            }
            result.step("pinField", "PIN field", parts.reduce(block, exclusiveOr).hex)
            result.step("keyField", "Part of the key", parts[0].hex)
            if parts.count > 1 { result.step("currentPINField", "Old PIN", parts[1].hex) }
        }
        result.add("block", "Block", block.hex)
        return result
    }

    private static func readPIN(_ input: CryptoInput) throws(CommandFailure) -> CryptoResult {
        let block = try input.bytes("block", 0...32, "a block")
        var result = CryptoResult()
        try result.attempt { (result) throws(CommandFailure) in
            let pin: [UInt8]
            switch try input.choice("format", pinFormats) {
            case "0":
                let pan = try input.digits("pan", 13...19, "an account number")
                try result.stepFields(of: block, pan)
                pin = try pinBlock { () throws(PINBlockError) in
                    try PINBlock.pin(inFormat0: block, pan: pan)
                }
            case "1":
                result.step("pinField", "PIN field", block.hex)
                pin = try pinBlock { () throws(PINBlockError) in
                    try PINBlock.pin(inFormat1: block)
                }
            case "2":
                result.step("pinField", "PIN field", block.hex)
                pin = try pinBlock { () throws(PINBlockError) in
                    try PINBlock.pin(inFormat2: block)
                }
            case "3":
                let pan = try input.digits("pan", 13...19, "an account number")
                try result.stepFields(of: block, pan)
                pin = try pinBlock { () throws(PINBlockError) in
                    try PINBlock.pin(inFormat3: block, pan: pan)
                }
            case "4":
                let pan = try input.digits("pan", 1...19, "an account number")
                let key = try input.aesKey("key")
                try result.stepFields(ofFormat4: block, pan, key)
                pin = try pinBlock { () throws(PINBlockError) in
                    try PINBlock.pin(inFormat4: block, pan: pan, key: key)
                }
            default:
                throw CommandFailure(
                    .usage,
                    "a block of --format visa hides the PIN behind a key: give --pin to make one"
                )
            }
            result.add("pin", "PIN", pin.map(String.init).joined())
        }
        return result
    }

    /// The hexadecimal digits of `--filler`: as many as the PIN leaves room for, or more.
    private static func nibbles(
        _ input: CryptoInput,
        besides pin: [UInt8]
    ) throws(CommandFailure) -> [UInt8] {
        let counts = 14 - pin.count...14
        let nibbles = input["filler"].map { $0.compactMap(\.hexDigitValue).map(UInt8.init) } ?? []
        guard counts ~= nibbles.count, nibbles.count == input["filler"]?.count else {
            throw CommandFailure(
                .usage,
                "--filler needs \(counts.lowerBound) to \(counts.upperBound) hexadecimal digits for this PIN"
            )
        }
        return nibbles
    }

    /// Makes a sentence of what is wrong with a PIN or block.
    fileprivate static func pinBlock<Value>(
        _ body: () throws(PINBlockError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(PINBlockError) { return try body() } catch {
            throw CommandFailure(error.isMistyped ? .usage : .failure, error.sentence)
        }
    }
}

/// Each byte of one combined with that of the other, bit by bit.
private func exclusiveOr(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    zip(left, right).map { $0 ^ $1 }
}

extension CryptoResult {
    /// Adds the two fields that are mixed in a block of format 0 or 3.
    fileprivate mutating func stepFields(
        of block: [UInt8],
        _ pan: [UInt8]
    ) throws(CommandFailure) {
        let field = try CryptoCommand.pinBlock { () throws(PINBlockError) in
            try PINBlock.accountField(pan: pan)
        }
        guard block.count == field.count else { return }
        step("pinField", "PIN field", exclusiveOr(block, field).hex)
        step("accountField", "Account field", field.hex)
    }

    /// Adds the fields of a block of format 4, and what the first encipherment gives.
    fileprivate mutating func stepFields(
        ofFormat4 block: [UInt8],
        _ pan: [UInt8],
        _ key: borrowing AESKey
    ) throws(CommandFailure) {
        guard block.count == AESKey.blockByteCount else { return }
        let mixed = key.decrypt(block)
        let field = try CryptoCommand.pinBlock { () throws(PINBlockError) in
            try PINBlock.format4AccountField(pan: pan)
        }
        let inner = exclusiveOr(mixed, field)
        step("pinField", "PIN field", key.decrypt(inner).hex)
        step("enciphered", "Enciphered once", inner.hex)
        step("accountField", "Account field", field.hex)
        step("mixed", "Mixed", mixed.hex)
    }

    /// Says so when an expiry is no month, in whichever order its digits are.
    fileprivate mutating func remark(expiry digits: [UInt8]) {
        let first = digits[0] * 10 + digits[1]
        let last = digits[2] * 10 + digits[3]
        guard !(1...12 ~= first), !(1...12 ~= last) else { return }
        remarks.append(
            "--expiry has no month from 01 to 12, neither in its first two digits nor in its last two; it was taken as it is"
        )
    }
}

extension PINBlockError {
    /// Whether no block could be like this, whatever the key.
    fileprivate var isMistyped: Bool {
        switch self {
        case .wrongLength, .wrongAccountNumberLength: true
        case .wrongPINLength, .notADigit, .wrongFormat, .wrongFiller: false
        }
    }

    /// What is wrong.
    fileprivate var sentence: String {
        switch self {
        case .wrongPINLength(let count):
            "the block says that its PIN has \(count) digits; 4 to 12 are allowed"
        case .notADigit:
            "the block holds no PIN: its key, account number or format is another"
        case .wrongLength(let count):
            "--block has \(count) bytes; blocks have 8, those of --format 4 have 16"
        case .wrongFormat(let number):
            "the block begins as one of format \(number), which --format does not say"
        case .wrongFiller: "what fills the block up is not what --format demands"
        case .wrongAccountNumberLength(let count):
            "--pan has \(count) digits, too few or too many for --format"
        }
    }
}
