import CommandLineKit
import EMVCrypto
import Octets

/// What a calculation is given: the options of a command line, or the members of a JSON object.
struct CryptoInput: Sendable {
    private var texts: [String: String]
    /// The options whose value a calculation has looked at.
    private let used: UsedOptions

    /// Takes the options of a command line.
    init(_ arguments: Arguments, _ options: [CommandOption]) {
        var texts: [String: String] = [:]
        for option in options { texts[option.name] = arguments[option.name] }
        self.init(texts)
    }

    /// Takes texts by the names of options.
    init(_ texts: [String: String]) { (self.texts, used) = (texts, UsedOptions()) }

    /// Whether an option was given, without looking at its value; a flag is given by any text but `false`.
    func has(_ name: String) -> Bool { texts[name].map { $0 != "false" } ?? false }

    /// Whether a flag was given.
    func flag(_ name: String) -> Bool {
        used.insert(name)
        return has(name)
    }

    /// The first of some options that was given and whose value nothing has looked at.
    func unused(among names: [String]) -> String? {
        names.first { has($0) && !used.contains($0) }
    }

    /// The same with other texts for some options.
    func replacing(_ others: [String: String]) -> CryptoInput {
        var input = self
        input.texts.merge(others) { $1 }
        return input
    }

    /// The text of an option; nil when it was not given.
    subscript(name: String) -> String? {
        used.insert(name)
        return texts[name]
    }

    /// Bytes of an option; nil when it was not given.
    /// - Parameters:
    ///   - name: The option.
    ///   - counts: How many bytes it may have.
    ///   - what: What they are, for errors: "a key".
    /// - Returns: The bytes.
    /// - Throws: `CommandFailure` when the text does not fit.
    func optionalBytes(
        _ name: String,
        _ counts: ClosedRange<Int>,
        _ what: String
    ) throws(CommandFailure) -> [UInt8]? {
        guard let text = self[name] else { return nil }
        let bytes: [UInt8]
        do throws(HexError) {
            bytes = try [UInt8](hex: text)
        } catch {
            let problem =
                switch error {
                case .oddDigitCount(let count): "\(count) digits are an odd number"
                case .notADigit(let offset): "character \(offset + 1) is not a hexadecimal digit"
                }
            throw CommandFailure(
                .usage,
                // Not what was given: it may be a key.
                "--\(name) needs \(what) in hexadecimal, and here \(problem)"
            )
        }
        guard counts.contains(bytes.count) else {
            throw CommandFailure(
                .usage,
                "--\(name) needs \(what) of \(counts.words) bytes, not of \(bytes.count)"
            )
        }
        return bytes
    }

    /// Bytes of an option that is needed.
    func bytes(
        _ name: String,
        _ counts: ClosedRange<Int>,
        _ what: String
    ) throws(CommandFailure) -> [UInt8] {
        guard let bytes = try optionalBytes(name, counts, what) else {
            throw CommandFailure(.usage, "--\(name) is missing: it needs \(what) in hexadecimal")
        }
        return bytes
    }

