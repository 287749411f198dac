import BERTLV
import CommandLineKit
import EMVData
import Foundation
import Octets
import Traces
import Transport

/// What `decode` was given.
enum DecodeInput {
    /// Bytes, in one or more pieces: a value, a list and its values, a command and its response.
    case pieces([[UInt8]])
    /// The name of a data object, and a value for it; nil without one.
    case name(String, value: [UInt8]?)
    /// A track as a magnetic stripe reader prints it, in the bytes a chip has for it.
    case track(DataKind, [UInt8])
    /// Recorded commands and responses, one after the other.
    case exchanges([(command: [UInt8], response: [UInt8])])

    /// Reads the words of the command line, the standard input or a file.
    init(_ arguments: Arguments) throws {
        let words = arguments.positionals
        if let path = arguments["file"] {
            guard words.isEmpty else {
                throw CommandFailure(.usage, "give the bytes in the file or as HEX, not both")
            }
            self = try Self.contents(InputFile.bytes(path, "file"), "file \(path.quoted)")
        } else if words == ["-"] || words.isEmpty && isatty(STDIN_FILENO) != 1 {
            self = try Self.contents(Self.standardInput(), "the standard input")
        } else if words.isEmpty {
            throw CommandFailure(
                .usage,
                "decode needs HEX, a tag or a name, such as: tapwire decode 95 8000048000"
            )
        } else {
            self = try Self.words(words, isKindSaid: arguments.has("as"))
        }
    }

    private static func standardInput() throws -> [UInt8] {
        var bytes: [UInt8] = []
        let input = FileHandle.standardInput
        while bytes.count <= InputFile.maximumByteCount,
            let part = try input.read(upToCount: InputFile.maximumByteCount), !part.isEmpty
        {
            bytes += part
        }
        guard bytes.count <= InputFile.maximumByteCount else {
            throw CommandFailure(
                .badFile,
                "the standard input has more than \(InputFile.maximumByteCount) bytes; give less of it"
            )
        }
        return bytes
    }

    // MARK: Words

    private static func words(
        _ words: [String],
        isKindSaid: Bool = false
    ) throws -> DecodeInput {
        if let track = TrackText(words.joined(separator: " ")) {
            return .track(track.kind, track.bytes)
        }
        let pieces = words.map { LooseHex.bytes($0[...]) }
        let bytes = pieces.compactMap(\.value)
        guard bytes.count == words.count else { return try named(words, pieces) }
        if bytes.count == 1 {
            // AC is no tag of EMV's, but the short form of a name.
            let isTag = Tag(bytes: bytes[0]).map { DataObjectDefinition[$0] != nil } ?? false
            if bytes[0].count == 1, !isTag, !isKindSaid,
                !DataObjectDefinition.named(words[0]).isEmpty
            {
                return .name(words[0], value: nil)
            }
            return .pieces(bytes)
        }
        let areSingle = bytes.allSatisfy { $0.count == 1 }
        if bytes.count == 2, DataPair(bytes[0], bytes[1]) != nil { return .pieces(bytes) }
        if areSingle { return .pieces([bytes.flatMap { $0 }]) }
        if bytes.count.isMultiple(of: 2), DataPair(bytes[0], bytes[1]) == .exchange {
            return .pieces(bytes)
        }
        // The values of a list may stand one by one.
        let rest = bytes.dropFirst().flatMap { $0 }
        if let list = try? DataObjectList(parsing: bytes[0]), list.count == rest.count {
            return .pieces([bytes[0], rest])
        }
        return .pieces([bytes.flatMap { $0 }])
    }

