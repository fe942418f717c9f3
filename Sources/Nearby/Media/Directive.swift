/// One direction of a medium.
public enum Role: String, Sendable, Hashable, CaseIterable {
    case broadcast, scan

    public var mode: Strategy.Mode { self == .broadcast ? .broadcast : .scan }
}

/// An operation's claim on one direction of a medium.
public struct Directive: Sendable, Hashable {
    public var operation: OperationID
    public var medium: Medium
    public var role: Role
    /// When the claim ends by itself; nil: not before the operation does.
    public var end: Instant?

    public init(operation: OperationID, medium: Medium, role: Role, end: Instant?) {
        (self.operation, self.medium, self.role, self.end) = (operation, medium, role, end)
    }
}

/// All claims on all media: a direction is in use as long as one is left.
public struct DirectiveTable: Sendable, Hashable {
    private struct Lane: Hashable {
        var medium: Medium
        var role: Role
    }

    private var claims: [Lane: [OperationID: Instant?]] = [:]

    public init() {}

    public var isEmpty: Bool { claims.isEmpty }

    /// Takes the place of what `operation` claimed before.
    public mutating func replace(_ operation: OperationID, with directives: [Directive]) {
        remove(operation)
        for directive in directives {
            let lane = Lane(medium: directive.medium, role: directive.role)
            claims[lane, default: [:]][operation] = .some(directive.end)
        }
    }

    public mutating func remove(_ operation: OperationID) {
        for lane in claims.keys {
            claims[lane]?[operation] = nil
            if claims[lane]?.isEmpty == true { claims[lane] = nil }
        }
    }

    /// Whether anyone claims it at `now`.
    public func isLive(_ medium: Medium, _ role: Role, at now: Instant) -> Bool {
        let lane = Lane(medium: medium, role: role)
        return claims[lane]?.values.contains { end in end.map { $0 > now } ?? true } ?? false
    }

    /// What is live on a medium.
    public func modes(on medium: Medium, at now: Instant) -> Strategy.Mode {
        Strategy.Mode(Role.allCases.filter { isLive(medium, $0, at: now) }.map(\.mode))
    }

    /// Whether `operation` claims it.
    public func isClaimed(_ medium: Medium, _ role: Role, by operation: OperationID) -> Bool {
        claims[Lane(medium: medium, role: role)]?[operation] != nil
    }
}
