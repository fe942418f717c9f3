import Nearby
import NearbyWire

/// A stream of events for one device, as the code that carries it sees it.
package struct DeviceEventStream: Sendable {
    /// The longest time to the device's next report while the stream is open; `nil` if the stream does not
    /// show that the device is there.
    let keepAlive: Duration?
    let service: ProjectService
    let secret: SecretHash
    let number: Int

    /// Has the reader called, for its first events or because it was busy. Each stream begins with this.
    package func ask() async { await service.ask(secret, number) }

    /// The first event, which asks the device for fewer reports; `nil` if there is none.
    package var greeting: WireAnswer? {
        guard let keepAlive else { return nil }
        var answer = Answer()
        answer.keepAlive = keepAlive
        return WireAnswer(answer)
    }

    /// Closes the stream, because nobody reads it any more.
    ///
    /// - Parameter isDead: true if the device did not answer any more, so that its connection was given up.
    package func close(isDead: Bool = false) async { await service.close(secret, number, isDead: isDead) }
}
