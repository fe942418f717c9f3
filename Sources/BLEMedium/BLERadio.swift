import Glibc
import Nearby
import Synchronization

/// One radio: open only while it has something to do, and tried again, later and later, when it fails.
///
///     RadioOrder ─→ LEHost ─→ bytes ─→ HCITransport
///     reports   ←── LEHost ←─ bytes ←─ HCITransport       all in one thread
///
/// Whatever it was told to send ends with it, and with the program, even one that is killed: ``Watchdog``.
package final class BLERadio: Sendable {
    /// What it tells, in its thread.
    package struct Listener: Sendable {
        /// Somebody's advertising was heard.
        package var heard: @Sendable (AdvertisingReport, Instant) -> Void
        /// What stands in the way of a direction, nil: nothing; and in words.
        package var found: @Sendable (MediumCondition.Obstacle?, Role, String) -> Void
        /// Every packet between host and controller, before what follows from it; none where the kernel is the host.
        package var packet: (@Sendable (HCIPacket, HCIPacket.Direction) -> Void)?

        package init(
            heard: @escaping @Sendable (AdvertisingReport, Instant) -> Void,
            found: @escaping @Sendable (MediumCondition.Obstacle?, Role, String) -> Void,
            packet: (@Sendable (HCIPacket, HCIPacket.Direction) -> Void)? = nil
        ) {
            (self.heard, self.found, self.packet) = (heard, found, packet)
        }
    }

    private let queue: RadioCommandQueue

    /// Throws: ``BLEError``, when the system has no thread for it. The radio need not be there yet.
    package init(_ name: TransportName, _ listener: Listener) throws(BLEError) {
        let queue = try RadioCommandQueue()
        self.queue = queue
        try OpenRadios.add(queue)
        let worker = RadioWorker(queue, name, listener)
        try RadioThread.start {
            worker.run()
            OpenRadios.remove(queue)
        }
    }

    deinit { queue.close() }

    /// From now on.
    package func carryOut(_ order: RadioOrder) { queue.post(order) }

    /// Returns when it does nothing any more, if nothing was the last that it was told.
    package func silence() async { await queue.silence() }
}

/// All radios of this program: when it exits, they fall silent first. A program that is killed has no
/// time for that, but a ``Watchdog``.
enum OpenRadios {
    private static let queues = Mutex<[ObjectIdentifier: RadioCommandQueue]>([:])
    /// Once.
    private static let isWatching: Bool = {
        atexit {
            let queues = OpenRadios.queues.withLock { Array($0.values) }
            for queue in queues { queue.close() }
            // The threads go on while this waits.
            for _ in 0..<100 where !queues.allSatisfy(\.isSilent) { usleep(10_000) }
        }
        return true
    }()

    static func add(_ queue: RadioCommandQueue) throws(BLEError) {
        guard isWatching else { return }
        queues.withLock { $0[ObjectIdentifier(queue)] = queue }
    }

    static func remove(_ queue: RadioCommandQueue) { queues.withLock { $0[ObjectIdentifier(queue)] = nil } }
}
