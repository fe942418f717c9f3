import Glibc

/// The service manager's socket, to which a service sends its state: sd_notify's protocol, with one datagram
/// of lines each time.
///
/// Reference: sd_notify(3). `NOTIFY_SOCKET` is a path, or, with `@` before it, a name in Linux's abstract
/// namespace.
package struct NotifySocket: Sendable {
    private let name: [UInt8]

    /// Makes a socket. Returns `nil` if nobody asked for notifications, or if the name has an unknown form.
    ///
    /// - Parameter name: the environment's value.
    package init?(_ name: String?) {
        guard let name, let first = name.utf8.first, name.utf8.count > 1, name.utf8.count < 108,
            [UInt8(ascii: "/"), UInt8(ascii: "@")].contains(first)
        else { return nil }
        self.name = Array(name.utf8)
    }

    /// Sends these lines together. Returns false if it could not: the service goes on without.
    @discardableResult
    package func say(_ lines: String...) -> Bool {
        let handle = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard handle >= 0 else { return false }
        defer { close(handle) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = name[0] == UInt8(ascii: "@")
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: name)
            if isAbstract { path[0] = 0 }
        }
        // The given length delimits an abstract name; a path ends with a zero.
        let length = MemoryLayout<sa_family_t>.size + name.count + (isAbstract ? 0 : 1)
        let text = Array(lines.joined(separator: "\n").utf8)
        let sent = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(handle, text, text.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
            }
        }
        return sent == text.count
    }

    /// Reports the start of a reload: `RELOADING=1`, and the time by the clock that the manager compares
    /// with.
    package func sayReloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let micros = Int(now.tv_sec) * 1_000_000 + now.tv_nsec / 1000
        say("RELOADING=1", "MONOTONIC_USEC=\(micros)")
    }
}

/// The interval in which the service manager wants a sign of life.
package struct WatchdogRequest: Sendable, Hashable {
    package var interval: Duration

    /// Reads the request. Returns `nil` if there is none for this process. Reference: sd_watchdog_enabled(3).
    package init?(microseconds: String?, process: String?, own: pid_t = getpid()) {
        guard let microseconds = microseconds.flatMap({ Int64($0) }), microseconds > 0 else { return nil }
        if let process { guard pid_t(process) == own else { return nil } }
        interval = .microseconds(microseconds)
    }
}
