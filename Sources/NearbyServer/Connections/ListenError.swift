import Glibc
import NIOCore

/// Where a server was told to listen, it cannot.
public struct ListenError: Error, Hashable, CustomStringConvertible {
    /// Which of the two listeners: how its host and port are chosen is part of the advice.
    enum Listener: String {
        case clients = ""
        case status = "status-"
    }

    let authority: String
    let listener: Listener
    /// As the system has it; 0: there is no such name.
    let code: CInt

    /// The user may not listen there; others might.
    public var isOfPermission: Bool { code == EACCES || code == EPERM }

    /// One line: where, why not, and what to do.
    public var description: String {
        let why =
            switch code {
            case 0: "no such name: choose another --\(listener.rawValue)host"
            case EADDRINUSE: "another program listens there: choose another --\(listener.rawValue)port"
            case EADDRNOTAVAIL: "no address of this machine: choose another --\(listener.rawValue)host"
            case EACCES, EPERM:
                "no right to listen there: choose a --\(listener.rawValue)port from 1024 on, or grant CAP_NET_BIND_SERVICE"
            default: "\(String(cString: strerror(code))): choose another --\(listener.rawValue)host or port"
            }
        return "\(authority): \(why)"
    }

    /// The cause in an error that NIO throws when it binds; nil for another error.
    init?(_ error: any Error, _ host: String, port: Int, _ listener: Listener) {
        switch error {
        case let error as IOError: code = error.errnoCode
        case is SocketAddressError: code = 0
        default: return nil
        }
        (authority, self.listener) = (NearbyServer.authority(host, port: port), listener)
    }

    private init(_ host: String, port: Int, _ listener: Listener, code: CInt) {
        (authority, self.listener) = (NearbyServer.authority(host, port: port), listener)
        self.code = code
    }

    /// Listens for a moment. Throws: ``ListenError``.
    static func check(_ host: String, port: Int, _ listener: Listener) throws(ListenError) {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var addresses: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &addresses) == 0, let address = addresses else {
            throw ListenError(host, port: port, listener, code: 0)
        }
        defer { freeaddrinfo(addresses) }
        let socket = Glibc.socket(address.pointee.ai_family, address.pointee.ai_socktype, 0)
        guard socket >= 0 else { throw ListenError(host, port: port, listener, code: errno) }
        defer { close(socket) }
        // As the server does: a port that was let go a moment ago is free.
        var one: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
        guard bind(socket, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0, listen(socket, 1) == 0
        else {
            throw ListenError(host, port: port, listener, code: errno)
        }
    }
}
