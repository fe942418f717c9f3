import Glibc

/// A file that is there whole or not at all: written without a name, or under a hidden one in the same
/// directory, and given its name by ``commit()``.
///
/// Without a name (`O_TMPFILE`) even a killed program leaves nothing behind. File systems that cannot do that get
/// a hidden `.nearby-….part`, removed on every way out but a kill.
package final class OutputFile {
    let descriptor: FileDescriptor
    private let path: AudioPath
    /// The name to take; nil when writing goes straight to a stream or a device.
    private let target: String?
    /// The hidden name; nil while the file has none.
    private var hiddenName: String?

    /// Throws: `.cannotCreate` or `.noPermission` when there can be no file of that name.
    package init(_ path: AudioPath) throws(AudioIOError) {
        self.path = path
        if case .device = path { throw AudioIOError(.cannotCreate, path, "is a sound device, not a file") }
        guard case .file(let name) = path else {
            guard isatty(1) == 0 else {
                throw AudioIOError(
                    .cannotCreate, path, "standard output is a terminal; send it to a pipe or name a file")
            }
            (descriptor, target, hiddenName) = (FileDescriptor(1, path: path, isOwned: false), nil, nil)
            return
        }
        if let device = try OutputFile.openExisting(name, path) {
            (descriptor, target, hiddenName) = (device, nil, nil)
            return
        }
        // A link keeps its name: the file it points to is replaced.
        let target = OutputFile.resolved(name)
        let directory = OutputFile.directory(of: target)
        let unnamed = open(directory, OutputFile.temporaryFlag | O_WRONLY | O_CLOEXEC, 0o666)
        if unnamed >= 0 {
            (descriptor, hiddenName) = (FileDescriptor(unnamed, path: path), nil)
        } else {
            let hidden = OutputFile.makeHiddenName(in: directory)
            let raw = open(hidden, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
            guard raw >= 0 else { throw OutputFile.createFailure(path, errno) }
            (descriptor, hiddenName) = (FileDescriptor(raw, path: path), hidden)
        }
        self.target = target
    }

    /// Whether what is written begins at the file's first byte: of a stream nobody knows.
    var isRewindable: Bool { target != nil }

    deinit {
        if let hiddenName { unlink(hiddenName) }
    }

    /// Writes all of it after what was written before.
    package func write(_ bytes: [UInt8]) throws(AudioIOError) { try descriptor.write(bytes) }

    /// Gives the finished file its name, replacing one that was there.
    package func commit() throws(AudioIOError) {
        guard let target else { return try descriptor.close() }
        if hiddenName == nil {
            // A link cannot replace a file, a rename can: hence the name in between.
            let hidden = OutputFile.makeHiddenName(in: OutputFile.directory(of: target))
            let own = "/proc/self/fd/\(descriptor.raw)"
            guard linkat(AT_FDCWD, own, AT_FDCWD, hidden, AT_SYMLINK_FOLLOW) == 0 else {
                throw OutputFile.createFailure(path, errno)
            }
            hiddenName = hidden
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

    /// What already stands there: a pipe or a device is opened to be written to directly; a file must be writable.
    private static func openExisting(
        _ name: String, _ path: AudioPath
    ) throws(AudioIOError) -> FileDescriptor? {
        var status = stat()
        guard stat(name, &status) == 0 else {
            if errno == ENOENT && !name.isEmpty { return nil }
            throw createFailure(path, errno)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw AudioIOError(.cannotCreate, path, "is a directory; name a file in it")
        case S_IFREG:
            guard access(name, W_OK) == 0 else { throw createFailure(path, errno) }
            return nil
        default:
            let raw = open(name, O_WRONLY | O_CLOEXEC)
            guard raw >= 0 else { throw createFailure(path, errno) }
            return FileDescriptor(raw, path: path)
        }
    }

    private static func resolved(_ name: String) -> String {
        guard let real = realpath(name, nil) else { return name }
        defer { free(real) }
        return String(cString: real)
    }

    private static func directory(of name: String) -> String {
        guard let slash = name.lastIndex(of: "/") else { return "." }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }

    private static func makeHiddenName(in directory: String) -> String {
        "\(directory)/.nearby-\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
    }

    private static func createFailure(_ path: AudioPath, _ code: Int32) -> AudioIOError {
        switch code {
        case EACCES, EPERM: AudioIOError(.noPermission, path, "no permission to write there")
        case ENOENT, ENOTDIR: AudioIOError(.cannotCreate, path, "no such directory; create it first")
        default: AudioIOError(.cannotCreate, path, "cannot be created: \(SystemError.text(code))")
        }
    }
}
