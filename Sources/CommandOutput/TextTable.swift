/// Rows of cells, formatted as lines with aligned columns. Two blanks separate the columns.
package struct TextTable {
    package var rows: [[String]]

    package init(_ rows: [[String]] = []) { self.rows = rows }

    package var lines: [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let line = zip(row, widths).map { TextTable.padded($0, $1) }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    package static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
