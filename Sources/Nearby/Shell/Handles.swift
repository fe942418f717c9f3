/// A handle of an operation. The operation ends when the last reference to the handle is released.
public final class OperationHandle: Sendable, Hashable {
    /// The number of the operation in statuses and traces. Another engine uses the same numbers.
    public let id: OperationID
    private let engine: NearbyEngine

    init(_ id: OperationID, of engine: NearbyEngine) { (self.id, self.engine) = (id, engine) }

    func isOf(_ engine: NearbyEngine) -> Bool { self.engine === engine }

    deinit { Task { [id, engine] in await engine.end(id) } }

    /// Ends the operation, and returns when it has ended.
    public func end() async { await engine.end(id) }

    func update(_ message: Message) async throws(NearbyError) { try await engine.update(id, message) }

    public static func == (a: OperationHandle, b: OperationHandle) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A handle of a publication, which lasts as long as the handle is held.
public struct PublicationHandle: Sendable {
    /// The operation's handle. In ``Batch/ending`` it ends the publication together with other operations.
    public let operation: OperationHandle

    init(_ id: OperationID, of engine: NearbyEngine) { operation = OperationHandle(id, of: engine) }

    /// Replaces the content that others receive. Throws: ``NearbyError/unknownOperation(_:)``.
    public func update(_ message: Message) async throws(NearbyError) { try await operation.update(message) }

    /// Ends the publication, and returns when it is no longer published.
    public func end() async { await operation.end() }
}

/// The events of a subscription, which lasts as long as this sequence is held. The sequence has one reader.
public struct SubscriptionEvents: AsyncSequence, Sendable {
    private let stream: AsyncStream<SubscriptionEvent>
    /// The operation's handle. In ``Batch/ending`` it ends the subscription together with other operations.
    public let operation: OperationHandle

    init(_ stream: AsyncStream<SubscriptionEvent>, handle: OperationHandle) {
        (self.stream, operation) = (stream, handle)
    }

    /// An iterator that holds the subscription as long as it is read.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<SubscriptionEvent>.Iterator
        /// The handle that keeps the subscription alive while the iterator is read.
        fileprivate let operation: OperationHandle

        public mutating func next() async -> SubscriptionEvent? {
            await base.next()
        }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator(), operation: operation)
    }

    /// Ends the subscription, and returns when it has ended.
    public func end() async { await operation.end() }
}
