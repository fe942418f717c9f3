import Glibc

/// An open file. It is closed when it is released, unless it is a standard stream.
final class FileDescriptor {
    let raw: Int32
    private let path: AudioPath
    private var isOwned: Bool

    init(_ raw: Int32, path: AudioPath, isOwned: Bool = true) {
        self.raw = raw
        self.path = path
        self.isOwned = isOwned
    }

    deinit {
        if isOwned { _ = Glibc.close(raw) }
    }

    /// Opens an input. A directory or a terminal is no input.
    static func input(_ path: AudioPath) throws(AudioIOError) -> FileDescriptor {
        let file: FileDescriptor
        switch path {
        case .standardStream:
            guard isatty(0) == 0 else {
                throw AudioIOError(
                    .noSuchInput, path, "standard input is a terminal; pipe a WAV into it or name a file")
            }
            // The descriptor is closed, or replaces a closed one (`ProcessConventions`).
            let mode = fcntl(0, F_GETFL)
            guard mode >= 0, mode & O_ACCMODE != O_WRONLY else {
                throw AudioIOError(
                    .noSuchInput, path, "standard input is closed; pipe a WAV into it or name a file")
            }
            file = FileDescriptor(0, path: path, isOwned: false)
        case .device:
            throw AudioIOError(.noSuchInput, path, "is a sound device, not a file")
        case .file(let name):
            let raw = open(name, O_RDONLY | O_CLOEXEC)
            guard raw >= 0 else { throw openFailure(path, errno) }
            file = FileDescriptor(raw, path: path)
        }
        guard let status = file.status else {
            throw AudioIOError(.noSuchInput, path, "cannot be read: \(SystemError.text(errno))")
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw AudioIOError(.noSuchInput, path, "is a directory; name a sound file in it")
        }
        return file
    }

    private static func openFailure(_ path: AudioPath, _ code: Int32) -> AudioIOError {
        switch code {
        case ENOENT, ENOTDIR: AudioIOError(.noSuchInput, path, "no such file; check the name")
        case EACCES, EPERM: AudioIOError(.noPermission, path, "no permission to read it")
        case EIO: AudioIOError(.inputOutput, path, "cannot be opened: \(SystemError.text(code))")
        default: AudioIOError(.noSuchInput, path, "cannot be opened: \(SystemError.text(code))")
        }
    }

    /// The result of `fstat`; `nil` if the descriptor is closed.
    var status: stat? {
        var status = stat()
        return fstat(raw, &status) == 0 ? status : nil
    }

    /// True if the position can be set: false for pipes and sockets.
    var isSeekable: Bool { lseek(raw, 0, SEEK_CUR) >= 0 }

    /// Writes all bytes, in as many calls as that takes.
    func write(_ bytes: [UInt8]) throws(AudioIOError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(raw, $0.baseAddress! + done, bytes.count - done)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw writeFailure(count == 0 ? EIO : errno) }
            done += count
        }
    }

    /// Goes back to the first byte.
    func rewind() throws(AudioIOError) {
        guard lseek(raw, 0, SEEK_SET) == 0 else { throw writeFailure(errno) }
    }

    /// Closes the file now, so that an error that the system kept until the end is reported.
    func close() throws(AudioIOError) {
        guard isOwned else { return }
        isOwned = false
        guard Glibc.close(raw) == 0 else { throw writeFailure(errno) }
    }

    func writeFailure(_ code: Int32) -> AudioIOError {
        if code == EPIPE, case .standardStream = path {
            return AudioIOError(.readerGone, path, "its reader has gone")
        }
        let advice = code == ENOSPC || code == EDQUOT ? "; free some space or write elsewhere" : ""
        return AudioIOError(.inputOutput, path, "writing failed: \(SystemError.text(code))\(advice)")
    }
}
