import Glibc
import MediumShell
import Nearby

/// A third medium, as an example: tokens by UDP multicast, so that devices on one network find each other.
///
///     assignment ─→ CommandQueue ─→ a datagram of each payload, once a second ─→ group
///     sightings ←── MediumEventQueue ←─── datagrams ←─────────────────────────── group
///
/// The socket is open only while there is something to do. After a failure it is opened again, at growing
/// intervals.
final class MulticastMedium: MediumDriver {
    let medium = Medium.lan
    private let eventQueue = MediumEventQueue(.ready)
    private let queue: CommandQueue<MediumAssignment>

    /// Starts the medium's thread.
    ///
    /// - Parameter group: the group that carries the frames, and the network interface.
    ///
    /// Throws: ``MulticastError`` if the system has no pipe for the thread.
    init(_ group: MulticastGroup = MulticastGroup()) throws(MulticastError) {
        guard let queue = CommandQueue<MediumAssignment>() else { throw MulticastError("pipe") }
        self.queue = queue
        let code = DeviceThread.start { [eventQueue] in
            queue.serve { retry throws(MulticastError) in
                try MulticastMedium.use(MulticastSocket(group), queue, eventQueue, &retry)
            } failed: { error in
                for role in Role.allCases { eventQueue.set(.failing, because: error.reason, role) }
            }
        }
        guard code == 0 else { throw MulticastError("thread", code) }
    }

    deinit {
        queue.close()
        eventQueue.close()
    }

    func events() -> AsyncStream<MediumEvent> { eventQueue.events() }

    func carryOut(_ assignment: MediumAssignment) async {
        queue.post(assignment == .idle ? nil : assignment)
    }

    private static func use(
        _ socket: MulticastSocket, _ queue: CommandQueue<MediumAssignment>, _ events: MediumEventQueue,
        _ retry: inout Retry
    ) throws(MulticastError) {
        for role in Role.allCases { events.set(nil, because: nil, role) }
        var next = ContinuousClock.now
        while let assignment = queue.order {
            if let broadcast = assignment.broadcast, next <= .now {
                for payload in broadcast.payloads {
                    try socket.send(payload.frame)
                    events.put(.sent)
                }
                next = .now + .seconds(1)
            }
            retry.reset()
            socket.wait(queue.wakePipe, until: assignment.broadcast == nil ? .now + .seconds(60) : next)
            while let frame = try socket.receive() {
                guard assignment.isScanning, let payload = Sighting.Payload(frame: frame) else { continue }
                events.put(.sighted(Sighting(payload, on: .lan)))
            }
        }
    }
}

/// A failed system call, with its reason.
struct MulticastError: Error {
    let reason: String

    init(_ call: String, _ code: Int32 = errno) { reason = "\(call): \(String(cString: strerror(code)))" }
}
