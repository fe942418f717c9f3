import Nearby

extension Mailbox.Told {
    /// - Parameter deliveries: the decoded deliveries of `wire`.
    package init(_ wire: WireAnswer, _ deliveries: [Answer.Delivery]) {
        self.init(mailbox: wire.mailbox, news: wire.news, deliveries)
    }
}
