import Nearby
import NearbyServerSupport
import Signal

/// The connection to the server is cut and restored while publications change.
extension Chaos {
    func run(cutting proxy: CutProxy) async throws -> Outcome {
        try await begin()
        try await settle()
        for number in 1...plan.cuts {
            let kind = CutProxy.Cut.allCases[(number - 1) % CutProxy.Cut.allCases.count]
            let isLongest = number == plan.longestCut
            let seconds = isLongest ? plan.longestCutSeconds : 1 + 19 * random.nextUnit()
            try await round(number, kind, seconds, proxy)
            StandardError.write(
                "cut \(number), \(kind), \(seconds) s: all is known \(outcome.settledSeconds) s after it, \(audience.faults)"
            )
        }
        return await end()
    }

    private func round(
        _ number: Int, _ kind: CutProxy.Cut, _ seconds: Double, _ proxy: CutProxy
    ) async throws {
        var device = try await RawDevice(server: "http://127.0.0.1:\(proxy.port)", key: server.key)
        let token = try await device.report {
            $0.isComplete = true
            $0.wantsTokens = [.audio]
        }.grants[0].token
        let publisher = Task { [device] in try await Chaos.publish(number, device) }
        try await Task.sleep(for: .seconds(1 + 2 * random.nextUnit()))
        proxy.begin(kind)
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            try await churn()
            try await Task.sleep(for: .milliseconds(300))
        }
        proxy.end()
        try await settle()
        outcome.slowestRecovery = max(outcome.slowestRecovery, outcome.settledSeconds)
        publisher.cancel()
        try await check(token, number, try await publisher.value)
        outcome.cuts += 1
    }

    /// Publishes one message after the other, each until it is acknowledged. Returns the number of
    /// acknowledged ones.
    private static func publish(_ number: Int, _ device: RawDevice) async throws -> Int {
        var (device, acknowledged) = (device, 0)
        // Five reports a second are allowed.
        while (try? await Task.sleep(for: .milliseconds(250))) != nil {
            let text = "\(number)/\(acknowledged + 1)"
            let message = try Message(text, type: "raw", namespace: "raw")
            do {
                _ = try await device.report {
                    $0.published[OperationID(UInt64(acknowledged % 50 + 1))] = Publication(message)
                }
                acknowledged += 1
            } catch let refusal as WireDevice.UnexpectedStatus {
                throw CommandLineFailure("the server refused a publication with \(refusal.status)")
            } catch {
                // The connection is cut.
            }
        }
        return acknowledged
    }
}

extension Chaos.Plan {
    /// The number of the longest cut, in the middle; it loses answers, or both directions.
    var longestCut: Int { cuts / 2 + 1 }
}
