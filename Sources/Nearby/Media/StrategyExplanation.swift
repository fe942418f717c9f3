/// An explanation of a ``StrategySelection``, direction by direction: the operations that want it, the
/// outcome, the cadence and the end.
public struct StrategyExplanation: Sendable, Hashable {
    /// One direction of one medium.
    public struct Row: Sendable, Hashable {
        /// The medium. Every medium has its rows, even a missing one.
        public var medium: Medium
        /// The direction of ``medium`` that the row explains.
        public var role: Role
        /// The outcome for the direction.
        public var outcome: Outcome
        /// The operations for which the direction is used.
        public var claims: [OperationID]
        /// The operations that want the direction and are refused, with the reasons.
        public var refusals: [OperationID: StrategySelection.Refusal]
        /// The profile of the frames, or `nil` if none are sent.
        public var profile: MediumAssignment.Profile?
        /// The cadence of the frames, or `nil` if none are sent.
        public var cadence: MediumAssignment.Cadence?
        /// The approximate time from one frame to the next, or `nil` if none are sent.
        public var period: Duration? { cadence?.period(profile ?? .standard) }
        /// The time at which the last of ``claims`` ends by itself, or `nil` if they last until they are
        /// released.
        public var end: Instant?
    }

    /// The outcome for a direction, from all operations that want it.
    public enum Outcome: Sendable, Hashable {
        /// The direction is claimed, and there is no obstacle.
        case runs
        /// The direction is claimed, and the medium keeps trying until this obstacle is gone.
        case waits(MediumCondition.Obstacle)
        /// All operations that want the direction are refused.
        case refused
        /// No strategy names the direction.
        case notAsked
    }

    /// The explanation of the search for beacons.
    public struct BeaconRow: Sendable, Hashable {
        /// The outcome. It is never ``Outcome/notAsked``, because then there is no row.
        public var outcome: Outcome
        /// The operations for which beacons are looked for.
        public var claims: [OperationID]
        /// The operations that want beacons and are refused, with the reasons.
        public var refusals: [OperationID: StrategySelection.Refusal]
        /// The scan, or `nil` if no beacons are looked for.
        public var scan: BeaconScan?
    }

    /// One row for each direction of each medium, whether any operation wants it or not.
    public var rows: [Row]
    /// The row for beacons, or `nil` if no operation wants them.
    public var beacons: BeaconRow?

    /// - Parameters:
    ///   - operations: all live operations that look for devices or are for them. An operation ends by its
    ///     time to live, or when it is released.
    ///   - beacons: the strategies of the operations that look for beacons.
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
        let media = operations.reduce(Set(selection.conditions.keys)) { $0.union($1.strategy.media) }
        rows = media.sorted().flatMap { medium in
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
            } else if let obstacle = selection.beaconObstacle {
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
