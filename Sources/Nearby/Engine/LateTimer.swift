/// A detector of standstills of a process: its alarm fires far too late, or another event comes first.
///
/// The owner calls it at each step. If a step comes much later than the alarm was set for, nothing has
/// happened since the step before it.
package struct LateTimer: Sendable {
    /// Alarms of a busy machine come later than they were set for, but not by so much.
    private static let patience = Duration.seconds(2)

    private var deadline: Instant?
    private var lastStep: Instant?

    package init() {}

    /// Sets the time of the alarm, or `nil` if there is none.
    package mutating func set(_ deadline: Instant?) { self.deadline = deadline }

    /// Notes a step. Returns the length of the standstill before it, or zero.
    package mutating func step(at now: Instant) -> Duration {
        defer { (deadline, lastStep) = (nil, now) }
        guard let deadline, let lastStep, deadline + LateTimer.patience < now else { return .zero }
        return lastStep.duration(to: now)
    }
}
