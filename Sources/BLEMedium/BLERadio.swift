import Glibc
import MediumShell
import Nearby
import Synchronization

/// One radio. It is open only while it has something to do; when it fails, it is tried again at growing
/// intervals.
///
///     RadioOrder ─→ LEHost ─→ bytes ─→ HCITransport
///     reports   ←── LEHost ←─ bytes ←─ HCITransport       all in one thread
///
/// Everything that it sends ends when it is released, and when the program ends, even if the program is
/// killed: ``Watchdog``.
package final class BLERadio: Sendable {
    /// The functions by which a radio reports; its thread calls them.
    package struct Listener: Sendable {
        /// Reports an advertisement that was received.
        package var heard: @Sendable (AdvertisingReport, Instant) -> Void
        /// Reports the obstacle of a direction, also in words; the obstacle is `nil` if the direction works.
        package var found: @Sendable (MediumCondition.Obstacle?, Role, String) -> Void
        /// Reports every packet between host and controller, before its effects are reported. Where the
        /// kernel is the host, no packets are reported.
        package var packet: (@Sendable (HCIPacket, HCIPacket.Direction) -> Void)?

        package init(
            heard: @escaping @Sendable (AdvertisingReport, Instant) -> Void,
            found: @escaping @Sendable (MediumCondition.Obstacle?, Role, String) -> Void,
            packet: (@Sendable (HCIPacket, HCIPacket.Direction) -> Void)? = nil
        ) {
            (self.heard, self.found, self.packet) = (heard, found, packet)
        }
    }

    private let queue: CommandQueue<RadioOrder>

    /// Throws: ``BLEError`` if the system has no thread for the radio. The radio need not be there yet.
    package init(_ name: TransportName, _ listener: Listener) throws(BLEError) {
        guard let queue = CommandQueue<RadioOrder>() else {
            throw BLEError.system(errno, "no pipe for the radio")
        }
        self.queue = queue
        try OpenRadios.add(queue)
        let worker = RadioWorker(queue, name, listener)
        try RadioThread.start {
            worker.run()
            OpenRadios.remove(queue)
        }
    }

    deinit { queue.close() }

    /// Makes the radio carry out `order` from now on.
    package func carryOut(_ order: RadioOrder) { queue.post(order.isIdle ? nil : order) }

    /// Returns when the radio is silent, provided that the last order was an idle one.
    package func silence() async { await queue.silence() }
}

/// All radios of this program. When the program exits, they fall silent first. A killed program has no time
/// for that; its ``Watchdog`` does it instead.
enum OpenRadios {
    private static let queues = Mutex<[ObjectIdentifier: CommandQueue<RadioOrder>]>([:])
    /// True once the exit handler is registered; the first access registers it.
    private static let isWatching: Bool = {
        atexit {
            let queues = OpenRadios.queues.withLock { Array($0.values) }
            for queue in queues { queue.close() }
            // The radios' threads keep running while this function waits.
            for _ in 0..<100 where !queues.allSatisfy(\.isSilent) { usleep(10_000) }
        }
        return true
    }()

    static func add(_ queue: CommandQueue<RadioOrder>) throws(BLEError) {
        guard isWatching else { return }
        queues.withLock { $0[ObjectIdentifier(queue)] = queue }
    }

    static func remove(_ queue: CommandQueue<RadioOrder>) {
        queues.withLock { $0[ObjectIdentifier(queue)] = nil }
    }
}
