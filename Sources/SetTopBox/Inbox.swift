import Nearby

/// Which messages have arrived before. A value: no clock, no wires.
///
///     found a ─→ arrived      lost a, found a ─→ nothing: it is the same publication
///     registry forgets, found b with a's content ─→ nothing: it is a under another name
///     found c with a's content ─→ arrived: somebody has pressed the button again
///
/// Contents are remembered by a number of 64 bits, drawn from them with a key of this process: two that differ are taken for
/// one in 1 of 2⁶⁴.
public struct Inbox: Sendable {
    /// A message that has gone is remembered for so long; one that is there, as long as it is.
    public static let memory = Duration.seconds(86_400)
    /// A message that has gone because the registry forgot its name is known by its content for so long.
    public static let contentMemory = Duration.seconds(120)
    /// So many are remembered; more, and the one that has been gone longest is forgotten.
    public static let limit = 4096

    private struct Entry: Sendable {
        var contentHash: Int
        /// Under which of the registry's memories it has this name.
        var era: Int
        /// Nil: it is there.
        var lostAt: Instant?
        /// It went while the registry knew it: whoever publishes the same again means it.
        var hasEnded = false
    }

    private var entries: [PublicationID: Entry] = [:]
    private var era = 0
    /// Found again, and not told again.
    public private(set) var repeatCount = 0

    /// Nothing has arrived.
    public init() {}

    /// How many it remembers.
    public var count: Int { entries.count }

    /// The registry may give everything another name from now on.
    public mutating func registryForgot() { era += 1 }

    /// The registry has told of it again: it has its name still.
    public mutating func confirm(_ id: PublicationID) { entries[id]?.era = era }

    /// What arrives by it; nil when nothing does.
    public mutating func take(_ event: SubscriptionEvent, now: Instant) -> BoxMessage? {
        switch event {
        case .found(let one), .updated(let one): return take(one, now: now)
        case .lost(let one):
            entries[one.id]?.lostAt = now
            if entries[one.id]?.era == era { entries[one.id]?.hasEnded = true }
            return nil
        case .heardBytes, .expired: return nil
        }
    }

    private mutating func take(_ one: Discovery, now: Instant) -> BoxMessage? {
        let entry = Entry(contentHash: one.message.hashValue, era: era, lostAt: nil)
        if let known = entries[one.id] {
            entries[one.id] = entry
            guard known.contentHash == entry.contentHash else { return BoxMessage(.changed, one) }
            repeatCount += 1
            return nil
        }
        if let old = formerName(of: entry, now: now) {
            entries[old] = nil
            entries[one.id] = entry
            repeatCount += 1
            return nil
        }
        makeRoom(now: now)
        entries[one.id] = entry
        return BoxMessage(.arrived, one)
    }

    /// What had this content before the registry forgot; those that are there come first.
    private func formerName(of entry: Entry, now: Instant) -> PublicationID? {
        let same = entries.filter { _, old in
            old.contentHash == entry.contentHash && old.era < era && !old.hasEnded
                && old.lostAt.map { $0 + Inbox.contentMemory > now } ?? true
        }
        return same.min { a, b in
            (a.value.lostAt == nil ? 0 : 1, a.key.bits) < (b.value.lostAt == nil ? 0 : 1, b.key.bits)
        }?.key
    }

    private mutating func makeRoom(now: Instant) {
        guard entries.count >= Inbox.limit else { return }
        entries = entries.filter { $0.value.lostAt.map { $0 + Inbox.memory > now } ?? true }
        guard entries.count >= Inbox.limit else { return }
        // When all are there, any of them.
        let oldest = entries.min { ($0.value.lostAt ?? now) < ($1.value.lostAt ?? now) }
        if let oldest { entries[oldest.key] = nil }
    }
}

extension BoxMessage {
    fileprivate init(_ change: Change, _ one: Discovery) {
        self.init(change, id: one.id, message: one.message)
    }
}
