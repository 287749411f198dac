/// Which of the readers somebody means: by its name, a part of it, or its number.
public struct PCSCReaderSelector: Hashable, Sendable {
    /// What was said; nil when nothing was.
    public var text: String?

    /// Takes what was said.
    public init(_ text: String?) { self.text = text }

    /// Why no reader is chosen.
    public enum Failure: Error, Hashable, Sendable {
        /// There is no reader at all.
        case noReader
        /// No reader has this name, part or number.
        case unknown(String)
        /// Several readers are meant, by their numbers.
        case ambiguous([Int])
    }

    /// Finds the reader.
    ///
    /// A whole name goes before a number, and a number before a part of a name. Parts may be in small letters.
    /// - Parameter names: The readers, in the order of their numbers, which begin with 0.
    /// - Returns: The reader's number.
    /// - Throws: `Failure`.
    public func choose(among names: [String]) throws(Failure) -> Int {
        guard !names.isEmpty else { throw .noReader }
        guard let text else {
            guard names.count == 1 else { throw .ambiguous(Array(names.indices)) }
            return 0
        }
        if let index = names.firstIndex(of: text) { return index }
        // Int takes a sign, too.
        if text.first?.isNumber == true, let number = Int(text), names.indices.contains(number) {
            return number
        }
        let part = text.lowercased()
        let matches = names.indices.filter { names[$0].lowercased().contains(part) }
        guard let first = matches.first, !part.isEmpty else { throw .unknown(text) }
        guard matches.count == 1 else { throw .ambiguous(matches) }
        return first
    }
}