    /// Words that are not all hexadecimal: a name, and perhaps a value behind it.
    private static func named(_ words: [String], _ pieces: [LooseHex.Result]) throws -> DecodeInput
    {
        let whole = words.joined(separator: " ")
        if !DataObjectDefinition.named(whole).isEmpty { return .name(whole, value: nil) }
        let name = words.dropLast().joined(separator: " ")
        if words.count > 1, !DataObjectDefinition.named(name).isEmpty {
            guard let value = pieces.last?.value else {
                throw CommandFailure(
                    .usage,
                    "the value of \(name) is written in hexadecimal, as whole bytes"
                )
            }
            return .name(name, value: value)
        }
        // What is repeated in an error must be a name; bytes may tell of a cardholder.
        let wrong = pieces.first { $0.value == nil }
        let areDigits = words.allSatisfy { $0.allSatisfy(\.isHexDigit) }
        if areDigits || words.contains(where: looksLikeBytes), let problem = wrong?.problem {
            throw CommandFailure(.usage, problem)
        }
        return .name(words.count > 1 && pieces.last?.value != nil ? name : whole, value: nil)
    }

    /// Whether a word is too long for a name, or has so many digits that it may be an account number.
    private static func looksLikeBytes(_ word: String) -> Bool {
        word.count > 24 || word.filter(\.isNumber).count >= 8
    }

    // MARK: Files

    private static func contents(_ bytes: [UInt8], _ what: String) throws -> DecodeInput {
        guard !bytes.isEmpty else {
            throw CommandFailure(.badFile, "\(what) is empty; it must hold the bytes to decode")
        }
        guard let text = text(bytes) else { return .pieces([bytes]) }
        let lines = text.split(whereSeparator: \.isNewline)
        if lines.contains(where: { $0.hasPrefix("> ") }) { return try trace(text, what) }
        if let track = TrackText(text) { return .track(track.kind, track.bytes) }
        let result = LooseHex.bytes(text[...])
        if let value = result.value { return .pieces([value]) }
        // A tag or name and a value, as on the command line.
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        if lines.count == 1, words.count < 8,
            case .name(let name, let value) = try Self.words(words),
            !DataObjectDefinition.named(name).isEmpty
        {
            return .name(name, value: value)
        }
        throw CommandFailure(.badFile, "\(what): \(result.problem ?? "not hexadecimal")")
    }

    /// Bytes as text, without the byte order mark that some editors put in front; nil where they are no text.
    private static func text(_ bytes: [UInt8]) -> String? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes[3...] : bytes[...]
        let isReadable = content.allSatisfy { byte in
            byte >= 0x20 && byte != 0x7F || [0x09, 0x0A, 0x0D].contains(byte)
        }
        guard isReadable, !content.isEmpty else { return nil }
        return String(validating: content, as: UTF8.self)
    }

    private static func trace(_ text: String, _ what: String) throws -> DecodeInput {
        let trace: Trace
        do throws(TraceError) {
            trace = try Trace(parsing: text)
        } catch {
            throw CommandFailure(.badFile, "\(what) is no trace: \(error.message)")
        }
        return .exchanges(
            trace.exchanges.compactMap { exchange in
                guard case .success(let response) = exchange.result else { return nil }
                return (exchange.command, response)
            }
        )
    }
}

/// Hexadecimal text as people copy it.
enum LooseHex {
    /// What the text was.
    struct Result {
        /// The bytes; nil when it is not hexadecimal.
        var value: [UInt8]?
        /// Why it is not.
        var problem: String?
    }

    /// Reads hexadecimal digits in either case; white space, colons, commas, dashes, `0x` and `\x` are passed over.
    static func bytes(_ text: Substring) -> Result {
        var digits = ""
        var offset = 0
        var rest = text
        while let character = rest.first {
            if rest.hasPrefix("0x") || rest.hasPrefix("0X") || rest.hasPrefix("\\x") {
                rest = rest.dropFirst(2)
                offset += 2
                continue
            }
            offset += 1
            rest = rest.dropFirst()
            if character.isHexDigit, character.isASCII {
                digits.append(character)
            } else if !character.isWhitespace, !":,-_".contains(character) {
                return Result(
                    problem:
                        "character \(offset) is \(String(character).quoted), not a hexadecimal digit"
                )
            }
        }
        guard !digits.isEmpty else { return Result(problem: "there are no hexadecimal digits") }
        guard let bytes = try? [UInt8](hex: digits) else {
            return Result(
                problem: "there are \(digits.count) hexadecimal digits, and two make a byte"
            )
        }
        return Result(value: bytes)
    }
}
