import Glibc
import Nearby
import SetTopBox
import Synchronization

/// A socket that tells players which frames to send: the present ``PlayerLine`` to whoever connects, and each
/// later one. A player sends nothing while it is not connected.
final class PlayerSocket: Sendable {
    /// Lines are short, and only the last one matters.
    private static let bufferByteCount = 1 << 16
    /// All users of the machine can connect: a player is rarely the box's own user, and whoever has a
    /// microphone hears the tokens anyway.
    private static let mode: mode_t = 0o666

    private struct Shared {
        var line = PlayerLine.silent
        var socket: MessageSocket?
        var path: String
    }

    private let shared: Mutex<Shared>
    private let log: ServiceLog

    /// - Parameter path: the socket's path; empty if there is none.
    ///
    /// Throws the reason why the socket cannot be made.
    init(_ path: String, log: ServiceLog) throws(MessageSocketError) {
        self.log = log
        shared = Mutex(Shared(socket: try PlayerSocket.socket(path, log), path: path))
    }

    /// A change that can no longer fail: its new socket, if it needs one, is open.
    struct Change: Sendable {
        fileprivate let path: String
        fileprivate let newSocket: MessageSocket?
    }

    /// Opens the socket that a new configuration needs. Throws the reason why that fails. The old socket goes
    /// on until ``commit(_:)``.
    func prepare(_ path: String) throws(MessageSocketError) -> Change {
        let isSame = shared.withLock { $0.path == path }
        return Change(path: path, newSocket: isSame ? nil : try PlayerSocket.socket(path, log))
    }

    /// Closes the old socket, if the path has changed; its players then fall silent.
    func commit(_ change: Change) async {
        let old = shared.withLock { shared -> MessageSocket? in
            guard shared.path != change.path else { return nil }
            defer { (shared.path, shared.socket) = (change.path, change.newSocket) }
            change.newSocket?.send(shared.line, toNewcomers: true)
            return shared.socket
        }
        await old?.close()
    }

    /// Closes the socket that was opened for a change.
    func abandon(_ change: Change) async { await change.newSocket?.close() }

    /// Tells all players a line.
    func send(_ line: String) {
        shared.withLock { shared in
            guard line != shared.line else { return }
            shared.line = line
            shared.socket?.send(line, toNewcomers: true)
        }
    }

    /// Closes the socket.
    func end() async {
        let socket = shared.withLock { shared in
            defer { (shared.path, shared.socket) = ("", nil) }
            return shared.socket
        }
        await socket?.close()
    }

    /// The number of players that are connected.
    var playerCount: Int { shared.withLock { $0.socket?.readerCount ?? 0 } }

    private static func socket(_ path: String, _ log: ServiceLog) throws(MessageSocketError) -> MessageSocket?
    {
        guard !path.isEmpty else { return nil }
        let socket = try MessageSocket(path, bufferByteCount: bufferByteCount, mode: mode, log: log)
        socket.send(PlayerLine.silent, toNewcomers: true)
        return socket
    }
}

extension BoxParts {
    /// Makes the real parts, with a medium that also tells players what it sends.
    static func telling(_ players: PlayerSocket) -> BoxParts {
        BoxParts(makeMedium: { configuration throws(BoxError) in
            var medium = try BoxParts.medium(of: configuration)
            medium.content = ObservedMedium(medium.content) { assignment in
                players.send(
                    PlayerLine.text(for: assignment.broadcast, settings: configuration.mediumSettings))
            }
            return medium
        })
    }
}

/// A medium that tells of each assignment before it carries it out.
struct ObservedMedium: MediumDriver {
    private let base: any MediumDriver
    private let tell: @Sendable (MediumAssignment) -> Void

    init(_ base: any MediumDriver, tell: @escaping @Sendable (MediumAssignment) -> Void) {
        (self.base, self.tell) = (base, tell)
    }

    var medium: Medium { base.medium }

    func events() -> AsyncStream<MediumEvent> { base.events() }

    func carryOut(_ assignment: MediumAssignment) async {
        tell(assignment)
        await base.carryOut(assignment)
    }
}
