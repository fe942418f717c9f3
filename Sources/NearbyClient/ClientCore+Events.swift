import Nearby
import NearbyWire

/// The stream of events, by which the server reports without a request.
extension ClientCore {
    /// Processes an event of the stream that was opened with `secret`. An invalid event is ignored, because
    /// the next report gets the same events.
    func take(_ event: ServerEvent, of secret: String) {
        do {
            let wire = try WireCoding.decode(WireAnswer.self, from: .init(event.data))
            let answer = try wire.value()
            // A stream that is not yet closed may deliver an event of this client's previous registration.
            guard state.withLock({ $0.secret == secret }) else { return }
            state.withLock { state in
                state.streamReturn.take(retryWithinSeconds: wire.retryWithinSeconds)
                // It says that the stream shows the server that this device is there.
                if answer.keepAlive != nil { state.presence = secret }
            }
            if answer.keepAlive != nil || !answer.grants.isEmpty {
                tell(keepAlive: answer.keepAlive, answer.grants)
            }
            let batch = Mailbox.Batch(wire, answer.deliveries)
            let outcome = tell(batch, by: .event)
            if case .fresh = outcome { return }
            log.debug("event ignored", metadata: ["why": "\(outcome)"])
        } catch {
            log.debug("event ignored", metadata: ["why": "\(OneLine.of(error, without: [secret]))"])
        }
    }

    /// Returns the pauses between attempts to open a stream. The attempts of a whole fleet must not come more
    /// often than its return, so they may be rarer than the settings say.
    func makeBackOff() -> BackOff {
        let range = web.settings.reconnect
        let window = state.withLock { $0.streamReturn.window } ?? .zero
        return BackOff(range.lowerBound...max(range.upperBound, window))
    }

    /// The longest time to the next report that a server grants a device without a stream.
    private static let longestWithoutStream = RegistrySettings().keepAliveOfOthers

    /// Returns the longest time to the next report, as an answer to one says. If the answer counts on a
    /// stream that has broken since, the time is that of a device without one.
    func keepAlive(inAnswer asked: Duration, to secret: String) -> Duration {
        let isOfStream = asked > ClientCore.longestWithoutStream
        guard isOfStream, state.withLock({ $0.presence != secret }) else { return asked }
        return web.settings.keepAliveWithoutEvents
    }

    /// Has the device report as often as without a stream, if this one showed that it is there. The streams
    /// of a whole fleet may have broken, so its reports are spread as its streams are.
    func endPresence(of secret: String) {
        let keepAlive = state.withLock { state -> Duration? in
            guard state.presence == secret else { return nil }
            state.presence = nil
            return max(
                web.settings.keepAliveWithoutEvents, state.streamReturn.draw(using: &state.random) ?? .zero)
        }
        if let keepAlive { tell(keepAlive: keepAlive) }
    }

    /// Returns the pause before the next attempt to open the stream.
    ///
    /// - Parameter isBroken: true if the stream was open; false if it could not be opened.
    func wait(_ backOff: inout BackOff, isBroken: Bool) -> Duration {
        state.withLock { state in
            let pause = backOff.next(using: &state.random)
            guard isBroken, let drawn = state.streamReturn.draw(using: &state.random) else { return pause }
            return max(pause, drawn)
        }
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
