/// Rows of text under each other in aligned columns.
public struct TextTable: Hashable, Sendable {
    /// On which side of its column a cell stands.
    public enum Alignment: Hashable, Sendable {
        /// Left.
        case leading
        /// Right, for numbers.
        case trailing
    }

    /// How the columns are aligned; columns beyond these are leading.
    public var alignments: [Alignment]
    /// The cells, row by row.
    public var rows: [[String]] = []

    /// Creates an empty table.
    public init(_ alignments: [Alignment] = []) { self.alignments = alignments }

    /// Adds a row; whatever is in a cell, it stays on its line.
    public mutating func append(_ cells: String...) { rows.append(cells.map(\.escapingControls)) }

    /// The lines, columns two spaces apart, without trailing spaces.
    public var lines: [String] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                let isTrailing = column < alignments.count && alignments[column] == .trailing
                return isTrailing ? padding + cell : cell + padding
            }
            let line = cells.joined(separator: "  ")
            return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
        }
    }
}
