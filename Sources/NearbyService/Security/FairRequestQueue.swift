/// Lets requests of one network work a few at a time; the others wait, each network in a line of its own. So whoever sends as fast as it
/// can, with devices of its own, waits for itself, and everybody else as long as if it sent little.
actor FairRequestQueue {
    private struct Line {
        var working = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// Requests of ``waiting`` that were let in.
        var first = 0
    }

    private let places: Int
    private var lines: [IPAddress: Line] = [:]

    /// - Parameter places: requests of one network that work at a time.
    init(places: Int) { self.places = places }

    /// Networks that have anything to do now.
    var count: Int { lines.count }

    /// Does the work when it is its turn.
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

    /// Whoever waits longest takes the place.
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
