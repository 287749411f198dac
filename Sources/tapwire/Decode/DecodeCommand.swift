import BERTLV
import CommandLineKit
import EMVCrypto
import EMVData
import Octets
import Profiles

/// `tapwire decode`: what bytes mean.
enum DecodeCommand {
    static let command = Command(
        "decode",
        summary: "Explains data objects, lists, APDUs, tracks, certificates and answers to reset.",
        discussion: [
            "HEX is written in any usual way; spaces, colons and 0x are passed over. A tag or a name explains the object, with HEX behind it a value of it. A list and the data that answer it, or commands each with its response, are decoded together. Without HEX the standard input is read, or with --file a file: hexadecimal text, raw bytes, or a trace.",
            "What the bytes are is guessed and told, unless --as says it. Bytes that are malformed are decoded up to the fault, which is told with its offset; the exit code is then 65.",
            "Account numbers and what may hold them are masked with zeros; --unmask shows all.",
        ],
        examples: [
            "tapwire decode 95 8000048000",
            "tapwire decode TVR 8000048000",
            "tapwire decode 9F02069F1A0295055F2A02 000000001234005680000000000978",
            "tapwire decode 80A8000002830000 6985",
            "tapwire decode --file response.bin --json",
        ],
        positionals: [
            Command.Positional(
                "HEX",
                "Bytes, a tag, or a data object's name.",
                isRepeatable: true,
                isOptional: true
            )
        ],
        groups: [
            CommandOption.Group(
                "What the bytes are",
                [
                    .choice("as", kinds.map(\.rawValue), "Says it, so that it is not guessed."),
                    .value("file", "FILE", "A file with the bytes."),
                    .value("kernel", "NUMBER", "Kernel whose objects they are, 1 to 8."),
                    .value(
                        "currency",
                        "CODE",
                        "Currency of amounts, where the bytes do not say it."
                    ),
                    .hex("dol", "PDOL or CDOL that a command's data answer."),
                ]
            ),
            CommandOption.Group(
                "Certificates among the objects",
                [
                    .value(
                        "ca-keys",
                        "FILE",
                        "Keys of authorities, beside the test keys built in.",
                        isRepeatable: true
                    ),
                    .hex("rid", "Provider, five bytes, where there is no AID among the objects."),
                    .hex("static-data", "Static data that a card's certificate covers."),
                    .hex("issuer-modulus", "Issuer's modulus, for a card's certificate alone."),
                    .hex("issuer-exponent", "Issuer's exponent; 03 without."),
                ]
            ),
            CommandOption.Group(
                "Output",
                [
                    .flag("json", "Prints JSON."),
                    .flag("unmask", "Shows account numbers and track data whole."),
                ]
            ),
        ],
        run: { arguments in try run(arguments) }
    )

