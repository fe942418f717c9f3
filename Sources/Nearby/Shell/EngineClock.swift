/// The engine's source of time: any clock, or that of a simulation.
public struct EngineClock: Sendable {
    /// Returns the current time, which must never go back. It is called from any thread.
    public let now: @Sendable () -> Instant
    /// Returns at the given time, or throws when the task is cancelled.
    public let sleep: @Sendable (_ until: Instant) async throws -> Void

    /// Creates a clock from two functions on the same time.
    ///
    /// - Parameters:
    ///   - now: the current time, which must never go back.
    ///   - sleep: returns once `now` has reached the given time, and throws when its task is cancelled.
    public init(
        now: @escaping @Sendable () -> Instant, sleep: @escaping @Sendable (Instant) async throws -> Void
    ) {
        (self.now, self.sleep) = (now, sleep)
    }

    /// Returns an engine clock that counts from now on.
    public static func counting<C: Clock>(_ clock: C) -> EngineClock where C.Duration == Duration {
        let start = clock.now
        return EngineClock(
            now: { Instant(offset: start.duration(to: clock.now)) },
            sleep: { try await clock.sleep(until: start.advanced(by: $0.offset), tolerance: nil) })
    }

    /// Returns a clock that also counts while the machine is asleep.
    public static func continuous() -> EngineClock { counting(ContinuousClock()) }
}
