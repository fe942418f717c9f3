import Nearby
import NearbyWire

/// The stream of events, by which the server reports without a request.
extension ClientCore {
    /// Processes an event of the stream that was opened with `secret`. An invalid event is ignored, because
    /// the next report gets the same news.
    ///
    /// Returns true if the event says that the stream shows the server that this device is there.
    func take(_ event: ServerEvent, of secret: String) -> Bool {
        do {
            let wire = try WireCoding.decode(WireAnswer.self, from: .init(event.data))
            let answer = try wire.value()
            // A stream that is not yet closed may deliver an event of this client's previous registration.
            guard state.withLock({ $0.secret == secret }) else { return false }
            if answer.keepAlive != nil || !answer.grants.isEmpty {
                tell(keepAlive: answer.keepAlive, answer.grants)
            }
            let told = Mailbox.Told(wire, answer.deliveries)
            let outcome = tell(told, by: .event)
            if case .fresh = outcome {} else { log.debug("event ignored", metadata: ["why": "\(outcome)"]) }
            return answer.keepAlive != nil
        } catch {
            log.debug("event ignored", metadata: ["why": "\(OneLine.of(error, without: [secret]))"])
        }
        return false
    }

    /// Opens the stream of events, unless it is open already or the server has none.
    func follow(_ secret: String) {
        guard web.settings.followsEvents else { return }
        state.withLock { state in
            guard state.follower == nil, state.hasEvents, !state.isShut, state.secret == secret else {
                return
            }
            state.followerCount += 1
            let number = state.followerCount
            let follower = EventFollower(core: self, secret: secret)
            state.follower = (
                number,
                Task {
                    let ending = await follower.run()
                    self.stopped(number, ending)
                }
            )
        }
    }

    private func stopped(_ number: Int, _ ending: EventFollower.Ending) {
        state.withLock { state in
            guard state.follower?.number == number else { return }
            state.follower = nil
            if ending == .hasNone { state.hasEvents = false }
        }
    }
}
