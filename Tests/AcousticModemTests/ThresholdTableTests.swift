import Foundation
import TestSupport
import Testing

@testable import AcousticModem

/// Tests that the page of the gate lists every threshold of the code, with its value and its cost on either
/// side.
@Suite struct ThresholdTableTests {
    private struct Row: Equatable {
        var name: String
        var value: Double
    }

    /// Returns each family's rows, by the heading above them.
    private static func tables() throws -> [String: [[String]]] {
        let page = try String(
            contentsOfFile: Repository.path("Sources/AcousticModem/Gate/README.md"), encoding: .utf8)
        var (tables, family): ([String: [[String]]], String) = ([:], "")
        for line in page.split(separator: "\n") {
            if line.hasPrefix("## ") { family = line.dropFirst(3).filter { $0 != "`" } }
            guard line.hasPrefix("| `") else { continue }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            tables[family, default: []].append(cells)
        }
        return tables
    }

    /// Returns the stored numbers of a family's thresholds, in order.
    private static func rows(of thresholds: Any) -> [Row] {
        Mirror(reflecting: thresholds).children.map { child in
            Row(name: child.label ?? "", value: Double("\(child.value)") ?? .nan)
        }
    }

    @Test(arguments: [
        "Guards", "dsss", "fsk", "ggwave", "fsk2",
        "Reports of all families",
    ])
    func everyThresholdIsListed(_ family: String) throws {
        let thresholds: [String: Any] = [
            "Guards": Thresholds.guards,
            "dsss": Thresholds.dsss, "fsk": Thresholds.fsk, "ggwave": Thresholds.ggwave,
            "fsk2": Thresholds.uart, "Reports of all families": Thresholds.reports,
        ]
        let table = try #require(try Self.tables()[family])
        let listed = table.map { cells in
            Row(name: cells[0].filter { $0 != "`" }, value: Double(cells[1]) ?? .nan)
        }
        #expect(listed == Self.rows(of: try #require(thresholds[family])))
        for cells in table { #expect(cells.count == 4, "\(cells[0]) says its cost on either side") }
    }
}
