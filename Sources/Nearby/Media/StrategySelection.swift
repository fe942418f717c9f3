/// From what is wanted and what is possible to what each medium does: a function of values that are all here.
///
///     operations ─┐
///     permission ─┤
///     background ─┼─→ who transmits, who scans, on which medium, with which profile and cadence
///     conditions ─┤
///     crowd ──────┘
public struct StrategySelection: Sendable {
    /// Why an operation does nothing on a medium.
    public enum Refusal: Sendable, Hashable {
        /// The user has not decided, or has denied.
        case permission(Permission)
        /// The app is in the background, and the operation is not for it.
        case background
        /// What stands in the medium's way, in that direction.
        case obstacle(MediumCondition.Obstacle)
        /// The strategy does not name the medium, or not that direction.
        case notAsked
    }

    /// Nothing at all is done unless it is granted.
    public var permission: Permission
    /// Whether the app is in the background, where operations go on that allow it, by BLE.
    public var isInBackground: Bool
    /// Media that are not here are missing.
    public var conditions: [Medium: MediumCondition]
    /// Devices heard on a medium of late: those who share it take turns.
    public var crowd: [Medium: Int]

    /// By default the user agrees, the app is in the foreground, and no medium is there.
    ///
    /// - Parameters:
    ///   - conditions: of the media that are there.
    ///   - crowd: none for a medium: nobody is heard on it.
    public init(
        permission: Permission = .granted, isInBackground: Bool = false,
        conditions: [Medium: MediumCondition] = [:], crowd: [Medium: Int] = [:]
    ) {
        (self.permission, self.isInBackground) = (permission, isInBackground)
        (self.conditions, self.crowd) = (conditions, crowd)
    }

    /// Why an operation with this strategy does not use one direction of `medium`; nil when it does.
    public func refusal(of strategy: Strategy, on medium: Medium, _ role: Role) -> Refusal? {
        guard strategy.media.contains(medium), strategy.mode.contains(role.mode) else { return .notAsked }
        if permission != .granted { return .permission(permission) }
        if isInBackground && !(strategy.allowInBackground && medium == .ble) { return .background }
        return (conditions[medium] ?? .missing)[role].map { .obstacle($0) }
    }

    /// Whether a medium that is in trouble goes on trying for it: only one that is not there has nothing to try with.
    private func isClaimed(by strategy: Strategy, on medium: Medium, _ role: Role) -> Bool {
        switch refusal(of: strategy, on: medium, role) {
        case nil: true
        case .obstacle(let obstacle): obstacle != .missing
        case .permission, .background, .notAsked: false
        }
    }

    /// Why nobody looks for beacons so; nil when somebody does.
    public func refusal(of beacons: BeaconStrategy) -> Refusal? {
        if permission != .granted { return .permission(permission) }
        if isInBackground && !beacons.allowInBackground { return .background }
        return conditions[.ble, default: .missing].scan.map { .obstacle($0) }
    }

    /// What a medium does for those that it may look for beacons for.
    public func scan(for strategies: [BeaconStrategy]) -> BeaconScan? {
        guard var scan = BeaconScan(strategies) else { return nil }
        scan.isSparing = scan.isSparing || isInBackground
        return scan
    }

    /// As ``isClaimed(by:on:_:)``.
    func isClaimed(by beacons: BeaconStrategy) -> Bool {
        switch refusal(of: beacons) {
        case nil: true
        case .obstacle(let obstacle): obstacle != .missing
        case .permission, .background, .notAsked: false
        }
    }

    /// What an operation with this strategy claims.
    public func directives(
        of operation: OperationID, strategy: Strategy, end: Instant?
    ) -> [Directive] {
        strategy.media.flatMap { medium in
            Role.allCases.filter { isClaimed(by: strategy, on: medium, $0) }.map {
                Directive(
                    operation: operation, medium: medium, role: $0, end: end, reach: strategy.reach)
            }
        }
    }

    /// What frames are made of: the near profile if the medium has it and nobody wants to be heard farther.
    ///
    /// - Parameter reach: the widest of those that broadcast.
    public func profile(on medium: Medium, reach: Strategy.Reach) -> MediumAssignment.Profile {
        let has = conditions[medium, default: .missing].profiles
        return reach == .earshot && has.contains(.near) ? .near : .standard
    }

    /// Frames of `dsss` that fit into the 40 s for which a device is a neighbour: who seems to hear more hears stray tokens, and must
    /// not fall silent for them.
    private static let largestCrowd = 32

    /// How frames follow one another. Who only broadcasts never stops; who also listens leaves room for everyone heard.
    ///
    /// - Parameter mode: what the device does on the medium.
    public func cadence(on medium: Medium, mode: Strategy.Mode) -> MediumAssignment.Cadence {
        guard medium == .audio, mode.contains(.scan) else { return .continuous }
        let others = min(crowd[medium] ?? 0, StrategySelection.largestCrowd)
        // Of twenty devices in a room, each heard nearly all others within a minute with these shares; with a half or twice
        // as much time to listen, fewer: frames meet, or wait.
        let shortest = max(1.1, 0.25 * Double(others))
        let longest = shortest + max(1.5, Double(others))
        return .bursts(listening: .seconds(shortest)...(.seconds(longest)))
    }
}
