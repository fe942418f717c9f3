import Nearby

/// A clock that stands still until it is advanced.
package final class VirtualClock: Sendable {
    private struct Sleeper {
        let until: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant.start
        var lastKey: UInt64 = 0
        var sleepers: [UInt64: Sleeper] = [:]
        /// The sleepers that were cancelled before they slept.
        var cancelled: Set<UInt64> = []
    }

    private let state = Locked(State())

    package init() {}

    package var now: Instant { state.withLock { $0.now } }

    package var engineClock: EngineClock {
        EngineClock(now: { self.now }, sleep: { try await self.sleep(until: $0) })
    }

    /// Advances the time, and wakes all whose deadline has passed.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now + duration
            let now = state.now
            let woken = state.sleepers.filter { $0.value.until <= now }
            for key in woken.keys { state.sleepers[key] = nil }
            return woken.sorted { $0.value.until < $1.value.until }.map(\.value.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    private func sleep(until: Instant) async throws {
        let key = state.withLock { state in
            state.lastKey += 1
            return state.lastKey
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(key) != nil { return .failure(CancellationError()) }
                    if state.now >= until { return .success(()) }
                    state.sleepers[key] = Sleeper(until: until, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: key)
                if sleeper == nil { state.cancelled.insert(key) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
