import CommandOutput
import Glibc
import Nearby

/// The text and JSON forms of a scan's entries.
enum ScanLines {
    /// - Parameter time: the time for the first cell, one of the entry's times.
    static func cells(_ entry: ScanHistory.Entry, time: Duration) -> [String] {
        [
            "\(FixedPoint.text(time.inSeconds, places: 1)) s",
            entry.rssiDBm.map { "\($0) dBm" } ?? "–", "\(entry.address)", entry.finding.kind,
            words(entry), FindingWords.distance(entry.distance),
        ]
    }

    private static func words(_ entry: ScanHistory.Entry) -> String {
        let name = entry.name.map { "'\(FindingWords.printable($0))'" }
        return [FindingWords.text(entry.finding), name ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Formats an entry: "0.3 s  -50 dBm  3A:…  eddystone-url  https://example.com  1.0 m (0.4 to 2.6)".
    static func line(_ entry: ScanHistory.Entry) -> String {
        cells(entry, time: entry.lastSeen).filter { !$0.isEmpty }.joined(separator: "  ")
    }

    static func json(_ entry: ScanHistory.Entry) -> String {
        var object = JSONObject()
        object.add("event", entry.isFirst ? "first" : "again")
        object.add("time", entry.lastSeen.inSeconds, places: 3)
        object.add("firstSeen", entry.firstSeen.inSeconds, places: 3)
        object.add("address", "\(entry.address)")
        object.add("addressKind", entry.address.kindName)
        object.add("rssiDBm", orNull: entry.rssiDBm)
        object.add("kind", entry.finding.kind)
        object.add("name", entry.name)
        object.add("distanceMeters", entry.distance?.meters ?? .nan, places: 2)
        object.add("distanceFactor", entry.distance?.accuracyFactor ?? .nan, places: 2)
        object.add("data", FindingWords.hex(entry.data))
        FindingWords.add(entry.finding, to: &object)
        return object.description
    }
}

/// A table on a terminal that replaces the previous one each time.
struct ScanTable {
    private var drawnRows = 0

    /// `true` if standard output is a terminal.
    static var isPossible: Bool { isatty(1) == 1 }

    mutating func draw(_ entries: [ScanHistory.Entry]) throws(CommandFailure) {
        var size = winsize()
        let isKnown = ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 2
        let (columns, rows) = isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
        let head = ["first", "RSSI", "about how far", "address", "what"]
        // The last entries are the newest. The content is the last column, because the end of a line may be
        // cut off.
        let shown = entries.suffix(rows - 2).map { entry in
            let cells = ScanLines.cells(entry, time: entry.firstSeen)
            return [cells[0], cells[1], cells[5], cells[2], cells[3], cells[4]]
        }
        let lines = TextTable([head] + shown).lines.map { String($0.prefix(columns - 1)) }
        let up = drawnRows > 0 ? "\u{1B}[\(drawnRows)F\u{1B}[J" : ""
        drawnRows = lines.count
        try StandardOutput.show(up + lines.map(ShownText.escaped).joined(separator: "\n"))
    }
}
