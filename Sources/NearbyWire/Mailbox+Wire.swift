import Nearby

extension Mailbox.Batch {
    /// - Parameter deliveries: the decoded deliveries of `wire`.
    package init(_ wire: WireAnswer, _ deliveries: [Answer.Delivery]) {
        self.init(mailbox: wire.mailbox, last: wire.news, deliveries)
    }
}
