import MediumShell
import Nearby

/// The work of a radio's thread.
struct RadioWorker: Sendable {
    /// The time for ending everything that the radio does, before it is closed.
    private static let stopPatience = Duration.milliseconds(500)

    private let queue: CommandQueue<RadioOrder>
    private let name: TransportName
    private let listener: BLERadio.Listener
    private let clock = RadioClock()

    init(_ queue: CommandQueue<RadioOrder>, _ name: TransportName, _ listener: BLERadio.Listener) {
        (self.queue, self.name, self.listener) = (queue, name, listener)
    }

    /// Runs until the queue is closed.
    func run() {
        queue.serve { retry throws(BLEError) in
            try use(&retry)
        } failed: { error in
            for role in Role.allCases { listener.found(.init(error), role, error.description) }
        }
    }

    /// Opens the radio and uses it as long as there is something to do. Throws: ``BLEError`` if the radio
    /// fails.
    private func use(_ retry: inout Retry) throws(BLEError) {
        var session = RadioSession(try HCITransport.open(name), listener, clock)
        if session.isReceiveOnly {
            listener.found(.missing, .broadcast, "\(name) only hears")
        }
        do throws(BLEError) {
            while let order = queue.order {
                try session.carryOut(order)
                try session.wait(queue.wakePipe, atMost: 60_000)
                if session.isWorking { retry.reset() }
            }
        } catch {
            // Without this, the radio would go on sending.
            try? session.stop(within: RadioWorker.stopPatience, queue.wakePipe)
            throw error
        }
        try session.stop(within: RadioWorker.stopPatience, queue.wakePipe)
    }
}
