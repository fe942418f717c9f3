import CommandOutput
import Nearby

/// A ``StrategyExplanation`` as a table for people or as JSON.
struct StrategyReport {
    private let operations: [OperationArgument]
    private let explanation: StrategyExplanation

    init(_ operations: [OperationArgument], _ selection: StrategySelection) {
        self.operations = operations
        explanation = StrategyExplanation(
            selection,
            operations: operations.enumerated().filter { $0.element.looksForDevices }.map {
                (OperationID(UInt64($0 + 1)), $1.strategy)
            },
            beacons: Dictionary(
                uniqueKeysWithValues: operations.enumerated().compactMap { index, one in
                    one.beacons.map { (OperationID(UInt64(index + 1)), $0) }
                }))
    }

    // MARK: For people

    var text: [String] {
        let wanted = operations.enumerated().map { index, operation in
            ["\(index + 1)", operation.kind.rawValue, StrategyWords.all(operation)]
        }
        let head = ["medium", "direction", "for", "what happens", "until"]
        return TextTable(wanted).lines + [""]
            + TextTable([head] + explanation.rows.flatMap(cells) + beaconCells).lines
    }

    private var beaconCells: [[String]] {
        guard let row = explanation.beacons else { return [] }
        var rows: [[String]] = []
        if let scan = row.scan {
            rows.append([
                "ble", "beacons", numbers(row.claims), StrategyWords.beacons(scan, row.outcome),
                end(of: row.claims),
            ])
        }
        for (id, refusal) in row.refusals.sorted(by: { $0.key < $1.key }) {
            let reason = StrategyWords.refusal(refusal, .ble, .scan)
            rows.append(["ble", "beacons", numbers([id]), "refused: \(reason)", "-"])
        }
        return rows
    }

    /// Returns one row for the operations that are served, and one for each reason why others are refused.
    private func cells(_ row: StrategyExplanation.Row) -> [[String]] {
        var rows: [[String]] = []
        if !row.claims.isEmpty {
            rows.append([
                row.medium.rawValue, row.role.rawValue, numbers(row.claims), happening(row),
                row.end.map { StrategyWords.seconds($0.offset) } ?? "released",
            ])
        }
        let reasons = Set(row.refusals.values).map { StrategyWords.refusal($0, row.medium, row.role) }
            .sorted()
        for reason in reasons {
            let ids = row.refusals.filter { StrategyWords.refusal($0.value, row.medium, row.role) == reason }
                .keys
            rows.append([
                row.medium.rawValue, row.role.rawValue, numbers(ids.sorted()), "refused: \(reason)", "-",
            ])
        }
        return rows.isEmpty
            ? [[row.medium.rawValue, row.role.rawValue, "-", "nothing: no operation needs it", "-"]] : rows
    }

    private func numbers(_ ids: [OperationID]) -> String { ids.map(\.description).joined(separator: ", ") }

    private func happening(_ row: StrategyExplanation.Row) -> String {
        if case .waits(let obstacle) = row.outcome {
            return "waits: \(StrategyWords.obstacle(obstacle, row.medium, row.role)); keeps trying"
        }
        guard let cadence = row.cadence, let profile = row.profile else { return "scans all the time" }
        return "transmits \(StrategyWords.cadence(cadence, profile, row.medium))"
    }

    /// Returns the end of the operation that lasts longest.
    private func end(of ids: [OperationID]) -> String {
        let lives = ids.map { operations[Int($0.number) - 1].strategy.timeToLive }
        guard !lives.contains(nil), let longest = lives.compactMap({ $0 }).max() else { return "released" }
        return StrategyWords.seconds(longest)
    }

    // MARK: For programs

    var json: [String] {
        (explanation.rows.map(object) + (explanation.beacons.map { [object($0)] } ?? [])).map(\.description)
    }

    private func object(_ row: StrategyExplanation.BeaconRow) -> JSONObject {
        var object = JSONObject()
        object.add("medium", "ble")
        object.add("direction", "beacons")
        object.add("outcome", outcome(row.outcome))
        object.add("operations", row.claims.map(\.description))
        object.add(
            "refused", row.refusals.sorted { $0.key < $1.key }.map { refused($0.key, $0.value, .ble, .scan) })
        object.add("kinds", row.scan?.kinds.map(\.rawValue).sorted() ?? [])
        object.add("isSparing", row.scan?.isSparing ?? false)
        return object
    }

    private func object(_ row: StrategyExplanation.Row) -> JSONObject {
        var object = JSONObject()
        object.add("medium", row.medium.rawValue)
        object.add("direction", row.role.rawValue)
        object.add("outcome", outcome(row.outcome))
        object.add("operations", row.claims.map(\.description))
        object.add(
            "refused",
            row.refusals.sorted { $0.key < $1.key }.map { refused($0.key, $0.value, row.medium, row.role) })
        object.add("profile", row.profile?.rawValue)
        switch row.cadence {
        case .bursts(let listening):
            object.add("cadence", "bursts")
            object.add("periodSeconds", row.period!.inSeconds, places: 3)
            object.add("leastListeningSeconds", listening.lowerBound.inSeconds, places: 3)
            object.add("mostListeningSeconds", listening.upperBound.inSeconds, places: 3)
        case .continuous: object.add("cadence", "continuous")
        case nil: object.add("cadence", nil as String?)
        }
        object.add("untilSeconds", row.end?.offset.inSeconds ?? .nan, places: 3)
        return object
    }

    private func outcome(_ outcome: StrategyExplanation.Outcome) -> String {
        switch outcome {
        case .runs: "runs"
        case .waits: "waits"
        case .refused: "refused"
        case .notAsked: "notAsked"
        }
    }

    private func refused(
        _ id: OperationID, _ refusal: StrategySelection.Refusal, _ medium: Medium, _ role: Role
    ) -> JSONObject {
        var object = JSONObject()
        object.add("operation", Int(id.number))
        object.add("reason", StrategyWords.refusal(refusal, medium, role))
        return object
    }
}
