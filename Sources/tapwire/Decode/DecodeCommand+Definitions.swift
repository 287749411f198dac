import BERTLV
import EMVData
import Octets

extension DecodeCommand {
    /// Explains a tag without a value: every meaning, the kernel's own first.
    static func definition(of tag: Tag, _ settings: DecodeSettings) -> Decoding {
        var decoding = Decoding(title: "Tag \(tag), \(tag.classText)")
        let meanings = DataObjectDefinition.meanings(of: tag, in: settings.kernel, byteCount: nil)
        if meanings.isEmpty {
            let unknown = DecodedPart(place: "Name", text: "unknown")
            decoding.sections = [Decoding.Section(name: "definition", parts: [unknown])]
        }
        for meaning in meanings {
            decoding.sections.append(
                Decoding.Section(
                    name: "definition",
                    title: meaning.name,
                    parts: parts(meaning, settings)
                )
            )
        }
        return decoding
    }

    private static func parts(
        _ definition: DataObjectDefinition,
        _ settings: DecodeSettings
    ) -> [DecodedPart] {
        var parts = [
            DecodedPart(
                place: "Format",
                text: "\(definition.format.text), \(definition.length.text)"
            ),
            DecodedPart(place: "Source", text: definition.source.rawValue),
            DecodedPart(place: "Reference", text: definition.reference),
        ]
        if let kernel = definition.kernel {
            parts.append(DecodedPart(place: "Kernel", text: String(kernel.rawValue)))
        }
        return parts + ValueParts.allBits(of: definition, in: settings.kernel)
    }

    /// The objects a name may mean.
    static func choice(_ name: String, _ found: [DataObjectDefinition]) -> Decoding {
        let parts = found.map { definition in
            DecodedPart(
                place: definition.tag.description,
                text: definition.name
                    + (definition.kernel.map { " (kernel \($0.rawValue))" } ?? "")
            )
        }
        var decoding = Decoding(title: "Data objects called so: \(name)")
        decoding.sections = [Decoding.Section(name: "objects", parts: parts)]
        return decoding
    }
}

extension Tag {
    /// What the tag's first byte says of it.
    fileprivate var classText: String {
        let kind = isConstructed ? "template" : "primitive"
        switch leadingByte >> 6 {
        case 0: return "universal class, \(kind)"
        case 1: return "application class, \(kind)"
        case 2: return "context-specific class, \(kind)"
        default: return "private class, \(kind)"
        }
    }
}

extension DataFormat {
    /// The format with the words the book has for it.
    fileprivate var text: String {
        switch self {
        case .alphabetic: "a (letters)"
        case .alphanumeric: "an (letters and digits)"
        case .alphanumericSpecial: "ans (characters)"
        case .binary: "b (binary)"
        case .compressedNumeric: "cn (digits, F behind)"
        case .numeric: "n (digits, zeros before)"
        case .variable: "var. (objects)"
        }
    }
}
