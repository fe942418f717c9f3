import Glibc
import Nearby

/// The work of a radio's thread.
struct RadioWorker: Sendable {
    /// The time for ending everything that the radio does, before it is closed.
    private static let farewell = Duration.milliseconds(500)

    private let queue: RadioCommandQueue
    private let name: TransportName
    private let listener: BLERadio.Listener
    private let clock = RadioClock()

    init(_ queue: RadioCommandQueue, _ name: TransportName, _ listener: BLERadio.Listener) {
        (self.queue, self.name, self.listener) = (queue, name, listener)
    }

    /// Runs until the queue is closed.
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
                // A caller that gives up meanwhile need not wait.
                let seconds = retry.seconds
                retry.lengthen()
                sleep(for: .seconds(seconds)) { !queue.order.isIdle }
            }
        }
        queue.fellSilent()
    }

    /// Sleeps for `time`, or until `isWaiting` returns false.
    private func sleep(for time: Duration, while isWaiting: () -> Bool) {
        let end = clock.now() + time
        while !queue.isClosed, isWaiting(), clock.now() < end {
            var wait = pollfd(fd: queue.wakePipe.raw, events: Int16(POLLIN), revents: 0)
            poll(&wait, 1, clock.milliseconds(until: end, atMost: 60_000))
            queue.wakePipe.clear()
        }
    }

    /// Opens the radio and uses it as long as there is something to do. Throws: ``BLEError`` if the radio
    /// fails.
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
            // Without this, the radio would go on sending.
            try? session.stop(within: RadioWorker.farewell, queue.wakePipe)
            throw error
        }
        try session.stop(within: RadioWorker.farewell, queue.wakePipe)
    }
}

/// The wait before a radio is tried again: a second, then twice as long each time, up to half a minute.
struct RadioRetry {
    private(set) var seconds = 1.0

    mutating func lengthen() { seconds = min(30, 2 * seconds) }
    mutating func reset() { seconds = 1 }
}
