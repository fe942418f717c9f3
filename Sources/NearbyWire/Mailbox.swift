import Nearby

/// The record of which deliveries were taken: each is passed on once, and none before the ones ahead of it. A
/// value type without a network.
///
///     server sends   1 2 3     again 2 3 4    6
///     let through    1 2 3             4      – (a gap: the next report requests them again)
package struct Mailbox: Sendable {
    /// Deliveries of an answer or an event, with their mailbox and number.
    package struct Batch: Sendable {
        package var mailbox: String?
        /// The number of the last delivery.
        package var last: Int64?
        package var deliveries: [Answer.Delivery]

        package init(mailbox: String?, last: Int64?, _ deliveries: [Answer.Delivery]) {
            (self.mailbox, self.last, self.deliveries) = (mailbox, last, deliveries)
        }
    }

    package enum Outcome: Sendable, Hashable {
        /// The deliveries that were not yet taken, in order.
        case fresh([Answer.Delivery])
        /// Deliveries before these are missing, or these belong to another mailbox.
        case outOfStep
        /// The numbers are inconsistent.
        case malformed
    }

    /// The way by which deliveries came.
    package enum Way: Sendable, Hashable {
        case event, answer
        /// The deliveries came in the answer to a complete report, after which the numbers may start anew.
        case completeAnswer
    }

    /// The mailbox's name, or `nil` if it is not yet known, or was forgotten.
    package private(set) var name: String?
    /// The number of the last delivery that was passed on.
    package private(set) var taken: Int64 = 0
    /// True if a report was answered since the server last said that it does not know this device.
    private var isOpen = false

    package init() {}

    /// Forgets the mailbox: until the next answer, deliveries belong to none.
    package mutating func forget() { self = Mailbox() }

    package mutating func take(_ batch: Batch, by way: Way) -> Outcome {
        if way != .event { isOpen = true }
        guard let mailbox = batch.mailbox else { return batch.deliveries.isEmpty ? .fresh([]) : .malformed }
        let count = Int64(batch.deliveries.count)
        guard let last = batch.last ?? (count == 0 ? taken : nil), last >= count else { return .malformed }
        let before = last - count
        if mailbox != name {
            guard way == .completeAnswer || (name == nil && isOpen) else { return .outOfStep }
            // Deliveries before these were meant for a registration that no longer exists.
            (name, taken) = (mailbox, batch.last == nil ? 0 : before)
        } else if before > taken {
            // Everything was reported again, so the server delivers everything again.
            guard way == .completeAnswer else { return .outOfStep }
            taken = before
        }
        let fresh = batch.deliveries.suffix(Int(clamping: max(0, last - taken)))
        taken = max(taken, last)
        return .fresh(Array(fresh))
    }
}
