/// Notices that a process stood still: its alarm rings far too late, or something else happens first.
///
/// Each step asks it the time. When one comes much later than the alarm was set for, nothing happened since the step before it.
package struct LateTimer: Sendable {
    /// Alarms of a busy machine come later than they were set for, but not by so much.
    private static let patience = Duration.seconds(2)

    private var deadline: Instant?
    private var lastStep: Instant?

    package init() {}

    /// The alarm is set for then; nil: there is none.
    package mutating func set(_ deadline: Instant?) { self.deadline = deadline }

    /// A step is taken. Returns for how long nothing has happened that should have.
    package mutating func step(at now: Instant) -> Duration {
        defer { (deadline, lastStep) = (nil, now) }
        guard let deadline, let lastStep, deadline + LateTimer.patience < now else { return .zero }
        return lastStep.duration(to: now)
    }
}
