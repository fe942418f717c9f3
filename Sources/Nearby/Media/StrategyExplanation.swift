/// What a ``StrategySelection`` comes to, direction by direction: who wants it, what happens, in which cadence, until when.
public struct StrategyExplanation: Sendable, Hashable {
    /// One direction of one medium.
    public struct Row: Sendable, Hashable {
        /// Every medium has its rows, also one that is not there.
        public var medium: Medium
        /// The direction of ``medium`` that the row is about.
        public var role: Role
        /// What happens.
        public var outcome: Outcome
        /// Those it happens for.
        public var claims: [OperationID]
        /// Those that want it and do not get it.
        public var refusals: [OperationID: StrategySelection.Refusal]
        /// Of frames; nil where none are sent.
        public var profile: MediumAssignment.Profile?
        /// Of frames; nil where none are sent.
        public var cadence: MediumAssignment.Cadence?
        /// From one frame to the next, about; nil where none are sent.
        public var period: Duration? { cadence?.period(profile ?? .standard) }
        /// When the last of ``claims`` ends by itself; nil: when they are released.
        public var end: Instant?
    }

    /// What becomes of a direction, once all who want it are looked at together.
    public enum Outcome: Sendable, Hashable {
        /// It is claimed, and nothing stands in the way.
        case runs
        /// It is asked for, and goes on trying until this is over.
        case waits(MediumCondition.Obstacle)
        /// All who want it are refused.
        case refused
        /// No strategy names it.
        case notAsked
    }

    /// Looking for beacons.
    public struct BeaconRow: Sendable, Hashable {
        /// What happens; never ``Outcome/notAsked``, for then there is no row.
        public var outcome: Outcome
        /// Those it happens for.
        public var claims: [OperationID]
        /// Those that want it and do not get it.
        public var refusals: [OperationID: StrategySelection.Refusal]
        /// Nil where none are looked for.
        public var scan: BeaconScan?
    }

    /// One for each direction of each medium, whether it is asked for or not.
    public var rows: [Row]
    /// Nil where nobody wants any.
    public var beacons: BeaconRow?

    /// - Parameters:
    ///   - operations: all that are live and look for devices or are for them; each ends `end`, or when it is released.
    ///   - beacons: of those that look for beacons.
    public init(
        _ selection: StrategySelection, operations: [(id: OperationID, strategy: Strategy)],
        beacons: [OperationID: BeaconStrategy] = [:], now: Instant = .start
    ) {
        self.beacons = StrategyExplanation.row(selection, beacons)
        var table = DirectiveTable()
        for (id, strategy) in operations {
            let end = strategy.timeToLive.map { now + $0 }
            table.replace(id, with: selection.directives(of: id, strategy: strategy, end: end))
        }
        rows = Medium.allCases.flatMap { medium in
            Role.allCases.map { role in
                StrategyExplanation.row(medium, role, selection, operations, table, now)
            }
        }
    }

    private static func row(
        _ selection: StrategySelection, _ beacons: [OperationID: BeaconStrategy]
    ) -> BeaconRow? {
        if beacons.isEmpty { return nil }
        let claiming = beacons.filter { selection.isClaimed(by: $0.value) }
        let outcome: Outcome =
            if claiming.isEmpty {
                .refused
            } else if let obstacle = selection.conditions[.ble, default: .missing].scan {
                .waits(obstacle)
            } else {
                .runs
            }
        return BeaconRow(
            outcome: outcome, claims: claiming.keys.sorted(),
            refusals: beacons.filter { claiming[$0.key] == nil }.compactMapValues {
                selection.refusal(of: $0)
            },
            scan: selection.scan(for: Array(claiming.values)))
    }

    private static func row(
        _ medium: Medium, _ role: Role, _ selection: StrategySelection,
        _ operations: [(id: OperationID, strategy: Strategy)], _ table: DirectiveTable, _ now: Instant
    ) -> Row {
        let claiming = operations.filter { table.isClaimed(medium, role, by: $0.id) }
        var refusals: [OperationID: StrategySelection.Refusal] = [:]
        for (id, strategy) in operations where !table.isClaimed(medium, role, by: id) {
            let refusal = selection.refusal(of: strategy, on: medium, role)
            if refusal != .notAsked { refusals[id] = refusal }
        }
        let lives = claiming.map { $0.strategy.timeToLive }
        let longest = lives.contains(nil) ? nil : lives.compactMap { $0 }.max()
        let mode = table.modes(on: medium, at: now)
        let outcome: Outcome =
            if claiming.isEmpty {
                refusals.isEmpty ? .notAsked : .refused
            } else if let obstacle = (selection.conditions[medium] ?? .missing)[role] {
                .waits(obstacle)
            } else {
                .runs
            }
        let sends = role == .broadcast && !claiming.isEmpty
        return Row(
            medium: medium, role: role, outcome: outcome, claims: claiming.map { $0.id }, refusals: refusals,
            profile: sends
                ? selection.profile(on: medium, reach: table.reach(on: medium, role, at: now)) : nil,
            cadence: sends ? selection.cadence(on: medium, mode: mode) : nil,
            end: longest.map { now + $0 })
    }
}
