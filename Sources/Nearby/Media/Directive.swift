/// One direction of a medium.
public enum Role: String, Sendable, Hashable, CaseIterable {
    /// To be heard; to hear.
    case broadcast, scan

    /// The same direction in a ``Strategy``.
    public var mode: Strategy.Mode { self == .broadcast ? .broadcast : .scan }
}

/// An operation's claim on one direction of a medium.
public struct Directive: Sendable, Hashable {
    /// Who claims it.
    public var operation: OperationID
    /// What it wants to be carried by.
    public var medium: Medium
    /// Which direction of the medium it claims; who wants both has two directives.
    public var role: Role
    /// When the claim ends by itself; nil: not before the operation does.
    public var end: Instant?
    /// Whom it has to get to.
    public var reach: Strategy.Reach

    /// As given; ``StrategySelection/directives(of:strategy:end:)`` makes those of a strategy.
    public init(
        operation: OperationID, medium: Medium, role: Role, end: Instant?, reach: Strategy.Reach = .anywhere
    ) {
        (self.operation, self.medium, self.role) = (operation, medium, role)
        (self.end, self.reach) = (end, reach)
    }

    func isLive(at now: Instant) -> Bool { end.map { $0 > now } ?? true }
}

/// All claims on all media: a direction is in use as long as one is left.
public struct DirectiveTable: Sendable, Hashable {
    private struct Lane: Hashable {
        var medium: Medium
        var role: Role
    }

    private var claims: [Lane: [OperationID: Directive]] = [:]

    /// Nobody claims anything: media are idle.
    public init() {}

    /// Whether nothing is claimed at all; a claim counts until it is removed, also after its
    /// ``Directive/end``.
    public var isEmpty: Bool { claims.isEmpty }

    /// Takes the place of what `operation` claimed before.
    public mutating func replace(_ operation: OperationID, with directives: [Directive]) {
        remove(operation)
        for directive in directives {
            let lane = Lane(medium: directive.medium, role: directive.role)
            claims[lane, default: [:]][operation] = directive
        }
    }

    /// Releases all that `operation` claims, on every medium; nothing where it claims nothing.
    public mutating func remove(_ operation: OperationID) {
        for lane in claims.keys {
            claims[lane]?[operation] = nil
            if claims[lane]?.isEmpty == true { claims[lane] = nil }
        }
    }

    /// Whether anyone claims it at `now`.
    public func isLive(_ medium: Medium, _ role: Role, at now: Instant) -> Bool {
        claims[Lane(medium: medium, role: role)]?.values.contains { $0.isLive(at: now) } ?? false
    }

    /// The widest of what is live.
    public func reach(on medium: Medium, _ role: Role, at now: Instant) -> Strategy.Reach {
        let live = claims[Lane(medium: medium, role: role), default: [:]].values.filter { $0.isLive(at: now) }
        return live.isEmpty || live.contains { $0.reach == .anywhere } ? .anywhere : .earshot
    }

    /// What is live on a medium.
    public func modes(on medium: Medium, at now: Instant) -> Strategy.Mode {
        Strategy.Mode(Role.allCases.filter { isLive(medium, $0, at: now) }.map { $0.mode })
    }

    /// Whether `operation` claims it.
    public func isClaimed(_ medium: Medium, _ role: Role, by operation: OperationID) -> Bool {
        claims[Lane(medium: medium, role: role)]?[operation] != nil
    }
}
