/// A timer that fires once, unless it is set anew before.
package struct RestartableTimer: Sendable {
    private var task: Task<Void, Never>?

    package init() {}

    package mutating func set(
        _ deadline: Instant?, on clock: EngineClock, _ ring: @escaping @Sendable () async -> Void
    ) {
        cancel()
        task = deadline.map { deadline in
            Task {
                do { try await clock.sleep(deadline) } catch { return }  // Cancelled: another alarm is set.
                await ring()
            }
        }
    }

    package func cancel() { task?.cancel() }
}
