import Glibc
import Nearby

/// What a radio's thread does.
struct RadioWorker: Sendable {
    /// To end what it does, before it is let go.
    private static let farewell = Duration.milliseconds(500)

    private let queue: RadioCommandQueue
    private let name: TransportName
    private let listener: BLERadio.Listener
    private let clock = RadioClock()

    init(_ queue: RadioCommandQueue, _ name: TransportName, _ listener: BLERadio.Listener) {
        (self.queue, self.name, self.listener) = (queue, name, listener)
    }

    /// Until the queue is closed.
    func run() {
        var retry = RadioRetry()
        while !queue.isClosed {
            guard !queue.order.isIdle else {
                queue.fellSilent()
                sleep(for: .seconds(60)) { queue.order.isIdle }
                continue
            }
            do throws(BLEError) {
                try use(&retry)
            } catch {
                for role in Role.allCases { listener.found(.init(error), role, error.description) }
                // Whoever gives up meanwhile need not wait.
                let seconds = retry.seconds
                retry.lengthen()
                sleep(for: .seconds(seconds)) { !queue.order.isIdle }
            }
        }
        queue.fellSilent()
    }

    /// For so long, or as long as that holds.
    private func sleep(for time: Duration, while isWaiting: () -> Bool) {
        let end = clock.now() + time
        while !queue.isClosed, isWaiting(), clock.now() < end {
            var wait = pollfd(fd: queue.wakePipe.raw, events: Int16(POLLIN), revents: 0)
            poll(&wait, 1, clock.milliseconds(until: end, atMost: 60_000))
            queue.wakePipe.clear()
        }
    }

    /// Opens it, and uses it as long as there is something to do. Throws: ``BLEError``, when it fails.
    private func use(_ retry: inout RadioRetry) throws(BLEError) {
        var session = RadioSession(try HCITransport.open(name), listener, clock)
        if session.isReceiveOnly {
            listener.found(.missing, .broadcast, "\(name) only hears")
        }
        do throws(BLEError) {
            while true {
                let order = queue.order
                guard !order.isIdle else { break }
                try session.carryOut(order)
                try session.wait(queue.wakePipe, atMost: 60_000)
                if session.isWorking { retry.reset() }
            }
        } catch {
            // What it sends would go on.
            try? session.stop(within: RadioWorker.farewell, queue.wakePipe)
            throw error
        }
        try session.stop(within: RadioWorker.farewell, queue.wakePipe)
    }
}

/// How long to wait before a radio is tried again: a second, then twice as long each time, up to half a minute.
struct RadioRetry {
    private(set) var seconds = 1.0

    mutating func lengthen() { seconds = min(30, 2 * seconds) }
    mutating func reset() { seconds = 1 }
}
