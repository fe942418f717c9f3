import Nearby

/// Which news were taken: each is let through once, and none before those ahead of it. A value: no wires.
///
///     server tells   1 2 3     again 2 3 4    6
///     let through    1 2 3             4      – (a gap: the next report has them told again)
package struct Mailbox: Sendable {
    /// News as they were told, by an answer or an event.
    package struct Told: Sendable {
        package var mailbox: String?
        package var news: Int64?
        package var deliveries: [Answer.Delivery]

        package init(mailbox: String?, news: Int64?, _ deliveries: [Answer.Delivery]) {
            (self.mailbox, self.news, self.deliveries) = (mailbox, news, deliveries)
        }
    }

    package enum Outcome: Sendable, Hashable {
        /// Those that were not yet taken, in order.
        case fresh([Answer.Delivery])
        /// Some before them are missing, or they are of another mailbox.
        case outOfStep
        /// Their numbers make no sense.
        case malformed
    }

    /// How they came.
    package enum Way: Sendable, Hashable {
        case event, answer
        /// In answer to a report that says everything: the numbers may begin anew.
        case completeAnswer
    }

    /// Nil: not yet named, or forgotten.
    package private(set) var name: String?
    /// Number of the last one that was let through.
    package private(set) var taken: Int64 = 0
    /// A report was answered since the server last said that it knows nothing of this device.
    private var isOpen = false

    package init() {}

    /// What is told belongs to nothing any more, until the next answer.
    package mutating func forget() { self = Mailbox() }

    package mutating func take(_ told: Told, by way: Way) -> Outcome {
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
