import Glibc

/// The bytes of a file or a pipe in order, with look-ahead.
final class ByteInput {
    let path: AudioPath
    /// The number of bytes of the whole; `nil` if only the end tells, as for a pipe.
    let byteCount: Int?
    private let file: FileDescriptor
    /// The position in the file at which reading began.
    private let origin: off_t
    private var ahead: [UInt8] = []
    /// The number of bytes from which a read checks for a hole.
    private static let holeBytes = 1 << 16
    /// Linux's `SEEK_DATA`, which Swift does not import.
    private static let seekData: Int32 = 3
    /// The number of bytes that have been read.
    private(set) var position = 0

    /// Throws: the errors of ``FileDescriptor/input(_:)``.
    init(_ path: AudioPath) throws(AudioIOError) {
        self.path = path
        file = try FileDescriptor.input(path)
        let place = lseek(file.raw, 0, SEEK_CUR)
        origin = max(0, place)
        if place >= 0, let status = file.status, status.st_mode & S_IFMT == S_IFREG {
            byteCount = max(0, Int(status.st_size - origin))
        } else {
            byteCount = nil
        }
    }

    /// Appends the next `count` bytes, fewer only at the end. Returns how many.
    func read(_ count: Int, appendingTo bytes: inout [UInt8]) throws(AudioIOError) -> Int {
        let start = bytes.count
        let known = min(count, ahead.count)
        bytes += ahead[..<known]
        ahead.removeFirst(known)
        if count > known {
            bytes.reserveCapacity(start + count)
            try readFile(start + count, &bytes)
        }
        position += bytes.count - start
        return bytes.count - start
    }

    /// Returns the next `count` bytes, fewer only at the end, without consuming them.
    func peek(_ count: Int) throws(AudioIOError) -> [UInt8] {
        if ahead.count < count { try readFile(count, &ahead) }
        return Array(ahead.prefix(count))
    }

    /// Puts back bytes that were read last.
    func putBack(_ bytes: [UInt8]) {
        ahead = bytes + ahead
        position -= bytes.count
    }

    /// Returns `count` bytes at any place in a file; `nil` beyond its end, and always for a pipe.
    func bytes(at place: Int, count: Int) -> [UInt8]? {
        guard byteCount != nil else { return nil }
        return file.bytes(at: Int(origin) + place, count: count)
    }

    /// Returns a descriptor for a library that seeks: the file's, at its beginning, or that of a temporary
    /// copy of a pipe's bytes.
    func seekable() throws(AudioIOError) -> FileDescriptor {
        if byteCount != nil {
            guard lseek(file.raw, origin, SEEK_SET) >= 0 else {
                throw AudioIOError(.inputOutput, path, "reading failed: \(SystemError.text(errno))")
            }
            return file
        }
        let copy = try OutputFile.temporary(path)
        var block: [UInt8] = []
        while try read(1 << 16, appendingTo: &block) > 0 {
            try copy.write(block)
            block.removeAll(keepingCapacity: true)
        }
        try copy.rewind()
        return copy
    }

    /// Returns true if the next `count` bytes of a file lie in a hole, and so are zero. They then count as
    /// read.
    private func skipHole(_ count: Int) -> Bool {
        guard let byteCount, count >= ByteInput.holeBytes else { return false }
        let place = lseek(file.raw, 0, SEEK_CUR)
        let end = origin + off_t(byteCount)
        guard place >= 0, place + off_t(count) <= end else { return false }
        var data = lseek(file.raw, place, ByteInput.seekData)
        if data < 0, errno == ENXIO { data = end }
        let isHole = data >= place + off_t(count)
        return lseek(file.raw, isHole ? place + off_t(count) : place, SEEK_SET) >= 0 && isHole
    }

    /// Fills `bytes` up to `count` bytes, as far as the file goes.
    private func readFile(_ count: Int, _ bytes: inout [UInt8]) throws(AudioIOError) {
        var filled = bytes.count
        bytes += [UInt8](repeating: 0, count: count - filled)
        if skipHole(count - filled) { return }
        var code: Int32 = 0
        bytes.withUnsafeMutableBytes { room in
            while filled < count {
                let got = Glibc.read(file.raw, room.baseAddress! + filled, count - filled)
                if got < 0, errno == EINTR { continue }
                if got < 0 { code = errno }
                guard got > 0 else { break }
                filled += got
            }
        }
        bytes.removeLast(count - filled)
        guard code == 0 else {
            throw AudioIOError(.inputOutput, path, "reading failed: \(SystemError.text(code))")
        }
    }
}

extension FileDescriptor {
    /// Returns `count` bytes at a place, counted from the first byte; `nil` beyond the end.
    func bytes(at place: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(raw, &bytes, count, off_t(place)) == count ? bytes : nil
    }
}
