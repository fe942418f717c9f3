import Glibc
import Synchronization

/// A Unix socket that sends every line to all who are connected. A reader that reads more slowly than lines
/// come is disconnected. If all places are taken, ``ReaderPlaces`` decides which reader makes room.
///
///     send(_:) ─→ lines ─ wake ─→ thread: accepts, writes, drops ─→ readers
package final class MessageSocket: Sendable {
    /// The maximum number of readers; nobody needs more.
    static let readerLimit = 64
    static let threadName = "message-socket"
    /// The number of connections that can wait to be accepted.
    static let backlog: Int32 = 16

    private struct Shared {
        var lines: [[UInt8]] = []
        /// The line that a new reader gets first; empty if there is none.
        var greeting: [UInt8] = []
        var bufferByteCount: Int
        var isOver = false
        var readerCount = 0
        var droppedCount = 0
    }

    package let path: String
    private let shared: Mutex<Shared>
    /// The wake signal: a byte written to it wakes the thread.
    private let wake: Int32
    private let end: AsyncStream<Never>

    /// Makes a socket. It replaces a socket to which no program listens any more.
    ///
    /// - Parameter mode: the users who can connect; by default the socket's own user and group.
    ///
    /// Throws the reason why it cannot be made.
    package init(
        _ path: String, bufferByteCount: Int, mode: mode_t = 0o660, log: ServiceLog
    ) throws(MessageSocketError) {
        self.path = path
        shared = Mutex(Shared(bufferByteCount: bufferByteCount))
        let listener = try MessageSocket.listen(path, mode)
        var pair: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, MessageSocket.flags, 0, &pair) == 0 else {
            Glibc.close(listener)
            throw MessageSocketError(path: path, reason: String(cString: strerror(errno)))
        }
        wake = pair[1]
        let (end, ended) = AsyncStream.makeStream(of: Never.self)
        self.end = end
        let reading = pair[0]
        let isStarted = ServiceThread.start(MessageSocket.threadName) { [weak self] in
            var loop = SocketLoop(listener: listener, wake: reading, log: log)
            while loop.wait() {
                guard let self else { break }
                let work = self.shared.withLock { shared in
                    defer { shared.lines = [] }
                    return shared
                }
                loop.turn(
                    work.lines, greeting: work.greeting, bufferByteCount: work.bufferByteCount)
                if work.isOver { break }
                self.shared.withLock {
                    ($0.readerCount, $0.droppedCount) = (loop.readerCount, loop.droppedCount)
                }
            }
            loop.close()
            ended.finish()
        }
        guard isStarted else {
            Glibc.close(listener)
            Glibc.close(reading)
            throw MessageSocketError(path: path, reason: "no thread could be created for it")
        }
    }

    deinit {
        Glibc.close(wake)
        unlink(path)
    }

    /// The number of readers that are connected.
    package var readerCount: Int { shared.withLock { $0.readerCount } }
    /// The number of readers that were disconnected because they were too slow.
    package var droppedCount: Int { shared.withLock { $0.droppedCount } }

    /// Changes how many bytes of unread lines a reader may have before it is disconnected. The readers stay
    /// connected.
    package func setBuffer(byteCount: Int) { shared.withLock { $0.bufferByteCount = byteCount } }

    /// Sends a line to every reader. It returns at once.
    ///
    /// - Parameter toNewcomers: true if those who connect later get the line, too, until there is another one
    ///   for them.
    package func send(_ line: String, toNewcomers: Bool = false) {
        let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
        shared.withLock {
            $0.lines.append(bytes)
            if toNewcomers { $0.greeting = bytes }
        }
        ring()
    }

    /// Closes the socket. It returns when all readers are disconnected.
    package func close() async {
        shared.withLock { $0.isOver = true }
        ring()
        for await _ in end {}
    }

    private func ring() {
        var byte: UInt8 = 0
        // If the buffer is full, the thread is awake already.
        _ = write(wake, &byte, 1)
    }

    private static func listen(_ path: String, _ mode: mode_t) throws(MessageSocketError) -> Int32 {
        let failure = { MessageSocketError(path: path, reason: String(cString: strerror(errno))) }
        let handle = socket(AF_UNIX, MessageSocket.flags, 0)
        guard handle >= 0 else { throw failure() }
        var isReady = false
        defer { if !isReady { Glibc.close(handle) } }
        if isAnswered(path) { throw MessageSocketError(path: path, reason: "another program listens there") }
        var state = stat()
        if lstat(path, &state) == 0 {
            guard state.st_mode & S_IFMT == S_IFSOCK else {
                throw MessageSocketError(path: path, reason: "already exists, and is not a socket")
            }
            unlink(path)
        }
        let before = umask(~mode & 0o777)
        let code = withAddress(path) { bind(handle, $0, $1) }
        umask(before)
        guard code == 0, Glibc.listen(handle, MessageSocket.backlog) == 0 else { throw failure() }
        isReady = true
        return handle
    }

    private static let flags =
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

    /// Returns true if a program listens there. One whose backlog is full (EAGAIN) does.
    private static func isAnswered(_ path: String) -> Bool {
        let handle = socket(AF_UNIX, flags, 0)
        guard handle >= 0 else { return false }
        defer { Glibc.close(handle) }
        return withAddress(path) { connect(handle, $0, $1) } == 0 || errno == EAGAIN
    }

    private static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// The reason why a socket cannot be made.
package struct MessageSocketError: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var reason: String

    package var description: String { "\(path): \(reason)" }
}
