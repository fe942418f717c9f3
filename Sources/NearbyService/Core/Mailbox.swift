import Nearby

/// A queue of events for a device. It keeps each item until the device confirms that it has it.
///
///     added:   1 2 3 4 5 6 7 8 9
///     taken ─────────┘ └─────────┴ pending        last = 9
package struct Mailbox: Sendable {
    /// The name of the mailbox. It changes after every loss of memory, so that the numbers of two mailboxes
    /// cannot be confused.
    package let name: String
    package private(set) var pending: [Answer.Delivery] = []
    package private(set) var last: Int64 = 0

    /// - Parameter random: draws the name: 15 digits, which a string holds without memory of its own.
    init(random: inout some RandomNumberGenerator) {
        name = String(Token(using: &random).description.dropLast())
    }

    mutating func add(_ deliveries: [Answer.Delivery]) {
        // Most often all before are taken: nothing is copied then.
        if pending.isEmpty { pending = deliveries } else { pending += deliveries }
        last += Int64(deliveries.count)
    }

    /// Removes all events up to `number`. Numbers that are not in the mailbox were taken already or never
    /// existed, and are ignored.
    mutating func take(upTo number: Int64) {
        pending = Array(events(after: number))
    }

    /// Returns the events that came after `number`.
    func events(after number: Int64) -> ArraySlice<Answer.Delivery> {
        pending.suffix(Int(last - min(last, max(0, number))))
    }
}
