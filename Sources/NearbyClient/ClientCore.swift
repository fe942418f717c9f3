import Logging
import Nearby
import NearbyWire
import Synchronization

/// The state of a ``NearbyClient``: its secret and the events that it has taken. It processes answers and
/// events. The client only owns it, so that a stream that is still open does not keep the client alive.
final class ClientCore: Sendable {
    struct State {
        var secret: String?
        var mailbox = Mailbox()
        /// The number of observations that the server accepts in one report.
        var observationLimit = WireLimits.formerObservations
        /// The number of reports that were sent, successfully or not.
        var reportCount: Int64 = 0
        /// The current stream of events. Its number counts the streams of this client.
        var follower: (number: Int, task: Task<Void, Never>)?
        var followerCount = 0
        var hasEvents = true
        var streamReturn = StreamReturn()
        /// The secret of the device whose stream is open and shows that it is there; `nil` if there is none.
        var presence: String?
        /// The name of the registration whose answer has not come yet.
        var registrationName: String?
        var isShut = false
        var random: any RandomNumberGenerator & Sendable
    }

    let web: Web
    let log: Logger
    let events: AsyncStream<Answer>
    private let continuation: AsyncStream<Answer>.Continuation
    let apiKey: String
    /// The file that keeps the device's secret; `nil` if none does.
    private let file: DeviceFile?
    let state: Mutex<State>

    init(
        _ web: Web, apiKey: String, file: DeviceFile?, random: any RandomNumberGenerator & Sendable,
        log: Logger
    ) {
        (self.web, self.apiKey, self.file, self.log) = (web, apiKey, file, log)
        (events, continuation) = AsyncStream.makeStream()
        var state = State(random: random)
        if let kept = file?.read(server: web.server) {
            (state.secret, state.reportCount) = (kept.secret, kept.firstNumber)
        }
        self.state = Mutex(state)
        if let secret = self.state.withLock({ $0.secret }) { keep(secret) }
    }

    /// Writes the secret into the file, with a report number beyond all that this process uses.
    private func keep(_ secret: String?) {
        guard let file else { return }
        let number = state.withLock { $0.reportCount } + DeviceFile.numbersPerProcess
        let problem = file.write(secret.map { .init(server: web.server, secret: $0, firstNumber: number) })
        if let problem {
            log.warning(
                "the device's secret is not kept; after a restart the device registers anew",
                metadata: ["error": "\(problem)"])
        }
    }

    // MARK: Reports

    func report(_ report: Report) async throws(RegistryError) -> Answer {
        guard let secret = try await secret(for: report) else { return Answer() }
        let (mailbox, number, limit) = state.withLock { state in
            state.reportCount += 1
            state.streamReturn.forget(report.ended)
            return (state.mailbox, state.reportCount, state.observationLimit)
        }
        var report = report
        // Observations above the limit get no verdict, so the engine reports them again.
        if report.observations.count > limit {
            report.observations = Array(report.observations.prefix(limit))
            report.observationsAreComplete = false
        }
        let body = WireCoding.encode(
            WireReport(
                report, mailbox: mailbox.name, takenNews: mailbox.name.map { _ in mailbox.taken },
                number: number))
        let reply = try await web.post("/v1/report", bearer: secret, body)
        guard reply.status == 200 else { throw failure(reply, secret) }
        if report.unregisters {
            forgetDevice()
            return Answer()
        }
        return try accept(reply, for: report, secret)
    }

    /// Returns the device's secret, and registers the device if it has none. Returns `nil` for the
    /// unregistration of a device that was never registered.
    private func secret(for report: Report) async throws(RegistryError) -> String? {
        let (secret, isShut) = state.withLock { ($0.secret, $0.isShut) }
        if isShut { throw .unreachable("the client is shut down") }
        if secret != nil || report.unregisters { return secret }
        let request = web.settings.label.map { WireCoding.encode(WireRegistrationRequest(label: $0)) }
        let reply = try await web.post("/v1/devices", bearer: apiKey, request, name: registrationName())
        switch reply.status {
        case 201, 200:
            let registration = try registration(reply)
            let device = registration.device
            state.withLock { state in
                (state.secret, state.hasEvents) = (device, true)
                state.registrationName = nil
                state.observationLimit = max(
                    1, registration.observationsPerReport ?? WireLimits.formerObservations)
                state.mailbox.forget()
            }
            keep(device)
            log.debug("registered")
            return device
        default: throw reply.failure(ofKey: apiKey)
        }
    }

