/// The time as the engine sees it: any clock, or a simulation's.
public struct EngineClock: Sendable {
    /// Must never go back. Called from any thread.
    public let now: @Sendable () -> Instant
    /// Returns then, or throws when the task is cancelled.
    public let sleep: @Sendable (_ until: Instant) async throws -> Void

    /// Both of one clock.
    ///
    /// - Parameters:
    ///   - now: must never go back.
    ///   - sleep: returns once `now` has come to what it is given; throws when its task is cancelled.
    public init(
        now: @escaping @Sendable () -> Instant, sleep: @escaping @Sendable (Instant) async throws -> Void
    ) {
        (self.now, self.sleep) = (now, sleep)
    }

    /// From now on.
    public static func counting<C: Clock>(_ clock: C) -> EngineClock where C.Duration == Duration {
        let start = clock.now
        return EngineClock(
            now: { Instant(offset: start.duration(to: clock.now)) },
            sleep: { try await clock.sleep(until: start.advanced(by: $0.offset), tolerance: nil) })
    }

    /// Also counts while the machine is asleep.
    public static func continuous() -> EngineClock { counting(ContinuousClock()) }
}
