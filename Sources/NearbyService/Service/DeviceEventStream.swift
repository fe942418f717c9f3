import NearbyWire

/// A stream of news for one device. Each wake signal means that there may be news to fetch.
public struct DeviceEventStream: Sendable {
    /// The wake signals. The stream ends when the device opens another one, when the device is gone, or when
    /// ``end()`` is called.
    public let bell: AsyncStream<Void>
    let ring: AsyncStream<Void>.Continuation
    let service: ProjectService
    let secret: SecretHash
    let number: Int

    /// Returns the news that came after `number` in that mailbox; `nil` if this stream has nothing more to
    /// deliver.
    public func news(after number: Int64, in mailbox: String?) async -> WireAnswer? {
        await service.news(for: secret, after: number, in: mailbox)
    }

    /// Returns the name of the mailbox that holds the news now; `nil` if this stream has nothing more to
    /// deliver.
    public func mailbox() async -> String? { await service.mailbox(of: secret) }

    /// Ends the wake signals.
    public func end() { ring.finish() }

    /// Closes the stream, because nobody reads it any more.
    public func close() async { await service.close(secret, number) }
}
