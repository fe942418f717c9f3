import Glibc
import MediumShell

/// A multicast group of IPv4 (RFC 2365, organisation-local scope).
struct MulticastGroup: Sendable {
    var address = "239.255.78.66"
    var port: UInt16 = 7866
    /// The address of the network interface, or "0.0.0.0" for the one that the system chooses.
    var interface = "0.0.0.0"

    init() {}
}

/// A socket that is a member of a multicast group. A datagram is the mark "nearby1 ", then one frame.
final class MulticastSocket {
    private static let mark = Array("nearby1 ".utf8)

    private let descriptor: Int32
    private var destination = sockaddr_in()

    init(_ group: MulticastGroup) throws(MulticastError) {
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw MulticastError("socket") }
        destination.sin_family = sa_family_t(AF_INET)
        destination.sin_port = group.port.bigEndian
        destination.sin_addr.s_addr = inet_addr(group.address)
        var membership = ip_mreq()
        membership.imr_multiaddr = destination.sin_addr
        membership.imr_interface.s_addr = inet_addr(group.interface)
        // Several programs of one machine share the group, and hear each other.
        try set(SOL_SOCKET, SO_REUSEADDR, Int32(1), "SO_REUSEADDR")
        try set(Int32(IPPROTO_IP), IP_MULTICAST_IF, membership.imr_interface, "IP_MULTICAST_IF")
        try set(Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, membership, "IP_ADD_MEMBERSHIP")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withDestination { bind(descriptor, $0, size) }
        guard bound == 0 else { throw MulticastError("bind") }
    }

    deinit { close(descriptor) }

    func send(_ frame: [UInt8]) throws(MulticastError) {
        let bytes = MulticastSocket.mark + frame
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withDestination { sendto(descriptor, bytes, bytes.count, 0, $0, size) }
        guard count == bytes.count else { throw MulticastError("sendto") }
    }

    /// Returns the next frame, or `nil` if there is none yet. Foreign datagrams are skipped.
    func receive() throws(MulticastError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 256)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count < 0 {
                guard errno == EAGAIN || errno == EINTR else { throw MulticastError("recv") }
                return nil
            }
            if bytes[..<count].starts(with: MulticastSocket.mark) {
                return Array(bytes[MulticastSocket.mark.count..<count])
            }
        }
    }

    /// Waits for a datagram, a wake, or `end`.
    func wait(_ wakePipe: WakePipe, until end: ContinuousClock.Instant) {
        let milliseconds = (ContinuousClock.now.duration(to: end) / .milliseconds(1)).rounded(.up)
        var waits = [descriptor, wakePipe.reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&waits, 2, Int32(max(0, milliseconds)))
        wakePipe.clear()
    }

    private func set<Value>(
        _ level: Int32, _ option: Int32, _ value: Value, _ name: String
    ) throws(MulticastError) {
        let status = withUnsafeBytes(of: value) {
            setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
        }
        guard status == 0 else { throw MulticastError(name) }
    }

    private func withDestination<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        withUnsafePointer(to: destination) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