    /// A number in hexadecimal of exactly `byteCount` bytes; nil when the option was not given.
    func optionalNumber(
        _ name: String,
        _ byteCount: Int,
        _ what: String
    ) throws(CommandFailure) -> UInt64? {
        try optionalBytes(name, byteCount...byteCount, what)?.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number in hexadecimal of exactly `byteCount` bytes.
    func number(
        _ name: String,
        _ byteCount: Int,
        _ what: String
    ) throws(CommandFailure) -> UInt64 {
        try bytes(name, byteCount...byteCount, what).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A decimal number; nil when the option was not given.
    func optionalInteger(
        _ name: String,
        _ range: ClosedRange<Int>
    ) throws(CommandFailure) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(digits: text), range.contains(number) else {
            throw CommandFailure(
                .usage,
                "--\(name) needs a number from \(range.lowerBound) to \(range.upperBound), not \(text.quoted)"
            )
        }
        return number
    }

    /// Decimal digits; nil when the option was not given.
    func optionalDigits(
        _ name: String,
        _ counts: ClosedRange<Int>,
        _ what: String
    ) throws(CommandFailure) -> [UInt8]? {
        guard let text = self[name] else { return nil }
        guard let digits = PackedDigits.digits(of: text), counts.contains(digits.count) else {
            throw CommandFailure(
                .usage,
                // Not what was given: it may be a PIN or an account number.
                "--\(name) needs \(what) of \(counts.words) digits and nothing else"
            )
        }
        return digits
    }

    /// Decimal digits of an option that is needed.
    func digits(
        _ name: String,
        _ counts: ClosedRange<Int>,
        _ what: String
    ) throws(CommandFailure) -> [UInt8] {
        guard let digits = try optionalDigits(name, counts, what) else {
            throw CommandFailure(.usage, "--\(name) is missing: it needs \(what)")
        }
        return digits
    }

    /// One of several words; the first when the option was not given.
    func choice<Value>(
        _ name: String,
        _ choices: [(word: String, value: Value)]
    ) throws(CommandFailure) -> Value {
        guard let text = self[name] else { return choices[0].value }
        guard let choice = choices.first(where: { $0.word == text }) else {
            let words = choices.map(\.word)
            throw CommandFailure(
                .usage,
                "--\(name) needs one of \(words.joined(separator: ", ")), not \(text.quoted)"
            )
        }
        return choice.value
    }

    // MARK: Keys

    /// A DES key of two halves; nil when the option was not given.
    func optionalKey(_ name: String) throws(CommandFailure) -> DoubleLengthKey? {
        guard let bytes = try optionalBytes(name, 16...16, "a key") else { return nil }
        return DoubleLengthKey(bytes.span)
    }

    /// A DES key of two halves.
    func key(_ name: String) throws(CommandFailure) -> DoubleLengthKey {
        let bytes = try bytes(name, 16...16, "a key")
        guard let key = DoubleLengthKey(bytes.span) else { preconditionFailure("16 bytes") }
        return key
    }

    /// An AES key.
    func aesKey(_ name: String) throws(CommandFailure) -> AESKey {
        let bytes = try bytes(name, 16...32, "a key")
        guard let key = AESKey(bytes.span) else {
            throw CommandFailure(
                .usage,
                "--\(name) needs a key of 16, 24 or 32 bytes, not of \(bytes.count)"
            )
        }
        return key
    }

    /// The card key of `--card-key`, or the one derived from `--issuer-key`, `--pan`, `--psn` and `--option`.
    func cardKey(_ result: inout CryptoResult) throws(CommandFailure) -> DoubleLengthKey {
        if let key = try optionalKey("card-key") { return key }
        guard has("issuer-key") else {
            throw CommandFailure(
                .usage,
                "a key is missing: give --card-key, or --issuer-key with --pan"
            )
        }
        let derivation = try choice("option", MasterKeyDerivation.choices)
        let pan = try digits("pan", 8...19, "a PAN")
        let sequenceNumber = try sequenceNumber()
        var cipher = try TripleDES(key: key("issuer-key"))
        let diversifier = derivation.diversifier(pan: pan, sequenceNumber: sequenceNumber)
        result.step("diversifier", "Digits of the card", diversifier.hex)
        let key = cipher.cardKey(
            pan: pan,
            sequenceNumber: sequenceNumber,
            derivation: derivation,
            adjustsParity: !flag("no-parity")
        )
        result.step("cardKey", "Card key", key.exportedBytes.hex)
        return key
    }

    /// PAN sequence number, zero when it was not given.
    func sequenceNumber() throws(CommandFailure) -> UInt8 {
        let digits = try optionalDigits("psn", 2...2, "a PAN sequence number") ?? [0, 0]
        return digits[0] << 4 | digits[1]
    }
}

extension MasterKeyDerivation {
    /// The derivations by the words people use.
    static let choices: [(word: String, value: Self)] = [
        ("A", .optionA), ("B", .optionB), ("B-hashed", .optionBHashed),
    ]
}

extension CommandOption {
    /// An option for bytes.
    static func hex(_ name: String, _ summary: String) -> Self { .value(name, "HEX", summary) }

    /// An option for decimal digits.
    static func digits(_ name: String, _ summary: String) -> Self {
        .value(name, "DIGITS", summary)
    }

    /// What a card key is derived from, or the card key itself.
    static let cardKeys: [Self] = [
        .hex("card-key", "The card's key; without it, it is derived:"),
        .hex("issuer-key", "The issuer's key."),
        .digits("pan", "PAN of the card."),
        .digits("psn", "PAN sequence number (5F34), two digits; 00 without."),
        .choice(
            "option",
            MasterKeyDerivation.choices.map(\.word),
            "How the card key is derived (EMV Book 2, A1.4); A without."
        ),
    ]
}

extension ClosedRange<Int> {
    /// The range for people: `8`, or `8 to 16`.
    fileprivate var words: String {
        count == 1 ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)"
    }
}
