/// The reason why an operation on a beacon fails, in one line.
package indirect enum BeaconProblem: Error, Hashable, CustomStringConvertible {
    /// The operation would break a rule: it exceeds a limit, changes a final state, or uses another project's
    /// namespace.
    case wrong(String)
    /// There is nothing of that name.
    case missing(String)

    /// Creates a problem of the kind ``wrong(_:)``.
    ///
    /// - Parameter line: a line for people that states what was expected and what came.
    package init(_ line: String) { self = .wrong(line) }

    package var description: String {
        switch self {
        case .wrong(let line), .missing(let line): line
        }
    }
}
