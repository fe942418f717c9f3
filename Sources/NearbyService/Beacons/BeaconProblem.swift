/// Why something is not done to a beacon: one line.
public indirect enum BeaconProblem: Error, Hashable, CustomStringConvertible {
    /// It would break a rule: a bound, a state that is for ever, somebody else's namespace.
    case wrong(String)
    /// There is nothing of that name.
    case missing(String)

    /// One that is ``wrong(_:)``.
    ///
    /// - Parameter line: for people: what was expected, what came.
    public init(_ line: String) { self = .wrong(line) }

    public var description: String {
        switch self {
        case .wrong(let line), .missing(let line): line
        }
    }
}
