import Glibc
import Synchronization

/// Programs that misuse a box's message socket, each as a thread of its own.
final class SocketAttacker: Sendable {
    enum Misuse: CaseIterable, Sendable {
        /// Writes as fast as it can, and never reads.
        case writing
        /// Writes a byte at a time, and reads.
        case dripping
        /// Connects, and never reads.
        case idle
        /// Shuts down its sending side, and never reads.
        case halfClosed
        /// Connects and closes as fast as it can.
        case churning
    }

    private let path: String
    private let isOver = Atomic(false)
    private let running = Atomic(0)
    /// The number of connections that were made.
    let connectionCount = Atomic(0)

    init(_ path: String) { self.path = path }

    func start(_ misuse: Misuse) {
        running.add(1, ordering: .relaxed)
        let work = Unmanaged.passRetained(Work(attacker: self, misuse: misuse))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                let work = Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue()
                work.attacker.run(work.misuse)
                work.attacker.running.subtract(1, ordering: .relaxed)
                return nil
            }, work.toOpaque())
        precondition(code == 0)
        pthread_detach(thread)
    }

    /// Ends the attack. It returns when all threads have ended.
    func end() {
        isOver.store(true, ordering: .relaxed)
        while running.load(ordering: .relaxed) > 0 { usleep(1000) }
    }

    private final class Work {
        let attacker: SocketAttacker
        let misuse: Misuse
        init(attacker: SocketAttacker, misuse: Misuse) { (self.attacker, self.misuse) = (attacker, misuse) }
    }

    private var goesOn: Bool { !isOver.load(ordering: .relaxed) }

    private func run(_ misuse: Misuse) {
        var bytes = [UInt8](repeating: 0, count: misuse == .writing ? 4096 : 1)
        while goesOn {
            let handle = UnixClient.connect(path)
            guard handle >= 0 else {
                usleep(1000)
                continue
            }
            connectionCount.add(1, ordering: .relaxed)
            if misuse == .churning {
                close(handle)
                continue
            }
            if misuse == .halfClosed { shutdown(handle, Int32(SHUT_WR)) }
            var isConnected = true
            while goesOn, isConnected {
                switch misuse {
                case .idle, .halfClosed, .churning: usleep(5000)
                case .dripping:
                    _ = recv(handle, &bytes, 1, Int32(MSG_DONTWAIT))
                    fallthrough
                case .writing:
                    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
                    let count = send(handle, &bytes, bytes.count, flags)
                    if count < 0, errno == EAGAIN { usleep(200) }
                    isConnected = count >= 0 || errno == EAGAIN || errno == EINTR
                }
            }
            close(handle)
        }
    }
}

/// A client of a Unix socket.
enum UnixClient {
    /// Connects. Returns a negative number if nobody listens.
    static func connect(_ path: String) -> Int32 {
        let handle = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(handle, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if code == 0 { return handle }
        close(handle)
        return -1
    }

    /// Returns the next line without its end. It is empty at the end, or if none comes for 30 s.
    static func line(_ handle: Int32) -> String {
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(handle, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
