import Nearby
import NearbyWire

/// A stream of news for one device. Each wake signal means that there may be news to fetch.
public struct DeviceEventStream: Sendable {
    /// The longest time to the device's next report while the stream is open; `nil` if the stream does not
    /// show that the device is there.
    let keepAlive: Duration?
    /// The wake signals. The stream ends when the device opens another one, when the device is gone, or when
    /// ``end()`` is called.
    public let bell: AsyncStream<Void>
    let ring: AsyncStream<Void>.Continuation
    let service: ProjectService
    let secret: SecretHash
    let number: Int

    /// Returns the news that came after `number` in that mailbox.
    public func news(after number: Int64, in mailbox: String?) async -> StreamNews {
        await service.news(for: secret, after: number, in: mailbox)
    }

    /// Returns the name of the mailbox that holds the news now; `nil` if this stream has nothing more to
    /// deliver.
    public func mailbox() async -> String? { await service.mailbox(of: secret) }

    /// Ends the wake signals.
    public func end() { ring.finish() }

    /// The first event, which asks the device for fewer reports; `nil` if there is none.
    public var greeting: WireAnswer? {
        guard let keepAlive else { return nil }
        var answer = Answer()
        answer.keepAlive = keepAlive
        return WireAnswer(answer)
    }

    /// Closes the stream, because nobody reads it any more.
    ///
    /// - Parameter isDead: true if the device did not answer any more, so that its connection was given up.
    public func close(isDead: Bool = false) async { await service.close(secret, number, isDead: isDead) }
}

/// The result of looking for a device's news.
public enum StreamNews: Sendable {
    /// The news, of which there may be none. A device that hears another one, and is gone, must be noticed
    /// soon, because both lose one another.
    case news(WireAnswer, hearsAny: Bool)
    /// This instance may not answer now, because its lease is late. The stream stays open and is woken again.
    case later
    /// The stream has nothing more to deliver: the device is gone or has another mailbox, or another instance
    /// serves the project.
    case over
}
