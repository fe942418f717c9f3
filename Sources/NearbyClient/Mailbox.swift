import Nearby
import NearbyWire

/// Which news were taken: each is let through once, and none before those ahead of it. A value: no wires.
///
///     server tells   1 2 3     again 2 3 4    6
///     let through    1 2 3             4      – (a gap: the next report has them told again)
struct Mailbox: Sendable {
    /// News as they were told, by an answer or an event.
    struct Told: Sendable {
        var mailbox: String?
        var news: Int64?
        var deliveries: [Answer.Delivery]

        init(_ wire: WireAnswer, _ deliveries: [Answer.Delivery]) {
            (mailbox, news, self.deliveries) = (wire.mailbox, wire.news, deliveries)
        }

        init(mailbox: String?, news: Int64?, _ deliveries: [Answer.Delivery]) {
            (self.mailbox, self.news, self.deliveries) = (mailbox, news, deliveries)
        }
    }

    enum Outcome: Sendable, Hashable {
        /// Those that were not yet taken, in order.
        case fresh([Answer.Delivery])
        /// Some before them are missing, or they are of another mailbox.
        case outOfStep
        /// Their numbers make no sense.
        case malformed
    }

    /// How they came.
    enum Way: Sendable, Hashable {
        case event, answer
        /// In answer to a report that says everything: the numbers may begin anew.
        case completeAnswer
    }

    /// Nil: not yet named, or forgotten.
    private(set) var name: String?
    /// Number of the last one that was let through.
    private(set) var taken: Int64 = 0
    /// A report was answered since the server last said that it knows nothing of this device.
    private var isOpen = false

    /// What is told belongs to nothing any more, until the next answer.
    mutating func forget() { self = Mailbox() }

    mutating func take(_ told: Told, by way: Way) -> Outcome {
        if way != .event { isOpen = true }
        guard let mailbox = told.mailbox else { return told.deliveries.isEmpty ? .fresh([]) : .malformed }
        let count = Int64(told.deliveries.count)
        guard let last = told.news ?? (count == 0 ? taken : nil), last >= count else { return .malformed }
        let before = last - count
        if mailbox != name {
            guard way == .completeAnswer || (name == nil && isOpen) else { return .outOfStep }
            // What came before was told to nobody that is left.
            (name, taken) = (mailbox, told.news == nil ? 0 : before)
        } else if before > taken {
            // Everything was said again, so everything is told again.
            guard way == .completeAnswer else { return .outOfStep }
            taken = before
        }
        let fresh = told.deliveries.suffix(Int(clamping: max(0, last - taken)))
        taken = max(taken, last)
        return .fresh(Array(fresh))
    }
}
