import Nearby
import NearbyWire

/// The part that manages streams and the news for them.
extension ProjectService {
    /// Opens a stream for a device and ends the device's previous one.
    ///
    /// Throws: `.unknown`, or `.incomplete` if the device must first send a complete report, for example
    /// after a restart of the service.
    ///
    /// - Parameter isDirect: true if the connection ends at this process, so that its end is the device's.
    func listen(_ secret: SecretHash, isDirect: Bool) async throws(ServiceRefusal) -> DeviceEventStream {
        try await checkListening(secret)
        let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        bellCount += 1
        bells.updateValue(Bell(number: bellCount, ring: ring), forKey: secret)?.ring.finish()
        ring.yield()
        let keepAlive = state.beginStream(of: secret, isDirect: isDirect, now: step())
        setAlarm()
        return DeviceEventStream(
            keepAlive: keepAlive, bell: bell, ring: ring, service: self, secret: secret, number: bellCount)
    }

    /// Checks whether the device may open a stream. Throws: the same errors as ``listen(_:)``.
    func checkListening(_ secret: SecretHash) async throws(ServiceRefusal) {
        try await checkLease()
        guard let member = state.members[secret] else { throw .unknown }
        guard !member.isRestored else { throw .incomplete }
    }

    /// Returns the rank of a device among those that come back at once.
    func rank(of secret: SecretHash) -> Admission.Rank { state.rank(of: secret) }

    func mailbox(of secret: SecretHash) -> String? { state.members[secret]?.mailbox.name }

    /// Notes that nobody reads a stream any more. Nothing changes if the device has opened another one.
    func close(_ secret: SecretHash, _ number: Int, isDead: Bool) {
        guard bells[secret]?.number == number else { return }
        bells.removeValue(forKey: secret)?.ring.finish()
        untold[secret] = nil
        state.endStream(of: secret, isDead: isDead, now: step())
        setAlarm()
    }

    /// Wakes the streams of one phase, so that both ends of each notice if the other is gone. The phase of a
    /// stream is its number, so that streams which were opened together are woken apart.
    func ringAll(ofPhase phase: Int) {
        for bell in bells.values where bell.number % NearbyService.pulsePhases == phase { bell.ring.yield() }
    }

    /// Returns the news that came after `number` in that mailbox.
    func news(for secret: SecretHash, after number: Int64, in mailbox: String?) -> StreamNews {
        guard let current = state.members[secret]?.mailbox, mailbox == nil || mailbox == current.name else {
            return .over
        }
        switch lease.standing {
        case .held:
            var answer = state.takePushed(of: secret)
            answer.deliveries = Array(current.news(after: number))
            if let since = untold.removeValue(forKey: secret), !answer.deliveries.isEmpty {
                state.counts.timesToTell.note(clock.now.offset - since.offset)
            }
            return .news(
                WireAnswer(answer, mailbox: current.name, news: current.last),
                hearsAny: state.hearsAny(secret))
        case .late:
            ringWhenRenewed()
            return .later
        case .lost: return .over
        }
    }

    /// Wakes all streams when the lease is renewed, because their news had to wait. A lease that is lost ends
    /// the streams.
    private func ringWhenRenewed() {
        guard lateRing == nil else { return }
        lateRing = Task { [lease, weak self] in
            await lease.settled()
            await self?.ringAfterRenewal()
        }
    }

    private func ringAfterRenewal() {
        lateRing = nil
        for bell in bells.values { bell.ring.yield() }
    }
}
