import Glibc

/// A WAV file that is whole at any moment, except for its last seconds: samples are appended, and now and
/// then the header is updated with their number. Two threads must not use it at once.
final class GrowingFile: @unchecked Sendable {
    private let path: AudioPath
    private let descriptor: Int32
    /// False for a pipe or a device, whose header is never corrected.
    private let isRegular: Bool
    /// True if this object made the file, which is then removed if nothing was recorded.
    private let isNew: Bool
    /// The header; `nil` until the recording begins.
    private var header: GrowingHeader?
    /// The number of bytes of samples in the file.
    private(set) var dataBytes = 0

    /// Opens or makes the file, and changes nothing in it yet.
    ///
    /// Throws: `.noPermission`; `.cannotCreate`, also if another program records into it.
    init(_ path: AudioPath) throws(AudioIOError) {
        guard case .file(let name) = path else {
            throw AudioIOError(.cannotCreate, path, "is no name for a recording; name a file")
        }
        self.path = path
        let flags = O_WRONLY | O_CLOEXEC
        let made = open(name, flags | O_CREAT | O_EXCL, 0o666)
        let descriptor = made < 0 && errno == EEXIST ? open(name, flags | O_CREAT, 0o666) : made
        guard descriptor >= 0 else { throw GrowingFile.openFailure(path, errno) }
        (self.descriptor, isNew) = (descriptor, made >= 0)
        var status = stat()
        fstat(descriptor, &status)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        guard !isRegular || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw AudioIOError(.cannotCreate, path, "another program records into it; name another file")
        }
    }

    deinit {
        if isNew, header == nil, case .file(let name) = path { unlink(name) }
        close(descriptor)
    }

    /// Removes the file's contents, and writes the header of an empty recording. Throws: `.inputOutput`.
    func begin(_ header: GrowingHeader) throws(AudioIOError) {
        self.header = header
        guard isRegular else { return try write(header.unendingBytes) }
        guard ftruncate(descriptor, 0) == 0 else { throw writeFailure(errno) }
        try writeHeader()
        lseek(descriptor, Int(GrowingHeader.byteCount), SEEK_SET)
    }

    /// Writes whole frames. Throws: `.inputOutput`; the file then holds as many of them as there was room
    /// for.
    func append(_ bytes: [UInt8]) throws(AudioIOError) {
        let before = dataBytes
        do {
            try write(bytes) { dataBytes = before + $0 }
        } catch {
            if let header { dataBytes -= dataBytes % header.bytesPerFrame }
            throw error
        }
    }

    /// Writes a piece of the recording, in whole frames. Silence takes no room on a disk that supports holes.
    ///
    /// Throws: `.inputOutput`; the file then holds as much of it as there was room for.
    func append(_ piece: RecordingQueue.Piece) throws(AudioIOError) {
        switch piece {
        case .sound(let bytes): try append(bytes)
        case .silence(let byteCount) where isRegular:
            let end = lseek(descriptor, off_t(byteCount), SEEK_CUR)
            guard end >= 0, ftruncate(descriptor, end) == 0 else { throw writeFailure(errno) }
            dataBytes += byteCount
        case .silence(var byteCount):
            while byteCount > 0 {
                let part = min(byteCount, GrowingFile.silencePartBytes)
                try append([UInt8](repeating: 0, count: part))
                byteCount -= part
            }
        }
    }

    /// The number of bytes of silence that are written to a pipe at once.
    private static let silencePartBytes = 1 << 16

    /// Makes sure that the samples are on the disk, and then updates the header. Throws: `.inputOutput`.
    func settle() throws(AudioIOError) {
        guard isRegular else { return }
        // The samples come first: after a power cut the header must not promise samples that are not there.
        guard fdatasync(descriptor) == 0 || errno == EINVAL else { throw writeFailure(errno) }
        try writeHeader()
    }

    /// Settles for the last time: removes an incomplete frame, and pads to an even length as chunks require.
    /// Throws: `.inputOutput`.
    func finish() throws(AudioIOError) {
        guard isRegular else { return }
        let end = Int(GrowingHeader.byteCount + dataBytes)
        guard ftruncate(descriptor, end) == 0 else { throw writeFailure(errno) }
        // On a full disk the padding byte may be missing.
        if dataBytes % 2 == 1 { _ = pwrite(descriptor, [0], 1, end) }
        try settle()
        guard fdatasync(descriptor) == 0 || errno == EINVAL else { throw writeFailure(errno) }
    }

    /// Writes the header in one call, so that a killed program leaves the old header or the new one.
    private func writeHeader() throws(AudioIOError) {
        guard let bytes = header?.bytes(dataBytes: dataBytes) else { return }
        let count = pwrite(descriptor, bytes, bytes.count, 0)
        guard count == bytes.count else { throw writeFailure(count < 0 ? errno : ENOSPC) }
    }

    /// - Parameter written: a function that is called with the number of bytes written so far.
    private func write(_ bytes: [UInt8], written: (Int) -> Void = { _ in }) throws(AudioIOError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw writeFailure(count == 0 ? EIO : errno) }
            done += count
            written(done)
        }
    }

    private func writeFailure(_ code: Int32) -> AudioIOError {
        let reason =
            switch code {
            case ENOSPC: "the disk is full"
            case EDQUOT: "your quota of the disk is used up"
            case EFBIG: "the file may not become larger (ulimit -f, or the file system's limit)"
            case EPIPE: "its reader has gone"
            default: SystemError.text(code)
            }
        return AudioIOError(.inputOutput, path, reason)
    }

    private static func openFailure(_ path: AudioPath, _ code: Int32) -> AudioIOError {
        switch code {
        case EACCES, EPERM:
            AudioIOError(.noPermission, path, "no permission to write there; name another folder")
        case EROFS: AudioIOError(.cannotCreate, path, "its file system is read-only; name another folder")
        case EISDIR: AudioIOError(.cannotCreate, path, "is a directory; name a file in it")
        default: OutputFile.createFailure(path, code)
        }
    }
}
