import Glibc
import NIOCore

/// The kernel's probes of a connection on which nothing is sent (RFC 9293 §3.8.4, tcp(7)): they notice a
/// client that has vanished without closing the connection, at no cost for either program.
///
///     last answer ──idle──┬─interval─┬─interval─┬─→ given up, `silence` after the last answer
///                       probe      probe      probe
struct ConnectionProbes: Sendable, Hashable {
    var idleSeconds: Int
    var intervalSeconds: Int
    /// The time without an answer after which the connection is given up, whether a probe or sent bytes wait
    /// for it (RFC 5482).
    var silenceSeconds: Int

    /// The probes of a client that hears others. Bytes that are sent restart the silence, so a pulse is left
    /// out when an answer to a probe is due (``Connection/answersProbes()``): after 5.5 + 9 s at the latest
    /// the client is given up.
    static let close = ConnectionProbes(idleSeconds: 5, intervalSeconds: 1, silenceSeconds: 9)
    /// The probes of a client whose absence concerns nobody else.
    static let distant = ConnectionProbes(idleSeconds: 60, intervalSeconds: 10, silenceSeconds: 90)

    /// The age of the last answer beyond which a probe that should have been answered was not.
    private var lateMillis: UInt32 { UInt32(1000 * idleSeconds + 500) }

    /// Returns false if the client owes an answer to a probe; true as well if the kernel does not know.
    func areAnswered(on socket: NIOBSDSocket.Handle) -> Bool {
        var info = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0 else { return true }
        return info.tcpi_last_ack_recv <= lateMillis
    }

    func set(on channel: any Channel) {
        let values = [
            (TCP_KEEPIDLE, idleSeconds), (TCP_KEEPINTVL, intervalSeconds),
            (TCP_USER_TIMEOUT, 1000 * silenceSeconds),
        ]
        for (name, value) in values {
            let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: name))
            _ = channel.setOption(option, value: value)
        }
        _ = channel.setOption(.socketOption(.so_keepalive), value: 1)
    }

    /// Returns true if the error says that the kernel has given the client up.
    static func isDeath(_ error: any Error) -> Bool {
        guard let error = error as? IOError else { return false }
        return [ETIMEDOUT, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode)
    }
}
