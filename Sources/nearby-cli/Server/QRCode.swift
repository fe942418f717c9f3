import CQREncode

/// A QR code (ISO/IEC 18004) for a terminal.
struct QRCode {
    /// Modules of light around it, as cameras need them.
    private static let quiet = 4
    /// Black on white by number: the code is dark on light whatever the terminal's colours are.
    private static let colours = "\u{1B}[38;5;16;48;5;231m"
    private static let usual = "\u{1B}[0m"

    /// Whether each is dark, from the top, without what is around it.
    let modules: [[Bool]]

    /// Nil for a text that is too long for any, or when there is no memory.
    init?(_ text: String) {
        // Byte by byte, and with the least correction: a screen has no stains, and a small code is read from farther away.
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return nil }
        modules = (0..<width).map { row in (0..<width).map { data[row * width + $0] & 1 != 0 } }
    }

    /// Columns of a terminal that it takes.
    var width: Int { modules.count + 2 * QRCode.quiet }

    /// Two rows of modules each.
    var lines: [String] {
        stride(from: -QRCode.quiet, to: modules.count + QRCode.quiet, by: 2).map { row in
            let cells = (-QRCode.quiet..<modules.count + QRCode.quiet).map { column in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return QRCode.colours + cells.joined() + QRCode.usual
        }
    }

    private func isDark(_ row: Int, _ column: Int) -> Bool {
        modules.indices.contains(row) && modules.indices.contains(column) && modules[row][column]
    }
}
