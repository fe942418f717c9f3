import Glibc

/// A program that is connected to a ``MessageSocket``, as the socket's thread sees it.
struct SocketReader {
    let handle: Int32
    /// The user and the process that connected.
    let owner: Owner
    /// Bytes that the kernel has no room for yet.
    var rest: ArraySlice<UInt8> = []
    /// When the oldest line was sent that the reader has perhaps not read yet.
    private(set) var unreadSince: ContinuousClock.Instant?
    /// The reader has been sent at least one line.
    private(set) var isServed = false
    /// The reader has shut down its sending side: its input is ignored from then on, and it reads on.
    private var hasEndedInput = false

    /// Who connected. Reference: unix(7), SO_PEERCRED.
    struct Owner: Hashable {
        var user: uid_t
        var process: pid_t

        init(user: uid_t, process: pid_t) { (self.user, self.process) = (user, process) }

        /// The owner of the other end of a connection.
        init(of handle: Int32) {
            // Linux's `struct ucred`, which Swift does not import: process, user, group.
            var credentials: [UInt32] = [0, .max, .max]
            var size = socklen_t(credentials.count * MemoryLayout<UInt32>.stride)
            // The kernel knows it for every Unix socket; without it, all are one owner.
            getsockopt(handle, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
            self.init(user: credentials[1], process: pid_t(bitPattern: credentials[0]))
        }
    }

    init(handle: Int32) { (self.handle, owner) = (handle, Owner(of: handle)) }

    /// Events that `poll` is to watch for. A full close (POLLHUP) is always among it, a half-close is not.
    var events: Int16 {
        (hasEndedInput ? 0 : Int16(POLLIN) | SocketReader.halfClose) | (rest.isEmpty ? 0 : Int16(POLLOUT))
    }

    /// Linux's `POLLRDHUP`, which Swift does not import.
    private static let halfClose: Int16 = 0x2000

    /// Takes note of a half-close among what `poll` found.
    mutating func note(_ events: Int16) { if events & SocketReader.halfClose != 0 { hasEndedInput = true } }

    /// Sends as much of ``rest`` as the kernel takes. False when the reader is gone.
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

    /// The reader has not read all that was sent to it.
    var hasUnread: Bool {
        var count: Int32 = 0
        // Bytes on the way to the other end. Linux's `SIOCOUTQ`, which Swift does not import.
        return !rest.isEmpty || (ioctl(handle, 0x5411, &count) == 0 && count > 0)
    }

    /// Throws away what the reader wrote, one buffer of it. False when it is gone.
    mutating func discardInput(_ buffer: inout [UInt8]) -> Bool {
        let count = read(handle, &buffer, buffer.count)
        return count >= 0 || errno == EAGAIN || errno == EINTR
    }
}
