/// Why something is not done to a beacon: one line.
public indirect enum BeaconProblem: Error, Hashable, CustomStringConvertible {
    case wrong(String)
    /// There is nothing of that name.
    case missing(String)

    public init(_ line: String) { self = .wrong(line) }

    public var description: String {
        switch self {
        case .wrong(let line), .missing(let line): line
        }
    }
}
