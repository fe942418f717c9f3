import Nearby

extension ProjectState {
    /// A device of a project: its events, its budgets, and what is known of it.
    struct Member: Sendable {
        let secret: SecretHash
        /// The API key with which the device registered.
        let key: KeyID
        /// The name by which the device's owner looks for it.
        let label: String?
        var mailbox: Mailbox
        /// The time of the last report; `nil` if this service has received none.
        var lastReport: Instant?
        /// True if the device may know things that are not in this mailbox: it was restored from the store,
        /// or its mailbox was given up. Its next report must be complete.
        var isRestored = false
        /// The tokens to send to the device unasked, and the time after which it is asked to report: one
        /// answer at most. It is sent once: if tokens are lost, the device's next report brings new ones.
        var pushed: [Answer] = []
        /// The network from which the device registered; `nil` if that was before this service began.
        let network: ClientNetwork?
        var reports = Budget()
        var bytes = Budget()
        var grants = Budget()
        var guesses: GuessRecord
        /// The size of the device's publications and subscriptions, as its last change left them.
        var byteCount = 0
        /// The number of the last report that was accepted.
        var number: Int64?

        /// Puts what is sent unasked, and the events, where the device's stream finds them.
        ///
        /// Returns the number of all events that wait.
        mutating func post(_ answer: Answer) -> Int {
            if !answer.grants.isEmpty || answer.keepAlive != nil {
                var all = pushed.popLast() ?? Answer()
                if !answer.grants.isEmpty { all.grants = answer.grants }
                all.keepAlive = answer.keepAlive ?? all.keepAlive
                pushed = [all]
            }
            mailbox.add(answer.deliveries)
            return mailbox.pending.count
        }

        /// Returns the events after a number, with what is sent unasked and once.
        mutating func takeEvents(after number: Int64) -> Events {
            var events = Events(answer: pushed.popLast() ?? Answer(), last: mailbox.last)
            events.answer.deliveries = Array(mailbox.events(after: number))
            return events
        }
    }
}
