import Nearby

/// A filter that decides which of the received frames are reported to the engine. A value, of bounded size,
/// however many senders there are.
///
///     new          ─→ reported at once, up to so many a second; in a flood, only at its second time
///     heard twice  ─→ known: reported once a second, at most ``limit`` of them
///
/// A random token of a flood is never heard a second time, so a flood does not push out the known frames.
package struct SightingFilter: Sendable {
    package enum Verdict: Sendable, Hashable {
        case reported
        /// The frame was reported a moment ago.
        case known
        /// The frame is new, and there is a flood.
        case ignored
    }

    package static let limit = 1024
    /// The time without reception after which a known frame may be forgotten.
    static let memory = Duration.seconds(30)
    /// The number of new frames in a second that are reported.
    static let newcomers = 100
    /// The longest time between the first and the second reception of a frame.
    static let soon = Duration.seconds(2)
    private static let markCount = 1 << 15

    private struct Known {
        var lastHeard: Instant
        var lastReported: Instant
    }

    /// A mark of a frame that was heard once: its fingerprint, and the time in quarters of a second.
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

    /// - Parameter every: the interval at which one frame is reported.
    package init(every: Duration = .seconds(1)) { self.every = every }

    package var knownCount: Int { known.count }

    package mutating func note(_ frame: [UInt8], now: Instant) -> Verdict {
        if var one = known[frame] {
            one.lastHeard = now
            let isDue = one.lastReported + every <= now
            if isDue { one.lastReported = now }
            known[frame] = one
            return isDue ? .reported : .known
        }
        let isSecond = mark(frame, now)
        if isSecond { makeRoom(now) }
        if isSecond && known.count < SightingFilter.limit {
            known[frame] = Known(lastHeard: now, lastReported: now)
            return .reported
        }
        if second + .seconds(1) <= now { (second, newInSecond) = (now, 0) }
        newInSecond += 1
        return newInSecond <= SightingFilter.newcomers ? .reported : .ignored
    }

    /// Marks the frame. Returns true if it was already heard a short while ago.
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
