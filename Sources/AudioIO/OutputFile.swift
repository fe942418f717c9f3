import Glibc

/// A file that appears whole or not at all. It is written without a name, or under a hidden one in the same
/// directory, and ``commit()`` gives it its name.
///
/// Without a name (`O_TMPFILE`) even a killed program leaves nothing behind. On file systems that cannot do
/// that it has a hidden name `.nearby-….part`, which is removed in every case but a kill. It takes over the
/// mode, and where the system allows it the owner, of a file that it replaces.
package final class OutputFile {
    let descriptor: FileDescriptor
    private let path: AudioPath
    /// The name to take; `nil` if the bytes go straight to a stream or a device.
    private let target: String?
    /// The hidden name; `nil` while the file has none.
    private var hiddenName: String?
    /// The file that has the name now; `nil` if there is none.
    private let replaced: ReplacedFile?

    /// - Parameter inputs: every file that the same command reads; ``requireDistinct(_:from:)`` checks them.
    ///
    /// Throws: `.wouldReplaceInput`; `.cannotCreate` or `.noPermission` if there can be no file of that name.
    package init(_ path: AudioPath, inputs: [AudioPath]) throws(AudioIOError) {
        self.path = path
        try OutputFile.requireDistinct(path, from: inputs)
        let existing = try OutputFile.existing(path)
        if case .stream(let stream) = existing {
            (descriptor, target, hiddenName, replaced) = (stream, nil, nil, nil)
            return
        }
        guard case .file(let name) = path else { preconditionFailure("only a file has a name to take") }
        if case .file(let file) = existing { replaced = file } else { replaced = nil }
        // A link keeps its name: the file it points to is replaced.
        let target = OutputFile.resolved(name)
        let directory = OutputFile.directory(of: target)
        let mode: mode_t = replaced == nil ? 0o666 : 0o600
        let unnamed = open(directory, OutputFile.temporaryFlag | O_WRONLY | O_CLOEXEC, mode)
        if unnamed >= 0 {
            (descriptor, hiddenName) = (FileDescriptor(unnamed, path: path), nil)
        } else {
            let hidden = OutputFile.makeHiddenName(in: directory)
            let raw = open(hidden, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
            guard raw >= 0 else { throw OutputFile.createFailure(path, errno) }
            (descriptor, hiddenName) = (FileDescriptor(raw, path: path), hidden)
        }
        self.target = target
    }

    /// True if the output begins at the file's first byte; false for a stream, where that is unknown.
    var isRewindable: Bool { target != nil }

    deinit {
        if let hiddenName { unlink(hiddenName) }
    }

    /// Appends all bytes to those that were written before.
    package func write(_ bytes: [UInt8]) throws(AudioIOError) { try descriptor.write(bytes) }

    /// Gives the finished file its name, and replaces a file of that name.
    package func commit() throws(AudioIOError) {
        guard let target else { return try descriptor.close() }
        if hiddenName == nil {
            // A link cannot replace a file but a rename can, so the file gets a hidden name first.
            let hidden = OutputFile.makeHiddenName(in: OutputFile.directory(of: target))
            let own = "/proc/self/fd/\(descriptor.raw)"
            guard linkat(AT_FDCWD, own, AT_FDCWD, hidden, AT_SYMLINK_FOLLOW) == 0 else {
                throw OutputFile.createFailure(path, errno)
            }
            hiddenName = hidden
        }
        guard replaced?.handDown(to: descriptor.raw) ?? true else {
            throw OutputFile.createFailure(path, errno)
        }
        try descriptor.close()
        guard let hiddenName, rename(hiddenName, target) == 0 else {
            throw OutputFile.createFailure(path, errno)
        }
        self.hiddenName = nil
    }
}

extension OutputFile {
    /// Linux's `__O_TMPFILE | O_DIRECTORY`, a macro Swift does not import.
    private static var temporaryFlag: Int32 { 0o20_000_000 | O_DIRECTORY }

    /// The present owner of the name.
    private enum Existing {
        case nothing
        case file(ReplacedFile)
        /// A pipe, a device or an open descriptor: it is written to directly.
        case stream(FileDescriptor)
    }

    /// Throws: `.cannotCreate` or `.noPermission` if it can be neither replaced nor written to.
    private static func existing(_ path: AudioPath) throws(AudioIOError) -> Existing {
        if case .device = path { throw AudioIOError(.cannotCreate, path, "is a sound device, not a file") }
        guard case .file(let name) = path, name != "/dev/stdout" else {
            guard isatty(1) == 0 else {
                throw AudioIOError(
                    .cannotCreate, path, "standard output is a terminal; send it to a pipe or name a file")
            }
            return .stream(FileDescriptor(1, path: path, isOwned: false))
        }
        if let number = descriptorNumber(name) {
            let raw = fcntl(number, F_DUPFD_CLOEXEC, 0)
            guard raw >= 0 else { throw createFailure(path, errno) }
            return .stream(FileDescriptor(raw, path: path))
        }
        var status = stat()
        guard stat(name, &status) == 0 else {
            if errno == ENOENT && !name.isEmpty { return .nothing }
            throw createFailure(path, errno)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw AudioIOError(.cannotCreate, path, "is a directory; name a file in it")
        case S_IFREG:
            guard access(name, W_OK) == 0 else { throw createFailure(path, errno) }
            return .file(ReplacedFile(status))
        default:
            let raw = open(name, O_WRONLY | O_CLOEXEC)
            guard raw >= 0 else { throw createFailure(path, errno) }
            return .stream(FileDescriptor(raw, path: path))
        }
    }

    /// Returns 3 for `/dev/fd/3`, the shell's name for a descriptor that the command was given.
    private static func descriptorNumber(_ name: String) -> Int32? {
        for folder in ["/dev/fd/", "/proc/self/fd/"] where name.hasPrefix(folder) {
            return Int32(name.dropFirst(folder.count))
        }
        return nil
    }

    /// Returns true if the output is written to directly: standard output, an open descriptor, a pipe or a
    /// device.
    static func isStream(_ path: AudioPath) -> Bool {
        guard case .file(let name) = path, name != "/dev/stdout", descriptorNumber(name) == nil else {
            return true
        }
        var status = stat()
        return stat(name, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Creates a file without a name, for writing and reading; it vanishes when it is released.
    ///
    /// - Parameter path: the path that errors name.
    static func temporary(_ path: AudioPath) throws(AudioIOError) -> FileDescriptor {
        let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let raw = open(directory, temporaryFlag | O_RDWR | O_CLOEXEC, 0o600)
        guard raw >= 0 else {
            throw AudioIOError(
                .inputOutput, path,
                "cannot be kept in \(directory): \(SystemError.text(errno)); save it to a file first")
        }
        return FileDescriptor(raw, path: path)
    }

    /// Returns the name to write: the target of all links, even if that file does not exist yet.
    private static func resolved(_ name: String) -> String {
        if let real = realpath(name) { return real }
        var name = name
        for _ in 0..<mostLinks {
            guard let next = readlink(name) else { break }
            name = next.utf8.first == UInt8(ascii: "/") ? next : "\(directory(of: name))/\(next)"
        }
        return name
    }

    /// Linux's limit on links.
    private static let mostLinks = 40

    /// Returns the directory of a name. It compares bytes: a character may be a slash together with the
    /// accent that the next name begins with.
    private static func directory(of name: String) -> String {
        guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }

    private static func makeHiddenName(in directory: String) -> String {
        "\(directory)/.nearby-\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
    }

    static func createFailure(_ path: AudioPath, _ code: Int32) -> AudioIOError {
        switch code {
        case EACCES, EPERM: AudioIOError(.noPermission, path, "no permission to write there")
        case ENOENT, ENOTDIR: AudioIOError(.cannotCreate, path, "no such directory; create it first")
        default: AudioIOError(.cannotCreate, path, "cannot be created: \(SystemError.text(code))")
        }
    }
}
