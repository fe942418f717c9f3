import Nearby
import NearbyWire

/// The part that manages streams and the news for them.
extension ProjectService {
    /// Opens a stream for a device and ends the device's previous one.
    ///
    /// Throws: `.unknown`, or `.incomplete` if the device must first send a complete report, for example
    /// after a restart of the service.
    func listen(_ secret: SecretHash) async throws(ServiceRefusal) -> DeviceEventStream {
        try await checkListening(secret)
        let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        bellCount += 1
        bells.updateValue(Bell(number: bellCount, ring: ring), forKey: secret)?.ring.finish()
        ring.yield()
        return DeviceEventStream(bell: bell, ring: ring, service: self, secret: secret, number: bellCount)
    }

    /// Checks whether the device may open a stream. Throws: the same errors as ``listen(_:)``.
    func checkListening(_ secret: SecretHash) async throws(ServiceRefusal) {
        try await checkLease()
        guard let member = state.members[secret] else { throw .unknown }
        guard !member.isRestored else { throw .incomplete }
    }

    func mailbox(of secret: SecretHash) -> String? { state.members[secret]?.mailbox.name }

    func close(_ secret: SecretHash, _ number: Int) {
        if bells[secret]?.number == number { bells.removeValue(forKey: secret)?.ring.finish() }
    }

    /// Wakes all streams, so that both ends of each notice if the other is gone.
    func ringAll() {
        for bell in bells.values { bell.ring.yield() }
    }

    /// Returns the news that came after `number` in that mailbox; `nil` if the device is gone or has another
    /// mailbox by now, or if this instance does not hold the lease.
    func news(for secret: SecretHash, after number: Int64, in mailbox: String?) -> WireAnswer? {
        guard lease.standing == .held, let current = state.members[secret]?.mailbox,
            mailbox == nil || mailbox == current.name
        else {
            return nil
        }
        var answer = Answer()
        answer.deliveries = Array(current.news(after: number))
        return WireAnswer(answer, mailbox: current.name, news: current.last)
    }
}
