import CQREncode

/// A QR code (ISO/IEC 18004) for a terminal.
struct QRCode {
    /// The width in modules of the light margin, which cameras need.
    private static let quiet = 4
    /// The colours, black on white by number, so that the code is dark on light with any colour scheme.
    private static let colours = "\u{1B}[38;5;16;48;5;231m"
    private static let usual = "\u{1B}[0m"

    /// The modules in rows from the top, without the margin; `true` stands for dark.
    let modules: [[Bool]]

    /// Encodes a text; `nil` if it is too long for any QR code, or if memory runs out.
    init?(_ text: String) {
        // The code stores bytes with the lowest error correction. A screen has no stains, and a camera reads
        // a small code from farther away.
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return nil }
        modules = (0..<width).map { row in (0..<width).map { data[row * width + $0] & 1 != 0 } }
    }

    /// The width of the drawing in columns of a terminal.
    var width: Int { modules.count + 2 * QRCode.quiet }

    /// The lines for a terminal. Each line shows two rows of modules.
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