    /// The kinds `--as` can say; a tag says itself.
    private static let kinds = DataKind.allCases.filter { $0 != .tag }

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let settings = try DecodeSettings(arguments)
        let input = try DecodeInput(arguments)
        let wanted = arguments["as"].flatMap(DataKind.init)
        let decoded: Decoded
        switch input {
        case .name(let name, let value): decoded = try named(name, value, wanted, settings)
        case .exchanges(let exchanges):
            decoded = Decoded(decoding: Self.exchanges(exchanges, settings))
        case .pieces(let pieces): decoded = try bytes(pieces, wanted, settings)
        case .track(let kind, let bytes):
            decoded = Decoded(decoding: trackText(bytes, kind, settings))
        }
        if decoded.decoding.faults.isEmpty { try settings.refuseUnused(arguments) }
        let text =
            arguments.has("json") ? JSONValue(decoded).text : decoded.text(for: .output)
        Console.output.write(text)
        if case .name(let name, nil) = input, LooseHex.bytes(name[...]).value != nil {
            Console.diagnostics.write(
                "tapwire: \(name.quoted) was taken as a name; say what it is with --as where it is a byte\n"
            )
        }
        guard let first = decoded.decoding.faults.first else { return .success }
        let more = decoded.decoding.faults.count - 1
        let least = decoded.decoding.isCutShort ? "at least " : ""
        throw CommandFailure(
            .badFile,
            "offset \(first.offset.offsetText): \(first.sentence)"
                + (more == 0
                    ? "" : "; \(least)\(more == 1 ? "one more fault" : "\(more) more faults")")
        )
    }

    // MARK: Bytes

    private static func bytes(
        _ pieces: [[UInt8]],
        _ wanted: DataKind?,
        _ settings: DecodeSettings
    ) throws -> Decoded {
        let whole = pieces.flatMap { $0 }
        if pieces.count > 1 {
            switch (DataPair(pieces[0], pieces[1]), wanted) {
            case (.object, nil):
                guard let tag = Tag(bytes: pieces[0]) else { break }
                return Decoded(decoding: object(tag, pieces[1], settings))
            case (_, .list) where pieces.count == 2, (.filledList, nil):
                return Decoded(decoding: filledList(pieces[0], pieces[1], settings))
            case (_, .command), (_, .response), (.exchange, nil):
                let pairs = stride(from: 0, to: pieces.count - 1, by: 2).map {
                    (command: pieces[$0], response: pieces[$0 + 1])
                }
                return Decoded(decoding: exchanges(pairs, settings))
            default: break
            }
        }
        if let wanted { return Decoded(decoding: decode(whole, as: wanted, settings)) }
        // What a known key recovers is no chance.
        if RecoveredCertificate(whole, settings) != nil {
            let guess = Decoded.Guess(kind: .certificate, isSure: true, alternatives: [])
            return Decoded(decoding: certificate(whole, settings), guess: guess)
        }
        let candidates = DataKind.candidates(for: whole)
        guard let first = candidates.first else {
            throw CommandFailure(
                .badFile,
                whole.count == 1
                    ? "this byte is like nothing known here; say what it is with --as"
                    : "these \(whole.count) bytes are like nothing known here; say what they are with --as"
            )
        }
        if first.kind == .tag, let tag = Tag(bytes: whole) {
            return Decoded(decoding: definition(of: tag, settings))
        }
        // What holds the same objects is no other reading of them.
        let others = candidates.dropFirst().filter {
            $0.likelihood >= DataKind.Candidate.plausible
                && !([.issuerData, .response].contains(first.kind) && $0.kind == .objects)
        }
        return Decoded(
            decoding: decode(whole, as: first.kind, settings),
            guess: Decoded.Guess(
                kind: first.kind,
                isSure: first.likelihood >= DataKind.Candidate.plausible,
                alternatives: others.map(\.kind)
            )
        )
    }

    // MARK: Names

    private static func named(
        _ name: String,
        _ value: [UInt8]?,
        _ wanted: DataKind?,
        _ settings: DecodeSettings
    ) throws -> Decoded {
        let found = DataObjectDefinition.named(name)
        var tags: [Tag] = []
        for definition in found where !tags.contains(definition.tag) { tags.append(definition.tag) }
        guard !tags.isEmpty else { throw unknown(name) }
        guard let value else {
            if tags.count == 1 { return Decoded(decoding: definition(of: tags[0], settings)) }
            return Decoded(decoding: choice(name, found))
        }
        guard tags.count == 1 else {
            let names = tags.map { tag in
                "\(tag) \(found.first { $0.tag == tag }?.name ?? "")"
            }
            throw CommandFailure(
                .usage,
                "\(name.quoted) may be \(names.joined(separator: "; ")): give the tag instead"
            )
        }
        let kernels = found.compactMap(\.kernel)
        var settings = settings
        // A name that only one kernel has says which kernel is meant.
        if settings.kernel == nil, Set(kernels).count == 1, kernels.count == found.count {
            settings.kernel = kernels[0]
        }
        return Decoded(decoding: object(tags[0], value, settings))
    }

    private static func unknown(_ name: String) -> CommandFailure {
        let all = DataObjectDefinition.all
        let short = all.compactMap(\.abbreviation)
        let near = CommandFailure.nearest(to: name, among: short + all.map(\.name))
        // The beginning of a word may be right where its end is not.
        let start = String(name.lowercased().prefix(4))
        let alike = all.filter { definition in
            start.count > 2
                && definition.name.lowercased().split { !$0.isLetter }.contains {
                    $0.hasPrefix(start)
                }
        }
        let names = ([near].compactMap(\.self) + alike.prefix(5).map { "\($0.tag) \($0.name)" })
        let hint =
            names.isEmpty
            ? "give a tag, such as 95, or a name, such as TVR"
            : "did you mean \(names.joined(separator: "; "))?"
        return CommandFailure(
            .usage,
            "\(name.quoted) is neither hexadecimal nor a data object's name; \(hint)"
        )
    }
}

