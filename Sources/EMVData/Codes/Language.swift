#if !hasFeature(Embedded)

/// A language by its two letters of ISO 639-1 (5F2D).
public struct Language: RawRepresentable, Hashable, Sendable {
    /// The two letters, small.
    public var rawValue: String
    /// Wraps any code, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Finds a language by its two letters of ISO 639-1 or its three of ISO 639-2/T, in either case.
    ///
    /// Nil when the standard has none such, or one without two letters.
    public init?(alphabetic: some StringProtocol) {
        let code = alphabetic.lowercased()
        guard let row = Self.table.first(where: { $0.alpha2 == code || $0.alpha3 == code }) else {
            return nil
        }
        self.init(rawValue: row.alpha2)
    }

    /// Reads the value of 5F2D: one to four languages of two letters, in either case, the preferred one first.
    ///
    /// Nil when the value has another length or other characters. Capitals are wrong, but cards have them.
    public static func list(_ bytes: [UInt8]) -> [Language]? {
        guard 2...8 ~= bytes.count, bytes.count.isMultiple(of: 2) else { return nil }
        let letters = bytes.map { $0 | 0x20 }
        guard letters.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }) else {
            return nil
        }
        return stride(from: 0, to: letters.count, by: 2).map {
            Language(rawValue: String(decoding: letters[$0..<$0 + 2], as: UTF8.self))
        }
    }

    /// The name in English; nil for a code ISO 639-1 does not have.
    public var name: String? { Self.table.first { $0.alpha2 == rawValue }?.name }
}

extension Language: CustomStringConvertible {
    /// The name, or the letters where there is none.
    public var description: String { name ?? rawValue }
}

#endif
