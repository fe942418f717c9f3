import Nearby

extension Mailbox.Told {
    /// - Parameter deliveries: those of `wire`, read.
    package init(_ wire: WireAnswer, _ deliveries: [Answer.Delivery]) {
        self.init(mailbox: wire.mailbox, news: wire.news, deliveries)
    }
}
