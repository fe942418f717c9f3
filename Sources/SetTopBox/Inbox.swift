import Nearby

/// The messages that have arrived before. It is a value without a clock and without a connection.
///
///     found a ─→ arrived      lost a, found a ─→ nothing: it is the same publication
///     registry forgets, found b with a's content ─→ nothing: it is a under another name
///     found c with a's content ─→ arrived: somebody has pressed the button again
///
/// The inbox remembers contents by a number of 64 bits, which it derives from them with a key of this
/// process. Two different contents are taken for one with a probability of 1 in 2⁶⁴.
public struct Inbox: Sendable {
    /// The time for which a message that has gone is remembered. One that is there is remembered as long as
    /// it is.
    public static let memory = Duration.seconds(86_400)
    /// The time for which a message is known by its content after it has gone because the registry forgot its
    /// name.
    package static let contentMemory = Duration.seconds(120)
    /// The maximum number of messages that are remembered. Beyond it, the one that has been gone longest is
    /// forgotten.
    public static let limit = 4096

    private struct Entry: Sendable {
        var contentHash: Int
        /// The number of the registry's memory under which the message has this name.
        var era: Int
        /// The time when the message went; `nil` while it is there.
        var lostAt: Instant?
        /// True if it went while the registry knew it: whoever publishes the same again then intends it.
        var hasEnded = false
    }

    private var entries: [PublicationID: Entry] = [:]
    private var era = 0
    /// The number of messages that were found again and not delivered again.
    public private(set) var repeatCount = 0

    /// Makes an inbox in which nothing has arrived.
    public init() {}

    /// The number of messages that it remembers.
    public var count: Int { entries.count }

    /// Notes that the registry may give everything another name from now on.
    public mutating func registryForgot() { era += 1 }

    /// Notes that the registry has reported the message again, so that its name is still valid.
    public mutating func confirm(_ id: PublicationID) { entries[id]?.era = era }

    /// Returns the message that arrives by this event; `nil` if none does.
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

    /// Returns the name of a message that had this content before the registry forgot. Messages that are
    /// there come first.
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
        // If all of them are there, any one is removed.
        let oldest = entries.min { ($0.value.lostAt ?? now) < ($1.value.lostAt ?? now) }
        if let oldest { entries[oldest.key] = nil }
    }
}

extension BoxMessage {
    fileprivate init(_ change: Change, _ one: Discovery) {
        self.init(change, id: one.id, message: one.message)
    }
}
