import Foundation
import Logging
import Nearby
import NearbyClient
import NearbyServerSupport
import NearbyTestSupport
import Signal

/// Publishers and subscribers with whole engines, in one place over a server that is killed again and again.
final class Chaos {
    struct Plan {
        var kills = 50
        var cuts = 0
        /// The length of one of the cuts; the others last 1 to 20 s.
        var longestCutSeconds = 130.0
        var publishers = 10
        var subscribers = 10
        var seed: UInt64 = 1
    }

    struct Outcome {
        var kills = 0
        var cuts = 0
        /// The number of publications that were acknowledged just before a kill and missing after it.
        var lostPublications = 0
        var checkedPublications = 0
        var slowestRecovery = 0.0
        var faults = Audience.Faults()
        /// The number of subscribers that did not have all publications at the end.
        var incomplete = 0
        var settledSeconds = 0.0
    }

    let plan: Plan
    let server: ServerProcess
    private let air = Air()
    let audience = Audience()
    var publications: [(handle: PublicationHandle, text: String)] = []
    private var engines: [NearbyEngine] = []
    private var clients: [NearbyClient] = []
    private var tasks: [Task<Void, any Error>] = []
    var random: SplitMix64
    var outcome = Outcome()

    /// The address at which the engines find the server.
    private let address: String

    /// - Parameter address: the server's address for the engines; `nil` means the server's own.
    init(_ plan: Plan, _ server: ServerProcess, address: String? = nil) {
        (self.plan, self.server, self.address) = (plan, server, address ?? server.address)
        random = SplitMix64(seed: plan.seed)
    }

    func run() async throws -> Outcome {
        try server.start()
        _ = try await recover()
        try await begin()
        for kill in 1...plan.kills {
            try await round(kill)
            StandardError.write("kill \(kill): \(outcome.slowestRecovery) s at most, \(audience.faults)")
        }
        try await settle()
        return await end()
    }

    func end() async -> Outcome {
        outcome.faults = audience.faults
        for task in tasks { task.cancel() }
        for engine in engines { await engine.end() }
        for client in clients { await client.shutdown() }
        return outcome
    }

    func begin() async throws {
        for n in 0..<plan.publishers {
            let engine = try makeEngine()
            publications.append((try await engine.publish(try Message("\(n)/0")), "\(n)/0"))
        }
        for n in 0..<plan.subscribers {
            let events = try await makeEngine().subscribe()
            tasks.append(Task { [audience] in for await event in events { audience.take(event, by: n) } })
        }
        tasks.append(
            Task { [air] in
                while true {
                    try await Task.sleep(for: .milliseconds(700))
                    air.advance(by: .milliseconds(700))
                }
            })
    }

    private func makeEngine() throws -> NearbyEngine {
        let client = try NearbyClient(server: address, apiKey: server.key)
        let engine = NearbyEngine(media: [air.driver(.audio)], registry: client)
        clients.append(client)
        engines.append(engine)
        return engine
    }

    // MARK: A round

    /// Publications change, and the server is killed while one is being made.
    private func round(_ number: Int) async throws {
        var publisher = try await RawDevice(server: server.address, key: server.key)
        // Only tokens ahead outlive a restart.
        let token = try await publisher.report {
            $0.isComplete = true
            $0.wantsTokens = [.audio]
            $0.takesTokensAhead = true
        }.grants[0].token
        let victim = Task { [server, delay = 0.2 + 1.3 * random.nextUnit()] in
            try await Task.sleep(for: .seconds(delay))
            server.kill()
        }
        var acknowledged = 0
        do {
            while true {
                let text = "\(number)/\(acknowledged + 1)"
                _ = try await publisher.report {
                    $0.published[OperationID(UInt64(acknowledged % 50 + 1))] = Publication(
                        try Message(text, type: "raw", namespace: "raw"))
                }
                acknowledged += 1
                if acknowledged % 7 == 0 { try await churn() }
                try await Task.sleep(for: .milliseconds(30))
            }
        } catch is WireDevice.UnexpectedStatus {
            throw CommandLineFailure("the server refused a publication")
        } catch {
            // The server is gone.
        }
        try await victim.value
        try server.start()
        let recovery = try await recover()
        outcome.kills += 1
        outcome.slowestRecovery = max(outcome.slowestRecovery, recovery)
        try await check(token, number, acknowledged)
        try await Task.sleep(for: .seconds(1.5 * random.nextUnit()))
    }

    /// Changes one of the engines' publications.
    func churn() async throws {
        let n = Int(random.next() % UInt64(publications.count))
        let text = "\(n)/\(random.next() % 100_000)"
        publications[n].text = text
        try await publications[n].handle.update(try Message(text))
    }

    /// Returns the seconds from now until the server answers.
    func recover() async throws -> Double {
        let start = ContinuousClock.now
        while true {
            if (try? await RawDevice(server: server.address, key: server.key)) != nil {
                return (ContinuousClock.now - start).inSeconds
            }
            guard ContinuousClock.now - start < .seconds(30) else {
                throw CommandLineFailure("no server within 30 s")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Checks that every acknowledged publication is found by a device that hears the token, although its
    /// publisher has reported nothing since.
    func check(_ token: Token, _ number: Int, _ acknowledged: Int) async throws {
        var listener = try await RawDevice(server: server.address, key: server.key)
        let answer = try await listener.report {
            $0.isComplete = true
            $0.subscribed[OperationID(1)] = Subscription(MessageFilter([.namespace("raw")]))
            $0.observations = [TokenObservation(token, on: .audio, age: .milliseconds(100))]
        }
        let found = Set(answer.deliveries.map { $0.discovery.text })
        let expected = (max(0, acknowledged - 50)..<acknowledged).map { $0 + 1 }
        // The server may have accepted the last one without an acknowledgement, in the place of the oldest.
        let replaced = found.contains("\(number)/\(acknowledged + 1)") && acknowledged >= 50
        let missing = expected.filter { !found.contains("\(number)/\($0)") }.count - (replaced ? 1 : 0)
        outcome.lostPublications += missing
        outcome.checkedPublications += expected.count
    }

    /// Waits until everything is as if nothing had happened.
    func settle() async throws {
        let start = ContinuousClock.now
        let expected = publications.map(\.text).sorted()
        repeat {
            try await Task.sleep(for: .milliseconds(200))
            outcome.incomplete = (0..<plan.subscribers).count { audience.texts(of: $0) != expected }
            outcome.settledSeconds = (ContinuousClock.now - start).inSeconds
        } while outcome.incomplete > 0 && outcome.settledSeconds < 60
        for subscriber in 0..<plan.subscribers where audience.texts(of: subscriber) != expected {
            StandardError.write("\(subscriber) has \(audience.texts(of: subscriber)) instead of \(expected)")
        }
    }
}
