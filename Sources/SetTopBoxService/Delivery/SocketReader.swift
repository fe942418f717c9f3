import Glibc

/// A program that is connected to a ``MessageSocket``, on the socket's thread.
struct SocketReader {
    let handle: Int32
    /// The user and the process that connected.
    let owner: Owner
    /// The bytes for which the kernel has no room yet.
    var rest: ArraySlice<UInt8> = []
    /// The time when the oldest line that the reader has perhaps not read yet was sent.
    private(set) var unreadSince: ContinuousClock.Instant?
    /// True if at least one line was sent to the reader.
    private(set) var isServed = false
    /// True if the reader has shut down its sending side. Its input is then ignored, but it can read on.
    private var hasEndedInput = false

    /// The user and the process at the other end. Reference: unix(7), SO_PEERCRED.
    struct Owner: Hashable {
        var user: uid_t
        var process: pid_t

        init(user: uid_t, process: pid_t) { (self.user, self.process) = (user, process) }

        /// Finds the owner of the other end of a connection.
        init(of handle: Int32) {
            // Linux's `struct ucred`, which Swift does not import: process, user, group.
            var credentials: [UInt32] = [0, .max, .max]
            var size = socklen_t(credentials.count * MemoryLayout<UInt32>.stride)
            // The kernel knows the owner for every Unix socket. Without it, all readers would count as one
            // owner's.
            getsockopt(handle, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
            self.init(user: credentials[1], process: pid_t(bitPattern: credentials[0]))
        }
    }

    init(handle: Int32) { (self.handle, owner) = (handle, Owner(of: handle)) }

    /// The events that `poll` is to watch for. They always include a full close (POLLHUP), but not a
    /// half-close.
    var events: Int16 {
        (hasEndedInput ? 0 : Int16(POLLIN) | SocketReader.halfClose) | (rest.isEmpty ? 0 : Int16(POLLOUT))
    }

    /// Linux's `POLLRDHUP`, which Swift does not import.
    private static let halfClose: Int16 = 0x2000

    /// Notes a half-close among the events that `poll` found.
    mutating func note(_ events: Int16) { if events & SocketReader.halfClose != 0 { hasEndedInput = true } }

    /// Sends as much of ``rest`` as the kernel takes. Returns false if the reader is gone.
    mutating func flush(at now: ContinuousClock.Instant) -> Bool {
        guard !rest.isEmpty else { return true }
        if !hasUnread { unreadSince = now }
        isServed = true
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(handle, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return true }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        rest = []
        return true
    }

    /// True if the reader has not read everything that was sent to it.
    var hasUnread: Bool {
        var count: Int32 = 0
        // `SIOCOUTQ` gives the bytes on the way to the other end; Swift does not import this constant of
        // Linux's.
        return !rest.isEmpty || (ioctl(handle, 0x5411, &count) == 0 && count > 0)
    }

    /// Discards one buffer of the reader's input. Returns false if the reader is gone.
    mutating func discardInput(_ buffer: inout [UInt8]) -> Bool {
        let count = read(handle, &buffer, buffer.count)
        return count >= 0 || errno == EAGAIN || errno == EINTR
    }
}