/// What the command line says beside the bytes.
struct DecodeSettings {
    /// Whose objects they are; nil when it was not said.
    var kernel: KernelIdentifier?
    /// What amounts are in; nil when it was not said.
    var currency: Currency?
    /// The list that a command's data answer; nil when it was not given.
    var list: DataObjectList? {
        used.insert("dol")
        return given.list
    }
    /// The provider whose keys count; nil when it was not said.
    var rid: [UInt8]? {
        used.insert("rid")
        return given.rid
    }
    /// What a card's certificate covers; nil when it was not given.
    var staticData: [UInt8]? {
        used.insert("static-data")
        return given.staticData
    }
    /// Keys of authorities.
    var keys: [CAPublicKey]
    /// The key of an issuer, for a card's certificate that stands alone; nil when it was not given.
    var issuerKey: RSAPublicKey? {
        used.insert("issuer-modulus")
        return given.issuerKey
    }
    /// Whether nothing is masked.
    var isOpen: Bool

    /// What was given, of which not all may play a part.
    private struct Given {
        var list: DataObjectList?
        var rid: [UInt8]?
        var staticData: [UInt8]?
        var issuerKey: RSAPublicKey?
    }

    private var given = Given()
    private let used = UsedOptions()

    /// Refuses what nothing has looked at: who gave it expects that it counts.
    func refuseUnused(_ arguments: Arguments) throws(CommandFailure) {
        let names = ["dol", "rid", "static-data", "issuer-modulus"]
        guard let unused = names.first(where: { arguments.has($0) && !used.contains($0) }) else {
            return
        }
        throw CommandFailure(
            .usage,
            "--\(unused) plays no part beside what else was given; leave it out, or see tapwire decode --help"
        )
    }

    /// Reads the options.
    init(_ arguments: Arguments) throws {
        kernel = try arguments.value("kernel", expecting: "a number from 1 to 8") { text in
            UInt32(text).flatMap { 1...8 ~= $0 ? KernelIdentifier(rawValue: $0) : nil }
        }
        currency = try arguments.value(
            "currency",
            expecting: "a currency of ISO 4217, such as EUR or USD"
        ) {
            Currency(alphabetic: $0)
        }
        given.list = try arguments.value("dol", expecting: "a data object list in hexadecimal") {
            text in
            LooseHex.bytes(text[...]).value.flatMap { try? DataObjectList(parsing: $0) }
        }
        given.rid = try arguments.value("rid", expecting: "five bytes in hexadecimal") { text in
            LooseHex.bytes(text[...]).value.flatMap { $0.count == 5 ? $0 : nil }
        }
        given.staticData = try arguments.value("static-data", expecting: "bytes in hexadecimal") {
            text in
            LooseHex.bytes(text[...]).value
        }
        given.issuerKey = try Self.issuerKey(arguments)
        var keys = CAPublicKey.testKeys
        for path in arguments.values("ca-keys").reversed() {
            let more = try InputFile.json(path, .authorityKeys) {
                (text: [UInt8]) throws(ProfilesError) in try CAPublicKey.keys(json: text)
            }
            keys = more + keys
        }
        self.keys = keys
        isOpen = arguments.has("unmask")
    }

    private static func issuerKey(_ arguments: Arguments) throws -> RSAPublicKey? {
        func bytes(_ option: String) throws -> [UInt8]? {
            try arguments.value(option, expecting: "bytes in hexadecimal") { text in
                LooseHex.bytes(text[...]).value
            }
        }
        let exponent = try bytes("issuer-exponent")
        guard let modulus = try bytes("issuer-modulus") else {
            guard exponent == nil else {
                throw CommandFailure(.usage, "--issuer-exponent needs --issuer-modulus beside it")
            }
            return nil
        }
        do throws(CertificateError) {
            return try RSAPublicKey(modulus: modulus, exponent: exponent ?? [3])
        } catch {
            throw CommandFailure(
                .usage,
                "--issuer-modulus, --issuer-exponent: \(error.sentence)"
            )
        }
    }

    /// A decoder that knows what the command line says.
    var decoder: ObjectDecoder {
        ObjectDecoder(
            kernel: kernel,
            currency: currency,
            redaction: Redaction(isOpen ? .nothing : .cardholderData)
        )
    }
}

extension Int {
    /// A number of bytes in words: `1 byte`, `2 bytes`.
    var byteText: String { self == 1 ? "1 byte" : "\(self) bytes" }

    /// An offset as people count: `0012 (18)`, the first in hexadecimal.
    var offsetText: String { "\(offsetDigits) (\(self))" }

    /// An offset as four hexadecimal digits or more.
    var offsetDigits: String {
        let digits = String(self, radix: 16, uppercase: true)
        return String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
    }
}
