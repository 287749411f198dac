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
        text.utf8.split(separator: UInt8(ascii: "\n")).map { line in
            guard let definition = DataObjectDefinition(line: line, kernel: kernel) else {
                preconditionFailure("the dictionary has a malformed line: \(Substring(line))")
            }
            return definition
        }
    }

    private init?(line: Substring.UTF8View, kernel: KernelIdentifier?) {
        let columns = line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
            .map(\.trimmed)
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

extension Substring.UTF8View {
    /// The text without the spaces around it.
    ///
    /// By bytes: whole characters took a third of the time of a program that starts for one payment.
    fileprivate var trimmed: String {
        let space = UInt8(ascii: " ")
        var text = drop { $0 == space }
        while text.last == space { text.removeLast() }
        return String(Substring(text))
    }
}

#endif
