/// An operation that ends when nobody holds this any more.
public final class OperationHandle: Sendable, Hashable {
    /// As statuses and traces name it; another engine has the same numbers.
    public let id: OperationID
    private let engine: NearbyEngine

    init(_ id: OperationID, of engine: NearbyEngine) { (self.id, self.engine) = (id, engine) }

    func isOf(_ engine: NearbyEngine) -> Bool { self.engine === engine }

    deinit { Task { [id, engine] in await engine.end(id) } }

    /// Returns when it has ended.
    public func end() async { await engine.end(id) }

    func update(_ message: Message) async throws(NearbyError) { try await engine.update(id, message) }

    public static func == (a: OperationHandle, b: OperationHandle) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A publication, as long as it is held.
public struct PublicationHandle: Sendable {
    /// What holds it; in ``Batch/ending`` it ends together with others.
    public let operation: OperationHandle

    init(_ id: OperationID, of engine: NearbyEngine) { operation = OperationHandle(id, of: engine) }

    /// Others have this content from now on. Throws: ``NearbyError/unknownOperation(_:)``.
    public func update(_ message: Message) async throws(NearbyError) { try await operation.update(message) }

    /// Returns when it is no longer published.
    public func end() async { await operation.end() }
}

/// What becomes of a subscription, as long as it is held. For one reader.
public struct SubscriptionEvents: AsyncSequence, Sendable {
    private let stream: AsyncStream<SubscriptionEvent>
    /// What holds it; in ``Batch/ending`` it ends together with others.
    public let operation: OperationHandle

    init(_ stream: AsyncStream<SubscriptionEvent>, handle: OperationHandle) {
        (self.stream, operation) = (stream, handle)
    }

    /// Holds the subscription too, as long as it is read.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<SubscriptionEvent>.Iterator
        /// Reading on is holding it.
        fileprivate let operation: OperationHandle

        public mutating func next() async -> SubscriptionEvent? {
            await base.next()
        }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator(), operation: operation)
    }

    /// Returns when nothing more is looked for.
    public func end() async { await operation.end() }
}
