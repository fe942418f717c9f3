import Nearby
import NearbyWire

/// Who listens for news, and what there is to be heard.
extension ProjectService {
    /// One for each stream that a device opens; the one before ends.
    ///
    /// Throws: `.unknown`, `.incomplete` before its first report after a restart.
    func listen(_ secret: SecretHash) async throws(ServiceRefusal) -> DeviceEventStream {
        try await checkListening(secret)
        let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        bellCount += 1
        bells.updateValue(Bell(number: bellCount, ring: ring), forKey: secret)?.ring.finish()
        ring.yield()
        return DeviceEventStream(bell: bell, ring: ring, service: self, secret: secret, number: bellCount)
    }

    /// Throws: as ``listen(_:)``.
    func checkListening(_ secret: SecretHash) async throws(ServiceRefusal) {
        try await checkLease()
        guard let member = state.members[secret] else { throw .unknown }
        guard !member.isRestored else { throw .incomplete }
    }

    func mailbox(of secret: SecretHash) -> String? { state.members[secret]?.mailbox.name }

    func close(_ secret: SecretHash, _ number: Int) {
        if bells[secret]?.number == number { bells.removeValue(forKey: secret)?.ring.finish() }
    }

    /// All who listen hear something: both ends notice when the other is gone.
    func ringAll() {
        for bell in bells.values { bell.ring.yield() }
    }

    /// What came after `number` in that mailbox; nil: the device is gone, or has another mailbox by now.
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
