/// One direction of a medium.
public enum Role: String, Sendable, Hashable, CaseIterable {
    /// Broadcast: to be heard. Scan: to hear.
    case broadcast, scan

    /// The same direction in a ``Strategy``.
    public var mode: Strategy.Mode { self == .broadcast ? .broadcast : .scan }
}

/// An operation's claim on one direction of a medium.
public struct Directive: Sendable, Hashable {
    /// The operation that claims the direction.
    public var operation: OperationID
    /// The medium that it claims.
    public var medium: Medium
    /// The direction of the medium that it claims; an operation that wants both has two directives.
    public var role: Role
    /// The time at which the claim ends by itself, or `nil` if it lasts as long as the operation.
    public var end: Instant?
    /// The reach that the operation asks for.
    public var reach: Strategy.Reach

    /// Creates a directive from its parts. ``StrategySelection/directives(of:strategy:end:)`` creates those
    /// of a strategy.
    public init(
        operation: OperationID, medium: Medium, role: Role, end: Instant?, reach: Strategy.Reach = .anywhere
    ) {
        (self.operation, self.medium, self.role) = (operation, medium, role)
        (self.end, self.reach) = (end, reach)
    }

    func isLive(at now: Instant) -> Bool { end.map { $0 > now } ?? true }
}

/// The table of all claims on all media: a direction is in use as long as one claim on it is left.
public struct DirectiveTable: Sendable, Hashable {
    private struct Lane: Hashable {
        var medium: Medium
        var role: Role
    }

    private var claims: [Lane: [OperationID: Directive]] = [:]

    /// Creates a table without claims: the media are idle.
    public init() {}

    /// True if there are no claims. A claim counts until it is removed, even after its ``Directive/end``.
    public var isEmpty: Bool { claims.isEmpty }

    /// Replaces all claims of an operation.
    public mutating func replace(_ operation: OperationID, with directives: [Directive]) {
        remove(operation)
        for directive in directives {
            let lane = Lane(medium: directive.medium, role: directive.role)
            claims[lane, default: [:]][operation] = directive
        }
    }

    /// Removes all claims of an operation, on every medium. Does nothing if there are none.
    public mutating func remove(_ operation: OperationID) {
        for lane in claims.keys {
            claims[lane]?[operation] = nil
            if claims[lane]?.isEmpty == true { claims[lane] = nil }
        }
    }

    /// Returns true if any operation claims the direction at `now`.
    public func isLive(_ medium: Medium, _ role: Role, at now: Instant) -> Bool {
        claims[Lane(medium: medium, role: role)]?.values.contains { $0.isLive(at: now) } ?? false
    }

    /// Returns the widest reach of the claims that are live.
    public func reach(on medium: Medium, _ role: Role, at now: Instant) -> Strategy.Reach {
        let live = claims[Lane(medium: medium, role: role), default: [:]].values.filter { $0.isLive(at: now) }
        return live.isEmpty || live.contains { $0.reach == .anywhere } ? .anywhere : .earshot
    }

    /// Returns the directions of a medium that are live.
    public func modes(on medium: Medium, at now: Instant) -> Strategy.Mode {
        Strategy.Mode(Role.allCases.filter { isLive(medium, $0, at: now) }.map { $0.mode })
    }

    /// Returns true if `operation` claims the direction.
    public func isClaimed(_ medium: Medium, _ role: Role, by operation: OperationID) -> Bool {
        claims[Lane(medium: medium, role: role)]?[operation] != nil
    }
}
