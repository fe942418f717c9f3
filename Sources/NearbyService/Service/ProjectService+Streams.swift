import Nearby
import NearbyWire

/// The part that manages streams and the events for them.
extension ProjectService {
    /// Opens a stream for a device and ends the device's previous one.
    ///
    /// Throws: `.unknown`, or `.incomplete` if the device must first send a complete report, for example
    /// after a restart of the service.
    ///
    /// - Parameter isDirect: true if the connection ends at this process, so that its end is the device's.
    func listen(
        _ secret: SecretHash, isDirect: Bool, reader: any EventReader
    ) async throws(ServiceRefusal) -> DeviceEventStream {
        try await checkListening(secret)
        streams.open(secret, reader)?.end()
        let number = streams.lastNumber
        let keepAlive = state.beginStream(of: secret, isDirect: isDirect, now: step())
        setAlarm()
        return DeviceEventStream(keepAlive: keepAlive, service: self, secret: secret, number: number)
    }

    /// Checks whether the device may open a stream. Throws: the same errors as ``listen(_:)``.
    func checkListening(_ secret: SecretHash) async throws(ServiceRefusal) {
        try await checkLease()
        guard let member = state.member(of: secret) else { throw .unknown }
        guard !member.isRestored else { throw .incomplete }
    }

    /// Returns the rank of a device among those that come back at once.
    func rank(of secret: SecretHash) -> Admission.Rank { state.rank(of: secret) }

    /// Notes that nobody reads a stream any more. Nothing changes if the device has opened another one.
    func close(_ secret: SecretHash, _ number: Int, isDead: Bool) {
        guard streams[secret]?.number == number else { return }
        streams.close(secret)?.end()
        state.endStream(of: secret, isDead: isDead, now: step())
        setAlarm()
    }

    /// Calls the readers of one phase, so that both ends of each stream notice if the other is gone.
    func tellAll(ofPhase phase: Int) {
        for (secret, stream) in streams.streams(ofPhase: phase) { tell(secret, stream) }
    }

    /// Has a reader called that could not take events before.
    func ask(_ secret: SecretHash, _ number: Int) {
        guard let stream = streams[secret], stream.number == number else { return }
        tell(secret, stream)
    }

    private func tell(_ secret: SecretHash, _ stream: OpenStreams.Stream) {
        var texts = DeliveryTexts()
        tell(secret, stream, sharing: &texts)
    }

    /// Gives a reader the events that it does not have, unless it is busy.
    ///
    /// - Parameter texts: the text that another device was told before this one.
    func tell(
        _ secret: SecretHash, _ stream: OpenStreams.Stream, sharing texts: inout DeliveryTexts
    ) {
        let reader = stream.reader
        guard let mailbox = state.mailboxName(of: secret) else { return reader.end() }
        guard let place = reader.eventPosition(in: mailbox) else { return }
        guard place.mailbox == nil || place.mailbox == mailbox else { return reader.end() }
        switch lease.standing {
        case .held:
            guard let events = state.takeEvents(of: secret, after: place.number) else { return reader.end() }
            if let since = stream.unsentSince {
                streams.noteAllSent(to: secret)
                if !events.answer.deliveries.isEmpty {
                    state.counts.timesToTell.note(clock.now.offset - since.offset)
                }
            }
            let event = WireEvent(events.answer, mailbox: mailbox, news: events.last, sharing: &texts)
            reader.take(.events(event, hearsAny: events.hearsAny))
        case .late:
            tellWhenRenewed()
            reader.take(.later)
        case .lost: reader.end()
        }
    }

    /// Calls all readers when the lease is renewed, because their events had to wait. A lease that is lost
    /// ends the streams.
    private func tellWhenRenewed() {
        guard lateEvents == nil else { return }
        lateEvents = Task { [lease, weak self] in
            await lease.settled()
            await self?.tellAfterRenewal()
        }
    }

    private func tellAfterRenewal() {
        lateEvents = nil
        for (secret, stream) in streams.all { tell(secret, stream) }
    }
}
