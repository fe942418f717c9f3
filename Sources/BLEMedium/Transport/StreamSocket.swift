import Glibc

/// Connections to a controller elsewhere: an emulator or a bridge.
enum StreamSocket {
    private static let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    static func unix(_ path: String) throws(BLEError) -> Descriptor {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw BLEError(.usage, "'\(path)' is longer than the name of a socket may be")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let socket = Descriptor(Glibc.socket(AF_UNIX, stream, 0))
        let code = withUnsafeBytes(of: &address) {
            connect(socket.raw, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        guard code == 0 else { throw BLEError.system(errno, "no controller at \(path)") }
        return unblocked(socket)
    }

    static func tcp(_ host: String, _ port: UInt16) throws(BLEError) -> Descriptor {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0, let first = list else {
            throw BLEError(.unavailable, "\(host) is not known: \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(first) }
        var failure = ENOENT
        for one in sequence(first: first, next: { $0.pointee.ai_next }) {
            let socket = Descriptor(Glibc.socket(one.pointee.ai_family, stream, 0))
            // This timeout bounds connecting too.
            var patience = timeval(tv_sec: 3, tv_usec: 0)
            setsockopt(
                socket.raw, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            if connect(socket.raw, one.pointee.ai_addr, one.pointee.ai_addrlen) == 0 {
                var yes: Int32 = 1
                setsockopt(
                    socket.raw, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
                return unblocked(socket)
            }
            failure = errno
        }
        throw BLEError.system(failure, "no controller at \(host):\(port)")
    }

    private static func unblocked(_ socket: Descriptor) -> Descriptor {
        _ = fcntl(socket.raw, F_SETFL, fcntl(socket.raw, F_GETFL) | O_NONBLOCK)
        return socket
    }
}
