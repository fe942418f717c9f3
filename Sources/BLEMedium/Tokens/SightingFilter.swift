import Nearby

/// Of all frames that are heard, those that the engine is told of. A value, of bounded size, however many senders there are.
///
///     new          ─→ told at once, up to so many a second; in a flood, only at its second time
///     heard twice  ─→ known: told once a second, at most ``limit`` of them
///
/// A flood of random tokens never has a second time, so it does not push out those that are there.
package struct SightingFilter: Sendable {
    package enum Verdict: Sendable, Hashable {
        case told
        /// It was told of a moment ago.
        case known
        /// New, in a flood.
        case ignored
    }

    package static let limit = 1024
    /// Of those not heard for so long.
    static let memory = Duration.seconds(30)
    /// New ones in a second.
    static let newcomers = 100
    /// A second time is not later.
    static let soon = Duration.seconds(2)
    private static let markCount = 1 << 15

    private struct Known {
        var lastHeard: Instant
        var lastTold: Instant
    }

    /// One of those heard once: which, and when, in quarters of a second.
    private struct Mark {
        var fingerprint: UInt32 = 0
        var time: UInt32 = 0
    }

    private let every: Duration
    private var known: [[UInt8]: Known] = [:]
    private var marks = [Mark](repeating: Mark(), count: SightingFilter.markCount)
    private var second = Instant.start
    private var newInSecond = 0
    private var nextSweep = Instant.start

    /// - Parameter every: how often the engine is told of one.
    package init(every: Duration = .seconds(1)) { self.every = every }

    package var knownCount: Int { known.count }

    package mutating func note(_ frame: [UInt8], now: Instant) -> Verdict {
        if var one = known[frame] {
            one.lastHeard = now
            let isDue = one.lastTold + every <= now
            if isDue { one.lastTold = now }
            known[frame] = one
            return isDue ? .told : .known
        }
        let isSecond = mark(frame, now)
        if isSecond { makeRoom(now) }
        if isSecond && known.count < SightingFilter.limit {
            known[frame] = Known(lastHeard: now, lastTold: now)
            return .told
        }
        if second + .seconds(1) <= now { (second, newInSecond) = (now, 0) }
        newInSecond += 1
        return newInSecond <= SightingFilter.newcomers ? .told : .ignored
    }

    /// Whether it was heard before, not long ago.
    private mutating func mark(_ frame: [UInt8], _ now: Instant) -> Bool {
        var hasher = Hasher()
        hasher.combine(frame)
        let hash = UInt64(bitPattern: Int64(hasher.finalize()))
        let place = Int(hash % UInt64(SightingFilter.markCount))
        let new = Mark(fingerprint: UInt32(hash >> 32), time: UInt32(now.offset / .milliseconds(250)) &+ 1)
        let old = marks[place]
        marks[place] = new
        return old.time > 0 && old.fingerprint == new.fingerprint
            && new.time - old.time <= UInt32(SightingFilter.soon / .milliseconds(250))
    }

    private mutating func makeRoom(_ now: Instant) {
        guard known.count >= SightingFilter.limit, nextSweep <= now else { return }
        nextSweep = now + .seconds(1)
        known = known.filter { $0.value.lastHeard + SightingFilter.memory > now }
    }
}
