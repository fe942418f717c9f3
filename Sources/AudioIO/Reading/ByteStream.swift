import Glibc

/// The bytes of a file or a pipe, from the position of its descriptor on. A file can be read in any order;
/// the first megabyte of a pipe is kept until ``release()``, so that a header can be read twice.
final class ByteStream {
    /// The number of bytes in a regular file from the first one that is read; `nil` for a pipe or a device,
    /// whose end is unknown.
    let length: Int?
    /// The number of bytes before the next one to read.
    private(set) var position = 0
    /// The system's error number of a failed read; 0 until one fails.
    private(set) var errorNumber: Int32 = 0

    private let file: FileDescriptor
    private let base: Int
    private var window: [UInt8] = []
    private var windowStart = 0
    private var isKeeping = true
    private static let mostKept = 1 << 20
    /// The last part of a file that was read, and how much of it is there: few large reads cost less than the
    /// many small ones that decoders ask for.
    private var part: [UInt8] = []
    private var partStart = 0
    private var partCount = 0
    private static let partBytes = 1 << 16

    init(_ file: FileDescriptor) {
        self.file = file
        base = max(0, Int(lseek(file.raw, 0, SEEK_CUR)))
        // The kernel's own files have a size of 0 but do have contents.
        if let status = file.status, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
            length = max(0, Int(status.st_size) - base)
        } else {
            length = nil
        }
    }

    /// The number of bytes that are still to come; `nil` if it is unknown.
    var left: Int? { length.map { max(0, $0 - position) } }

    /// Reads until `count` bytes are there or no more come, and returns how many.
    func read(into bytes: UnsafeMutableRawPointer, count: Int) -> Int {
        var done = 0
        while done < count {
            let some = readSome(into: bytes + done, count: count - done)
            guard some > 0 else { break }
            done += some
        }
        return done
    }

    /// Returns the next bytes, fewer at the end, without consuming them.
    func peek(_ count: Int) -> [UInt8] {
        guard length == nil else {
            let start = position
            defer { position = start }
            return take(count)
        }
        fillWindow(to: position + count)
        let first = position - windowStart
        return Array(window[min(first, window.count)..<min(first + count, window.count)])
    }

    /// Consumes and returns the next bytes, fewer at the end.
    func take(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = buffer.baseAddress.map { read(into: $0, count: count) } ?? 0
        }
    }

    /// Skips bytes, and returns how many there were.
    @discardableResult func skip(_ count: Int) -> Int {
        guard length == nil else {
            let start = position
            position = min(position + max(0, count), max(position, length ?? 0))
            return position - start
        }
        var done = 0
        while done < count {
            let some = take(min(count - done, 1 << 16)).count
            guard some > 0 else { break }
            done += some
        }
        return done
    }

    /// Goes to a place in a file, or in the kept part of a pipe. Returns false if that is impossible.
    func move(to place: Int) -> Bool {
        guard length == nil else {
            position = max(0, place)
            return true
        }
        if place > windowStart + window.count, isKeeping, place <= ByteStream.mostKept {
            fillWindow(to: place)
        }
        guard (windowStart...windowStart + window.count).contains(place) else { return place == position }
        position = place
        return true
    }

    /// Puts back the last bytes that were read.
    func putBack(_ bytes: UnsafeRawBufferPointer) {
        if length == nil, position - windowStart < bytes.count || window.count < position - windowStart {
            window.removeFirst(min(window.count, position - windowStart))
            window.insert(contentsOf: bytes, at: 0)
            windowStart = position - bytes.count
        }
        position -= bytes.count
    }

    /// Keeps a pipe's bytes from now on, so that it can go back to here.
    func hold() {
        isKeeping = true
        keepFromHere()
    }

    /// Drops a pipe's kept bytes before this position.
    func keepFromHere() {
        window.removeFirst(min(window.count, position - windowStart))
        windowStart = position
    }

    /// Keeps no more bytes of a pipe, so that there is no way back.
    func release() { isKeeping = false }

    private func readSome(into bytes: UnsafeMutableRawPointer, count: Int) -> Int {
        if length == nil {
            if isKeeping && position - windowStart == window.count { fillWindow(to: position + count) }
            let first = position - windowStart
            if first < window.count {
                let some = min(count, window.count - first)
                window.withUnsafeBytes { bytes.copyMemory(from: $0.baseAddress! + first, byteCount: some) }
                position += some
                return some
            }
            if isKeeping && window.count < ByteStream.mostKept { return 0 }
        }
        let some = readFile(into: bytes, count: count)
        position += some
        return some
    }

    /// Reads ahead up to `end`, or as far as the pipe goes.
    private func fillWindow(to end: Int) {
        if !isKeeping {
            window.removeFirst(min(window.count, position - windowStart))
            windowStart = position
        }
        var fresh = [UInt8](repeating: 0, count: 1 << 16)
        while windowStart + window.count < end {
            if isKeeping && window.count >= ByteStream.mostKept { return }
            let wanted = min(fresh.count, end - windowStart - window.count)
            let some = fresh.withUnsafeMutableBytes { readFile(into: $0.baseAddress!, count: wanted) }
            guard some > 0 else { return }
            window += fresh[..<some]
        }
    }

    /// Reads once; returns 0 at the end, and after an error.
    private func readFile(into bytes: UnsafeMutableRawPointer, count: Int) -> Int {
        guard length != nil, count < ByteStream.partBytes else {
            return readSystem(into: bytes, count: count)
        }
        if position < partStart || position >= partStart + partCount { readPart() }
        let some = min(count, partStart + partCount - position)
        part.withUnsafeBytes { part in
            guard let start = part.baseAddress else { return }
            bytes.copyMemory(from: start + (position - partStart), byteCount: some)
        }
        return some
    }

    private func readPart() {
        if part.isEmpty { part = [UInt8](repeating: 0, count: ByteStream.partBytes) }
        partStart = position
        partCount = part.withUnsafeMutableBytes { readSystem(into: $0.baseAddress!, count: $0.count) }
    }

    private func readSystem(into bytes: UnsafeMutableRawPointer, count: Int) -> Int {
        guard errorNumber == 0 else { return 0 }
        while true {
            let some =
                length == nil
                ? Glibc.read(file.raw, bytes, count) : pread(file.raw, bytes, count, off_t(base + position))
            if some >= 0 { return some }
            guard errno == EINTR else {
                errorNumber = errno
                return 0
            }
        }
    }
}
