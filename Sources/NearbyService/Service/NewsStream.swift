import NearbyWire

/// What one device is told, as it comes.
public struct NewsStream: AsyncSequence, Sendable {
    let bell: AsyncStream<Void>
    let fetch: @Sendable (_ after: Int64, _ mailbox: String?) async -> WireAnswer?
    let hangUp: @Sendable () async -> Void

    /// Nobody reads it any more.
    public func end() async { await hangUp() }

    public func makeAsyncIterator() -> Iterator { Iterator(bell: bell.makeAsyncIterator(), fetch: fetch) }

    public struct Iterator: AsyncIteratorProtocol {
        var bell: AsyncStream<Void>.Iterator
        let fetch: @Sendable (Int64, String?) async -> WireAnswer?
        private var told: Int64 = 0
        private var mailbox: String?

        init(
            bell: AsyncStream<Void>.Iterator, fetch: @escaping @Sendable (Int64, String?) async -> WireAnswer?
        ) {
            (self.bell, self.fetch) = (bell, fetch)
        }

        /// Nil when it has ended.
        public mutating func next() async -> WireAnswer? {
            while await bell.next() != nil {
                guard let answer = await fetch(told, mailbox) else { return nil }
                (told, mailbox) = (answer.news ?? told, answer.mailbox)
                if answer.deliveries != nil { return answer }
            }
            return nil
        }
    }
}
