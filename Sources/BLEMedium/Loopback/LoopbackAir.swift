import Glibc
import MediumShell
import Nearby
import Synchronization

/// A simulated radio channel within this process. Each connection gets a ``VirtualController``, and all of
/// them receive each other.
///
/// One thread drives it as long as there is a connection.
final class LoopbackAir: Sendable {
    private static let airs = Mutex<[String: LoopbackAir]>([:])

    private struct Link {
        var socket: Descriptor
        var controller: VirtualController
    }

    private struct State {
        var links: [Link] = []
        var isRunning = false
    }

    private let state = Mutex(State())
    private let wakePipe: WakePipe
    /// False if the channel's name begins with "legacy": its controllers then have the old commands only.
    private let hasExtended: Bool

    private init(_ name: String) throws(BLEError) {
        hasExtended = !name.hasPrefix("legacy")
        guard let pipe = WakePipe() else { throw BLEError.system(errno, "no pipe for the air") }
        wakePipe = pipe
    }

    static func named(_ name: String) throws(BLEError) -> LoopbackAir {
        if let known = airs.withLock({ $0[name] }) { return known }
        let new = try LoopbackAir(name)
        return airs.withLock { airs in
            airs[name] = airs[name] ?? new
            return airs[name]!
        }
    }

    /// Returns a host's end of a new connection. Throws: ``BLEError``; the channel is then unchanged, and
    /// another try may start its thread.
    ///
    /// - Parameter start: starts the channel's thread.
    func connect(
        start: (@escaping @Sendable () -> Void) throws(BLEError) -> Void = RadioThread.start
    ) throws(BLEError) -> Descriptor {
        var ends: [Int32] = [-1, -1]
        let kind =
            Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw BLEError.system(errno, "no loopback") }
        let (host, socket) = (Descriptor(ends[0]), Descriptor(ends[1]))
        let link = Link(socket: socket, controller: VirtualController(hasExtended: hasExtended))
        try state.withLock { state throws(BLEError) in
            // The thread waits for this lock, and then finds the link.
            if !state.isRunning { try start { [self] in run() } }
            state.isRunning = true
            state.links.append(link)
        }
        wakePipe.wake()
        return host
    }

    private func run() {
        let clock = RadioClock()
        while true {
            let now = clock.now()
            guard let (sockets, due) = state.withLock({ state in step(&state, now) }) else { return }
            var waits = ([wakePipe.reading] + sockets.map(\.raw)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&waits, nfds_t(waits.count), clock.milliseconds(until: due, atMost: 60_000))
            wakePipe.clear()
        }
    }

    /// Moves everything that is due; returns `nil` when no connection is left.
    private func step(_ state: inout State, _ now: Instant) -> ([Descriptor], Instant?)? {
        var ended: [Int] = []
        for index in state.links.indices where !serve(&state.links[index], now) { ended.append(index) }
        for index in ended.reversed() { state.links.remove(at: index) }
        guard !state.links.isEmpty else {
            state.isRunning = false
            return nil
        }
        for sender in state.links.indices {
            while let frame = state.links[sender].controller.advance(to: now) {
                for receiver in state.links.indices where receiver != sender {
                    guard let report = state.links[receiver].controller.hear(frame, now: now) else {
                        continue
                    }
                    // A host that does not read misses the report, as with a radio.
                    _ = send(state.links[receiver].socket, report)
                }
            }
        }
        return (state.links.map(\.socket), state.links.compactMap(\.controller.nextDeadline).min())
    }

    /// Answers all requests of the link's host; returns false when the host has gone.
    private func serve(_ link: inout Link, _ now: Instant) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 300)
        while true {
            let count = recv(link.socket.raw, &buffer, buffer.count, 0)
            guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
            guard let packet = HCIPacket(h4: buffer[..<count]), packet.kind == .command else { continue }
            let code = HCICommand.Code(rawValue: UInt16(packet.bytes[0]) | UInt16(packet.bytes[1]) << 8)
            let command = HCICommand(code, Array(packet.bytes.dropFirst(3)))
            if !send(link.socket, link.controller.take(command, now: now)) { return false }
        }
    }

    private func send(_ socket: Descriptor, _ packet: HCIPacket) -> Bool {
        let bytes = packet.h4
        return Glibc.send(socket.raw, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}
