import Octets

/// The bytes at the beginning of a piece of a line, and what stands behind them.
struct LogHex {
    /// The bytes.
    var bytes: [UInt8] = []
    /// What stands behind them, without the space between.
    var tail: ArraySlice<UInt8>

    /// Reads hexadecimal as programs print it: with or without spaces, colons, dashes, commas or `0x`.
    ///
    /// A word that is not hexadecimal, or has an odd number of digits that are letters, is the end of it.
    /// - Parameters:
    ///   - text: A piece of a line.
    ///   - line: The line's number, for errors.
    /// - Throws: `TraceError.Reason.badHex` where bytes begin and are cut.
    init(_ text: ArraySlice<UInt8>, line: Int) throws(TraceError) {
        tail = text.trimmedStart
        // pyscard writes empty data as [].
        if tail.starts(with: "[]".utf8) { tail = tail.dropFirst(2).trimmedStart }
        while !tail.isEmpty {
            let word = tail.prefix { !$0.isBlank }
            guard let piece = try Self.bytes(of: word, isFirst: bytes.isEmpty, line) else { break }
            bytes += piece
            tail = tail[word.endIndex...].trimmedStart
        }
    }

    /// The bytes of a word; nil where it is none.
    private static func bytes(
        of word: ArraySlice<UInt8>,
        isFirst: Bool,
        _ line: Int
    ) throws(TraceError) -> [UInt8]? {
        var digits: [UInt8] = []
        var rest = word
        while let byte = rest.first {
            if rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8), digits.count % 2 == 0 {
                rest = rest.dropFirst(2)
                continue
            }
            guard let digit = byte.hexDigit else {
                // Between two bytes, or behind the last.
                guard [0x3A, 0x2D, 0x2C].contains(byte), !digits.isEmpty, digits.count % 2 == 0
                else { break }
                rest = rest.dropFirst()
                continue
            }
            digits.append(digit)
            rest = rest.dropFirst()
        }
        let isWhole = rest.isEmpty && digits.count % 2 == 0 && !digits.isEmpty
        if isWhole {
            return stride(from: 0, to: digits.count, by: 2).map {
                digits[$0] << 4 | digits[$0 + 1]
            }
        }
        // pyscard writes a second status byte below 10 with one digit.
        if rest.isEmpty, digits.count == 1, word.count == 1, !isFirst { return digits }
        let looksLikeBytes = digits.count >= 4 && digits.contains { $0 < 10 }
        guard !looksLikeBytes || !rest.isEmpty && !isFirst else {
            throw TraceError(.badHex(offset: rest.startIndex - word.startIndex), line: line)
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// The text without spaces in front.
    var trimmedStart: ArraySlice<UInt8> { drop { $0.isBlank } }

    /// The text without spaces at its ends.
    var trimmed: ArraySlice<UInt8> {
        var text = trimmedStart
        while let last = text.last, last.isBlank { text.removeLast() }
        return text
    }

    /// Where a word stands first; nil where it does not.
    func firstRange(of word: String) -> Range<Int>? {
        let word = Array(word.utf8)
        guard count >= word.count else { return nil }
        for start in startIndex...(endIndex - word.count)
        where self[start] == word[0] && self[start..<start + word.count].elementsEqual(word) {
            return start..<start + word.count
        }
        return nil
    }
}

extension UInt8 {
    /// Whether this is a space, a tab or the other half of a line end.
    var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }

    /// Whether this is a decimal digit.
    var isDigit: Bool { 0x30...0x39 ~= self }

    /// The value of a hexadecimal digit; nil for anything else.
    var hexDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
