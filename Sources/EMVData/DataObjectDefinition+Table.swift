#if !hasFeature(Embedded)
import BERTLV
import Octets

extension DataObjectDefinition {
    /// Reads a table of the dictionary.
    ///
    /// Each line has, separated by bars: tag, format, length, source, reference, name. Formats and lengths are in the
    /// book's notation: `5-16` a range, `1,3` a choice, `<=32` an upper and `>=2` a lower limit, `var.` any length. A
    /// reference is to a book of EMV unless it names another standard.
    /// - Parameters:
    ///   - kernel: The kernel to which the tags mean this; nil for those that mean the same to all.
    ///   - text: The lines.
    /// - Returns: A definition for each line.
    static func table(of kernel: KernelIdentifier? = nil, _ text: String) -> [DataObjectDefinition]
    {
        text.split(separator: "\n").map { line in
            guard let definition = DataObjectDefinition(line: line, kernel: kernel) else {
                preconditionFailure("the dictionary has a malformed line: \(line)")
            }
            return definition
        }
    }

    private init?(line: Substring, kernel: KernelIdentifier?) {
        let columns = line.split(separator: "|", omittingEmptySubsequences: false).map(\.trimmed)
        guard columns.count == 6,
            let tag = (try? [UInt8](hex: columns[0])).flatMap(Tag.init(bytes:)),
            let format = DataFormat(rawValue: columns[1]),
            let length = DataLength(notation: columns[2]),
            let source = Source(rawValue: columns[3])
        else { return nil }
        self.tag = tag
        self.format = format
        self.length = length
        self.source = source
        reference = columns[4].hasPrefix("ISO") ? columns[4] : "EMV Book \(columns[4])"
        name = columns[5]
        self.kernel = kernel
    }
}

extension Substring {
    /// The text without the spaces around it.
    fileprivate var trimmed: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}

#endif
