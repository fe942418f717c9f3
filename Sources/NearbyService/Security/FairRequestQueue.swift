import Synchronization

/// A queue that lets only a few requests of each network run at a time. Further requests wait in a line of
/// their own network. So a network that sends as fast as it can, with many devices of its own, delays only
/// itself. Every other network waits as long as if that network sent little.
final class FairRequestQueue: Sendable {
    private struct Line {
        var working = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// The number of requests of ``waiting`` that were already let in.
        var first = 0

        /// Takes a free place. Returns false if all places are taken.
        mutating func takePlace(of places: Int) -> Bool {
            guard working < places else { return false }
            working += 1
            return true
        }

        /// Returns the request that has waited longest, which gets the free place; `nil` if none waits.
        mutating func leave() -> CheckedContinuation<Void, Never>? {
            guard first < waiting.count else {
                working -= 1
                (waiting, first) = ([], 0)
                return nil
            }
            first += 1
            return waiting[first - 1]
        }
    }

    private let places: Int
    private let lines = Mutex<[IPAddress: Line]>([:])

    /// - Parameter places: the number of requests of one network that may run at a time.
    init(places: Int) { self.places = places }

    /// The number of networks with running or waiting requests.
    var count: Int { lines.withLock { $0.count } }

    /// Runs the work when its turn comes.
    func pass<Result: Sendable>(
        _ client: ClientNetwork, _ work: @Sendable () async throws(ServiceRefusal) -> Result
    ) async throws(ServiceRefusal) -> Result {
        if !takePlace(client.network) {
            await withCheckedContinuation { enter(client.network, $0) }
        }
        defer { leave(client.network) }
        return try await work()
    }

    /// Takes a free place. Returns false if there is none.
    private func takePlace(_ network: IPAddress) -> Bool {
        lines.withLock { lines in
            lines[network, default: Line()].takePlace(of: places)
        }
    }

    /// Lets a request in at once if a place has become free meanwhile, and otherwise when it is its turn.
    private func enter(_ network: IPAddress, _ request: CheckedContinuation<Void, Never>) {
        let isFree = lines.withLock { lines in
            if lines[network, default: Line()].takePlace(of: places) { return true }
            lines[network]!.waiting.append(request)
            return false
        }
        if isFree { request.resume() }
    }

    /// Passes the free place to the request that has waited longest.
    private func leave(_ network: IPAddress) {
        let next: CheckedContinuation<Void, Never>? = lines.withLock { lines in
            let place = lines.index(forKey: network)!
            let next = lines.values[place].leave()
            if lines.values[place].working == 0 { lines.remove(at: place) }
            return next
        }
        next?.resume()
    }
}
