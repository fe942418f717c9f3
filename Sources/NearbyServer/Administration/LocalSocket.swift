import Glibc

/// The path of a Unix socket that only its user and root may open. The socket appears there with mode 0600,
/// in one step, in place of one that a killed program left behind.
///
///     bind in a folder that only this user may enter ─→ chmod 0600 ─→ rename to the path
package struct LocalSocket: Sendable {
    /// The longest path of a Unix socket, without the zero at its end.
    private static let longestPath = 107

    let path: String
    /// The option that names the path, for errors.
    private let option: String
    /// The folder in which the socket is bound.
    private let folder: String
    package var temporaryPath: String { "\(folder)/s" }

    /// Checks that a socket can be made at a path, and makes a folder beside it to bind it in.
    ///
    /// - Throws: ``AdministrationProblem`` if another program answers there, if something else than a socket
    ///   lies there, or if the folder is missing or not to be written.
    package init(_ path: String, option: String) throws(AdministrationProblem) {
        try LocalSocket.check(path, option: option)
        let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var template = Array("\(parent)/.nbXXXXXX".utf8CString)
        guard template.count + 1 <= LocalSocket.longestPath else {
            throw AdministrationProblem(
                "\(path): a path this long has no room for a socket: choose a shorter \(option)")
        }
        guard let made = mkdtemp(&template) else { throw LocalSocket.problem(path, option, errno) }
        (self.path, self.option, folder) = (path, option, String(cString: made))
    }

    /// Checks that a server could listen there.
    static func check(_ path: String, option: String) throws(AdministrationProblem) {
        guard (1...longestPath).contains(path.utf8.count) else {
            throw AdministrationProblem(
                "\(path): a socket's path has 1 to \(longestPath) bytes: choose another \(option)")
        }
        var state = stat()
        guard lstat(path, &state) == 0 else {
            guard errno == ENOENT else { throw problem(path, option, errno) }
            return
        }
        guard state.st_mode & S_IFMT == S_IFSOCK else {
            throw AdministrationProblem("\(path): is there, and no socket: choose another \(option)")
        }
        switch answer(at: path) {
        case ECONNREFUSED: return
        case EACCES, EPERM: throw problem(path, option, EACCES)
        default:
            throw AdministrationProblem(
                "\(path): another program answers there: end it, or choose another \(option)")
        }
    }

    /// Returns 0 if a program listens at the socket, or the error number of the attempt to connect.
    private static func answer(at path: String) -> CInt {
        let socket = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { return errno }
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return status == 0 ? 0 : errno
    }

    private static func problem(_ path: String, _ option: String, _ code: CInt) -> AdministrationProblem {
        AdministrationProblem(
            "\(path): no socket can be made there: \(String(cString: strerror(code))): choose another \(option)",
            isOfPermission: code == EACCES || code == EPERM)
    }

    /// Moves the bound socket to its path. From now on clients find it.
    package func publish() throws(AdministrationProblem) {
        guard chmod(temporaryPath, 0o600) == 0, rename(temporaryPath, path) == 0 else {
            throw LocalSocket.problem(path, option, errno)
        }
    }

    /// Removes the temporary folder.
    package func clean() {
        unlink(temporaryPath)
        rmdir(folder)
    }

    /// The file at the path, by which a server tells its own socket from another server's.
    package func inode() -> UInt64? {
        var state = stat()
        return lstat(path, &state) == 0 ? UInt64(state.st_ino) : nil
    }

    /// Removes the socket, unless another server has put its own there.
    package func remove(inode: UInt64?) {
        if let inode, self.inode() == inode { unlink(path) }
    }
}
