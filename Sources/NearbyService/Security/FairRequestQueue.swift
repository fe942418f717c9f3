/// A queue that lets only a few requests of each network run at a time. Further requests wait in a line of
/// their own network. So a network that sends as fast as it can, with many devices of its own, delays only
/// itself. Every other network waits as long as if that network sent little.
actor FairRequestQueue {
    private struct Line {
        var working = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// The number of requests of ``waiting`` that were already let in.
        var first = 0
    }

    private let places: Int
    private var lines: [IPAddress: Line] = [:]

    /// - Parameter places: the number of requests of one network that may run at a time.
    init(places: Int) { self.places = places }

    /// The number of networks with running or waiting requests.
    var count: Int { lines.count }

    /// Runs the work when its turn comes.
    nonisolated func pass<Result: Sendable>(
        _ client: ClientNetwork, _ work: @Sendable () async throws(ServiceRefusal) -> Result
    ) async throws(ServiceRefusal) -> Result {
        await enter(client.network)
        do throws(ServiceRefusal) {
            let result = try await work()
            await leave(client.network)
            return result
        } catch {
            await leave(client.network)
            throw error
        }
    }

    private func enter(_ network: IPAddress) async {
        if lines[network, default: Line()].working < places {
            lines[network, default: Line()].working += 1
        } else {
            await withCheckedContinuation { lines[network]!.waiting.append($0) }
        }
    }

    /// Passes the free place to the request that has waited longest.
    private func leave(_ network: IPAddress) {
        let first = lines[network]!.first
        guard first < lines[network]!.waiting.count else {
            lines[network]!.working -= 1
            lines[network]!.waiting = []
            lines[network]!.first = 0
            if lines[network]!.working == 0 { lines[network] = nil }
            return
        }
        lines[network]!.first += 1
        lines[network]!.waiting[first].resume()
    }
}
