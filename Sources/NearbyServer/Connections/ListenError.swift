import Glibc
import NIOCore

/// An error for a host and port on which the server cannot listen.
package struct ListenError: Error, Hashable, CustomStringConvertible {
    /// The two listeners. Each has its own options for host and port, which the advice names.
    enum Listener: String {
        case clients = ""
        case status = "status-"
    }

    let authority: String
    let listener: Listener
    /// The system's error number; 0 if the host name does not exist.
    let code: CInt

    /// True if this user may not listen there, although others might.
    package var isOfPermission: Bool { code == EACCES || code == EPERM }

    /// One line that says where the server cannot listen, why, and what to do.
    package var description: String {
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

    /// Makes an error from one that NIO throws when it binds; returns `nil` for any other error.
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

    /// Listens for a moment and stops again.
    ///
    /// - Throws: ``ListenError`` if it cannot listen.
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
        // The server sets this option too: a port that was released a moment ago is free.
        var one: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
        guard bind(socket, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0, listen(socket, 1) == 0
        else {
            throw ListenError(host, port: port, listener, code: errno)
        }
    }
}
