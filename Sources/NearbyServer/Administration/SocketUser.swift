import Glibc
import NIOCore
import NIOPosix

/// The Unix user at the other end of a Unix socket, as the kernel knows it.
struct SocketUser: Sendable {
    /// The kernel's `struct ucred`, which Glibc's module does not show to Swift.
    private struct Credentials {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    let id: UInt32
    /// The user's name; `nil` if the system knows none.
    let name: String?

    /// Asks the kernel who has opened a connection.
    ///
    /// - Throws: the kernel's error, for a channel that is no Unix socket.
    init(of channel: any Channel) async throws {
        guard let socket = channel as? any SocketOptionProvider else {
            throw ChannelError.operationUnsupported
        }
        let credentials: Credentials = try await socket.unsafeGetSocketOption(
            level: .socket, name: .init(rawValue: SO_PEERCRED)
        ).get()
        id = credentials.user
        name = SocketUser.name(of: credentials.user)
    }

    private static func name(of id: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            guard getpwuid_r(id, &entry, buffer.baseAddress!, buffer.count, &found) == 0, found != nil else {
                return nil
            }
            return String(cString: entry.pw_name)
        }
    }
}
