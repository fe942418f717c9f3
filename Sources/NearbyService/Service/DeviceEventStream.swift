import NearbyWire

/// What one device is told, as it comes: when the bell rings, there may be news to fetch.
public struct DeviceEventStream: Sendable {
    /// Ends when the device opens another stream, is gone, or ``end()`` is called.
    public let bell: AsyncStream<Void>
    let ring: AsyncStream<Void>.Continuation
    let service: ProjectService
    let secret: SecretHash
    let number: Int

    /// What came after `number` in that mailbox; nil: this stream has nothing more to tell.
    public func news(after number: Int64, in mailbox: String?) async -> WireAnswer? {
        await service.news(for: secret, after: number, in: mailbox)
    }

    /// The mailbox whose news there are now; nil: this stream has nothing more to tell.
    public func mailbox() async -> String? { await service.mailbox(of: secret) }

    /// The bell rings no more.
    public func end() { ring.finish() }

    /// Nobody listens any more.
    public func close() async { await service.close(secret, number) }
}