    /// Returns the name of the registration under way, so that the server gives the same device again when
    /// its answer was lost. Nobody else can guess the name.
    private func registrationName() -> String {
        state.withLock { state in
            if let name = state.registrationName { return name }
            let name = (0..<2).map { _ in Token(bits: state.random.next()).description }.joined()
            state.registrationName = name
            return name
        }
    }

    private func registration(_ reply: Web.Reply) throws(RegistryError) -> WireRegistration {
        let registration: WireRegistration
        do throws(WireError) {
            registration = try WireCoding.decode(WireRegistration.self, from: reply.body)
        } catch {
            let words = OneLine.of("\(error)", without: [apiKey])
            throw .unreachable("no answer of a Nearby server (\(words)): is the address right?")
        }
        guard !registration.device.isEmpty else {
            throw .unreachable("no answer of a Nearby server: a registration without a secret")
        }
        return registration
    }

    private func failure(_ reply: Web.Reply, _ secret: String) -> RegistryError {
        switch reply.status {
        case 401: forgetDevice()
        case 409: state.withLock { $0.mailbox.forget() }
        default: break
        }
        return reply.failure(without: [secret, apiKey])
    }

    private func forgetDevice() {
        let follower = state.withLock { state in
            state.secret = nil
            state.mailbox.forget()
            state.streamReturn.forgetFinds()
            defer { state.follower = nil }
            return state.follower
        }
        follower?.task.cancel()
        keep(nil)
    }

    /// Returns the answer without its deliveries, which only ``events`` reports.
    private func accept(
        _ reply: Web.Reply, for report: Report, _ secret: String
    ) throws(RegistryError) -> Answer {
        let wire: WireAnswer
        var answer: Answer
        do throws(WireError) {
            wire = try WireCoding.decode(WireAnswer.self, from: reply.body)
            answer = try wire.value(to: report.observations)
        } catch {
            throw .unreachable(
                "no answer of a Nearby server: " + OneLine.of("\(error)", without: [secret, apiKey]))
        }
        let batch = Mailbox.Batch(wire, answer.deliveries)
        switch tell(batch, by: report.isComplete ? .completeAnswer : .answer) {
        case .fresh: break
        case .malformed: throw .unreachable("no answer of a Nearby server: events without their numbers")
        case .outOfStep:
            // The server would give the same answer again. Only a complete report restores the deliveries
            // that are missing.
            state.withLock { $0.mailbox.forget() }
            throw .unknownDevice
        }
        follow(secret)
        answer.deliveries = []
        answer.keepAlive = answer.keepAlive.map { keepAlive(inAnswer: $0, to: secret) }
        return answer
    }

    /// Passes on new deliveries. The lock orders an answer and an event that arrive at the same time.
    func tell(_ batch: Mailbox.Batch, by way: Mailbox.Way) -> Mailbox.Outcome {
        state.withLock { state in
            let name = state.mailbox.name
            let outcome = state.mailbox.take(batch, by: way)
            if let name, state.mailbox.name != name { state.streamReturn.forgetFinds() }
            if case .fresh(let deliveries) = outcome, !deliveries.isEmpty {
                state.streamReturn.note(deliveries)
                var answer = Answer()
                answer.deliveries = deliveries
                continuation.yield(answer)
            }
            return outcome
        }
    }

    /// Passes on how often the server asks for reports from now on, and tokens that it sends unasked.
    func tell(keepAlive: Duration?, _ grants: [Answer.Grant] = []) {
        var answer = Answer()
        (answer.keepAlive, answer.grants) = (keepAlive, grants)
        continuation.yield(answer)
    }

    /// Ends ``events``. Returns the task of the stream of events, which is about to end.
    @discardableResult
    func shut() -> Task<Void, Never>? {
        let follower = state.withLock { state in
            (state.isShut, state.secret) = (true, nil)
            return state.follower
        }
        follower?.task.cancel()
        continuation.finish()
        return follower?.task
    }
}
