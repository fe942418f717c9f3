import Synchronization
import Testing

@testable import NearbyService

/// Tests that requests of one network wait for one another, and not for other networks' requests.
@Suite(.timeLimit(.minutes(1))) struct FairRequestQueueTests {
    /// A gate at which work waits under a number, until a test opens the gate for that number.
    private final class Gate: Sendable {
        private let waiting = Mutex<[Int: CheckedContinuation<Void, Never>]>([:])
        let arrivals: AsyncStream<Int>
        private let arrived: AsyncStream<Int>.Continuation

        init() { (arrivals, arrived) = AsyncStream.makeStream() }

        func wait(_ number: Int) async {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0[number] = continuation }
                arrived.yield(number)
            }
        }

        func open(_ number: Int) { waiting.withLock { $0.removeValue(forKey: number) }?.resume() }
    }

    @Test func aNetworkWaitsForItselfAlone() async throws {
        let (requestQueue, gate) = (FairRequestQueue(places: 2), Gate())
        let (busy, other) = (ClientNetwork("192.0.2.1"), ClientNetwork("198.51.100.1"))
        await withTaskGroup { group in
            for number in 0..<5 {
                group.addTask { try? await requestQueue.pass(busy) { await gate.wait(number) } }
            }
            var arrivals = gate.arrivals.makeAsyncIterator()
            var inside = [await arrivals.next()!, await arrivals.next()!]
            // Two requests of the busy network run, and three wait. Another network's request starts at once.
            group.addTask { try? await requestQueue.pass(other) { await gate.wait(99) } }
            #expect(await arrivals.next() == 99)
            gate.open(99)
            for _ in 0..<3 {
                gate.open(inside.removeFirst())
                inside.append(await arrivals.next()!)
            }
            for number in inside { gate.open(number) }
        }
        #expect(requestQueue.count == 0)
    }

    /// A request that is refused makes room too.
    @Test func refusalsLeaveTheirPlace() async {
        let requestQueue = FairRequestQueue(places: 1)
        for _ in 0..<3 {
            await #expect(throws: ServiceRefusal.unknown) {
                try await requestQueue.pass(ClientNetwork("192.0.2.1")) { () throws(ServiceRefusal) in
                    throw .unknown
                }
            }
        }
        #expect(requestQueue.count == 0)
    }
}
