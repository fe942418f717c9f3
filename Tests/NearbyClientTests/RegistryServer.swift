import Nearby
import NearbyTestSupport
import NearbyWire

/// A server of `NearbyWire` with a ``RegistryState`` in it, in memory only, with one project and no limits.
actor RegistryServer {
    private struct Device {
        var id: RegistryState.DeviceID
        var mailbox: String
        var last: Int64 = 0
        /// The deliveries that the device has not acknowledged yet.
        var untaken: [Answer.Delivery] = []
        var feed: AsyncStream<String>.Continuation?

        /// Returns the answer with all deliveries that are not acknowledged yet.
        func told(_ answer: Answer = Answer()) -> WireAnswer {
            var answer = answer
            answer.deliveries = untaken
            return WireAnswer(answer, mailbox: mailbox, news: last)
        }
    }

    private var state: RegistryState
    private var devices: [String: Device] = [:]
    private var count = 0
    private let clock = EngineClock.continuous()

    init() {
        var settings = RegistrySettings()
        // In these tests every token is heard only once.
        settings.shortestLoss = .seconds(60)
        (settings.longestLoss, settings.deviceLife) = (.seconds(60), .seconds(60))
        state = RegistryState(settings: settings, random: SystemRandomNumberGenerator())
    }

    func reply(to request: ScriptedServer.Seen) -> ScriptedServer.Reply {
        let bearer = String(request.authorization?.dropFirst("Bearer ".count) ?? "")
        if request.path == "/v1/devices" { return register(bearer) }
        guard devices[bearer] != nil else { return .refusal(401) }
        return request.path == "/v1/events" ? follow(bearer) : take(request.report, from: bearer)
    }

    private func register(_ key: String) -> ScriptedServer.Reply {
        guard key == "key" else { return .refusal(401) }
        count += 1
        let secret = "\(UInt64.random(in: 0 ... .max))"
        devices[secret] = Device(id: state.join(now: clock.now()), mailbox: "mailbox-\(count)")
        return .secret(secret)
    }

    private func follow(_ secret: String) -> ScriptedServer.Reply {
        let (texts, continuation) = AsyncStream.makeStream(of: String.self)
        devices[secret]?.feed?.finish()
        devices[secret]?.feed = continuation
        continuation.yield(": open\n\n")
        push(secret)
        return .events((texts, continuation))
    }

    private func take(_ wire: WireReport, from secret: String) -> ScriptedServer.Reply {
        guard let device = devices[secret], let report = try? wire.value() else { return .refusal(400) }
        guard report.isComplete || wire.mailbox == device.mailbox else { return .refusal(409) }
        if wire.mailbox == device.mailbox, let taken = wire.takenNews {
            devices[secret]?.untaken.removeFirst(max(0, device.untaken.count - Int(device.last - taken)))
        }
        do throws(RegistryError) {
            let (answer, events) = try state.report(report, from: device.id, now: clock.now())
            tell(answer.deliveries, to: device.id, pushes: false)
            for (id, answer) in events.answers { tell(answer.deliveries, to: id, pushes: true) }
            return .answer(devices[secret]!.told(answer))
        } catch {
            return .refusal(401)
        }
    }

    private func tell(_ deliveries: [Answer.Delivery], to id: RegistryState.DeviceID, pushes: Bool) {
        for (secret, device) in devices where device.id == id {
            devices[secret]!.untaken += deliveries
            devices[secret]!.last += Int64(deliveries.count)
            if pushes { push(secret) }
        }
    }

    private func push(_ secret: String) {
        guard let device = devices[secret], !device.untaken.isEmpty else { return }
        device.feed?.yield("data: \(String(decoding: WireCoding.encode(device.told()), as: UTF8.self))\n\n")
    }
}
