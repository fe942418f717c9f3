/// The mapping from what operations want and what is possible to what each medium does. It depends only on
/// the values that are stored here.
///
///     operations ─┐
///     permission ─┤
///     background ─┼─→ who transmits, who scans, on which medium, with which profile and cadence
///     conditions ─┤
///     crowd ──────┘
public struct StrategySelection: Sendable {
    /// A reason why an operation does nothing on a medium.
    public enum Refusal: Sendable, Hashable {
        /// The user has not decided, or has denied the permission.
        case permission(Permission)
        /// The app is in the background, where the operation is not allowed.
        case background
        /// There is an obstacle to this direction of the medium.
        case obstacle(MediumCondition.Obstacle)
        /// The strategy does not name the medium or the direction.
        case notAsked
    }

    /// The user's permission. Unless it is granted, nothing is done.
    public var permission: Permission
    /// True if the app is in the background, where operations that allow it continue, by BLE.
    public var isInBackground: Bool
    /// The conditions of the media. A medium that is not listed is missing.
    public var conditions: [Medium: MediumCondition]
    /// The numbers of devices heard recently on each medium. Devices that share a medium take turns.
    public var crowd: [Medium: Int]

    /// Creates a selection; by default the user agrees, the app is in the foreground, and all media are
    /// missing.
    ///
    /// - Parameters:
    ///   - conditions: the conditions of the media that are there.
    ///   - crowd: the numbers of devices; a medium without a number has none.
    public init(
        permission: Permission = .granted, isInBackground: Bool = false,
        conditions: [Medium: MediumCondition] = [:], crowd: [Medium: Int] = [:]
    ) {
        (self.permission, self.isInBackground) = (permission, isInBackground)
        (self.conditions, self.crowd) = (conditions, crowd)
    }

    /// Returns the reason why an operation with this strategy does not use one direction of `medium`, or
    /// `nil` if it does.
    public func refusal(of strategy: Strategy, on medium: Medium, _ role: Role) -> Refusal? {
        guard strategy.uses(medium), strategy.mode.contains(role.mode) else { return .notAsked }
        if permission != .granted { return .permission(permission) }
        if isInBackground && !(strategy.allowInBackground && medium.traits.contains(.worksInBackground)) {
            return .background
        }
        return (conditions[medium] ?? .missing)[role].map { .obstacle($0) }
    }

    /// Returns true if the medium keeps trying for the strategy despite an obstacle. Only a missing medium
    /// does not.
    private func isClaimed(by strategy: Strategy, on medium: Medium, _ role: Role) -> Bool {
        switch refusal(of: strategy, on: medium, role) {
        case nil: true
        case .obstacle(let obstacle): obstacle != .missing
        case .permission, .background, .notAsked: false
        }
    }

    /// Returns the reason why the medium does not look for beacons with this strategy, or `nil` if it does.
    public func refusal(of beacons: BeaconStrategy) -> Refusal? {
        if permission != .granted { return .permission(permission) }
        if isInBackground && !beacons.allowInBackground { return .background }
        return beaconObstacle.map { .obstacle($0) }
    }

    /// The obstacle to finding beacons, or `nil` if one medium can look for them.
    var beaconObstacle: MediumCondition.Obstacle? {
        let obstacles = Medium.all(.findsBeacons).map { conditions[$0, default: .missing].scan }
        return obstacles.contains(nil) ? nil : obstacles.first ?? .missing
    }

    /// Returns the combined scan of several strategies that look for beacons, or `nil` if there are none.
    public func scan(for strategies: [BeaconStrategy]) -> BeaconScan? {
        guard var scan = BeaconScan(strategies) else { return nil }
        scan.isSparing = scan.isSparing || isInBackground
        return scan
    }

    /// Returns true if BLE keeps trying for the strategy, like ``isClaimed(by:on:_:)``.
    func isClaimed(by beacons: BeaconStrategy) -> Bool {
        switch refusal(of: beacons) {
        case nil: true
        case .obstacle(let obstacle): obstacle != .missing
        case .permission, .background, .notAsked: false
        }
    }

    /// Returns the claims of an operation with this strategy.
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

    /// Returns the profile of frames: the near profile if the medium has it and no operation wants to be
    /// heard farther.
    ///
    /// - Parameter reach: the widest reach of the operations that broadcast.
    public func profile(on medium: Medium, reach: Strategy.Reach) -> MediumAssignment.Profile {
        let has = conditions[medium, default: .missing].profiles
        return reach == .earshot && has.contains(.near) ? .near : .standard
    }

    /// The number of `dsss` frames that fit into the 40 s for which a device counts as a neighbour. A device
    /// that seems to hear more hears false tokens, and must not fall silent because of them.
    private static let largestCrowd = 32

    /// Returns the cadence of frames. A device that only broadcasts never stops; one that also listens leaves
    /// room for all devices heard.
    ///
    /// - Parameter mode: the directions in which the device uses the medium.
    public func cadence(on medium: Medium, mode: Strategy.Mode) -> MediumAssignment.Cadence {
        guard medium.traits.contains(.isShared), mode.contains(.scan) else { return .continuous }
        let others = min(crowd[medium] ?? 0, StrategySelection.largestCrowd)
        // With these shares, each of twenty devices in a room heard nearly all others within a minute. With
        // half or twice as much time to listen, it heard fewer: frames collide, or wait.
        let shortest = max(1.1, 0.25 * Double(others))
        let longest = shortest + max(1.5, Double(others))
        return .bursts(listening: .seconds(shortest)...(.seconds(longest)))
    }
}
