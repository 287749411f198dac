#if !hasFeature(Embedded)
public import BERTLV

extension DataObjectDefinition {
    /// Every meaning of a tag, the most probable first.
    ///
    /// That of the kernel comes first, then those whose length allows a value of `byteCount` bytes.
    /// - Parameters:
    ///   - tag: The tag.
    ///   - kernel: Whose object it is; nil when it is not known.
    ///   - byteCount: How long the value is; nil when there is none.
    /// - Returns: The meanings; none for an unknown tag.
    public static func meanings(
        of tag: Tag,
        in kernel: KernelIdentifier?,
        byteCount: Int?
    ) -> [DataObjectDefinition] {
        func rank(_ definition: DataObjectDefinition) -> Int {
            if kernel != nil, definition.kernel == kernel { return 0 }
            return byteCount.map(definition.length.allows) ?? true ? 1 : 2
        }
        let all = all(of: tag)
        return (0...2).flatMap { wanted in all.filter { rank($0) == wanted } }
    }

    /// The objects a name stands for, in the order of the dictionary; none when nothing has such a name.
    ///
    /// The short form of the books and of everyday use (TVR, AID), the whole name, or the beginnings of some of its
    /// words (`cvm res`), in either case. The closest kind of match counts alone.
    public static func named(_ text: some StringProtocol) -> [DataObjectDefinition] {
        let wanted = words(text)
        guard !wanted.isEmpty else { return [] }
        let whole = wanted.joined()
        let exact = all.filter { definition in
            let short = definition.abbreviation?.lowercased()
            return short == whole || words(definition.name).joined() == whole
                || words(definition.plainName).joined() == whole
        }
        let everyday = everydayNames[whole] ?? []
        if !exact.isEmpty || !everyday.isEmpty {
            return all.filter { exact.contains($0) || everyday.contains($0.tag.rawValue) }
        }
        return all.filter { definition in
            let present = words(definition.name)
            return wanted.allSatisfy { word in present.contains { $0.hasPrefix(word) } }
        }
    }

    /// The short form at the end of the name, `TVR`; nil when it has none.
    public var abbreviation: String? {
        guard name.hasSuffix(")"), let start = name.lastIndex(of: "(") else {
            return name.contains(" ") ? nil : name
        }
        let text = name[name.index(after: start)...].dropLast()
        // (Numeric) and (Track2) are no short forms.
        return text.contains { $0 == " " || $0.isLowercase } ? nil : String(text)
    }

    /// The name without what stands in brackets.
    private var plainName: String {
        var depth = 0
        return name.filter { character in
            if character == "(" { depth += 1 }
            defer { if character == ")" { depth -= 1 } }
            return depth == 0
        }
    }

    /// The words of a text in small letters, without what stands between them.
    private static func words(_ text: some StringProtocol) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Short forms the dictionary's names do not have.
    private static let everydayNames: [String: [UInt32]] = [
        "aid": [0x4F, 0x84, 0x9F06], "arc": [0x8A], "arpc": [0x91], "arqc": [0x9F26],
        "cvmlist": [0x8E], "cvmr": [0x9F34], "cvmresults": [0x9F34], "expiry": [0x5F24],
        "fci": [0x6F], "iac": [0x9F0D, 0x9F0E, 0x9F0F], "psn": [0x5F34],
        "tac": [0xDF8120, 0xDF8121, 0xDF8122], "track1": [0x56], "track2": [0x57], "un": [0x9F37],
    ]
}

#endif
