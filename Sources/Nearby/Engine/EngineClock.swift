/// The time as the engine sees it: any clock, or a simulation's.
public struct EngineClock: Sendable {
    public let now: @Sendable () -> Instant
    /// Returns then, or throws when the task is cancelled.
    public let sleep: @Sendable (_ until: Instant) async throws -> Void

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
