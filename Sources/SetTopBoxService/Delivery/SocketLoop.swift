import Glibc

/// The readers of a ``MessageSocket``, as its thread has them.
struct SocketLoop {
    private struct Reader {
        let handle: Int32
        /// What it has not taken yet.
        var rest: ArraySlice<UInt8> = []
    }

    private let listener: Int32
    private let wake: Int32
    private let bufferByteCount: Int
    private let log: ServiceLog
    private var readers: [Reader] = []
    private(set) var droppedCount = 0
    var readerCount: Int { readers.count }

    init(listener: Int32, wake: Int32, bufferByteCount: Int, log: ServiceLog) {
        (self.listener, self.wake, self.bufferByteCount, self.log) = (listener, wake, bufferByteCount, log)
    }

    /// Until there is something to do. False when there is nothing to wait for.
    ///
    /// What woke it is forgotten here, before the caller looks at what there is to do: what comes after that look wakes it again.
    func wait() -> Bool {
        var polls = [
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        polls += readers.map {
            pollfd(fd: $0.handle, events: Int16(POLLIN | ($0.rest.isEmpty ? 0 : POLLOUT)), revents: 0)
        }
        while poll(&polls, nfds_t(polls.count), -1) < 0 { guard errno == EINTR else { return false } }
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(wake, &bytes, bytes.count) > 0 {}
        return true
    }

    /// Everything that can be done now: nothing of it waits.
    mutating func turn(_ lines: [[UInt8]]) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        // Who connected before a line was sent is sent it.
        accept()
        for line in lines { for n in readers.indices { readers[n].rest += line } }
        readers = readers.filter { reader in
            guard SocketLoop.isGone(reader.handle, &bytes) else { return true }
            Glibc.close(reader.handle)
            return false
        }
        flush()
    }

    private mutating func accept() {
        while true {
            let handle = Glibc.accept(listener, nil, nil)
            guard handle >= 0 else { return }
            _ = fcntl(handle, F_SETFD, FD_CLOEXEC)
            _ = fcntl(handle, F_SETFL, O_NONBLOCK)
            guard readers.count < MessageSocket.readerLimit else {
                log.write(
                    .warning,
                    "deliver.socket: one reader too many is let go: \(MessageSocket.readerLimit) are connected"
                )
                Glibc.close(handle)
                continue
            }
            readers.append(Reader(handle: handle))
        }
    }

    /// Readers say nothing; what they say is thrown away.
    private static func isGone(_ handle: Int32, _ bytes: inout [UInt8]) -> Bool {
        while true {
            let count = read(handle, &bytes, bytes.count)
            if count > 0 { continue }
            return count == 0 || (errno != EAGAIN && errno != EINTR)
        }
    }

    private mutating func flush() {
        for n in readers.indices.reversed() {
            var isLost = !write(n)
            if readers[n].rest.count > bufferByteCount {
                log.write(
                    .warning,
                    "deliver.socket: a slow reader is let go: \(readers[n].rest.count) bytes waited for it")
                droppedCount += 1
                isLost = true
            }
            if isLost {
                Glibc.close(readers[n].handle)
                readers.remove(at: n)
            }
        }
    }

    /// As much as it takes now. False when it is gone.
    private mutating func write(_ n: Int) -> Bool {
        while !readers[n].rest.isEmpty {
            let count = readers[n].rest.withUnsafeBytes {
                send(readers[n].handle, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return true }
            guard count > 0 else { return false }
            readers[n].rest = readers[n].rest.dropFirst(count)
        }
        readers[n].rest = []
        return true
    }

    func close() {
        for handle in [listener, wake] + readers.map(\.handle) { Glibc.close(handle) }
    }
}
