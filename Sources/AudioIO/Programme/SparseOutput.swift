import Glibc

/// An output that turns long stretches of zeros into holes if it is a file: hours of silence take no room on
/// the disk.
final class SparseOutput {
    private let output: OutputFile
    private var isHoleAtEnd = false
    private static let holeBytes = 1 << 14

    /// Throws: the errors of ``OutputFile``.
    init(_ path: AudioPath, inputs: [AudioPath]) throws(AudioIOError) {
        output = try OutputFile(path, inputs: inputs)
    }

    var isRewindable: Bool { output.isRewindable }

    func write(_ bytes: [UInt8]) throws(AudioIOError) {
        guard !bytes.isEmpty else { return }
        isHoleAtEnd = isRewindable && SparseOutput.isSilent(bytes)
        if isHoleAtEnd {
            try output.descriptor.skip(bytes.count)
        } else {
            try output.descriptor.write(bytes)
        }
    }

    private static func isSilent(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= holeBytes, bytes[0] == 0 else { return false }
        return bytes.withUnsafeBytes { memcmp($0.baseAddress!, $0.baseAddress! + 1, $0.count - 1) == 0 }
    }

    /// Replaces the first bytes. Bytes that are written afterwards would follow them.
    func rewrite(_ bytes: [UInt8]) throws(AudioIOError) {
        try endHole()
        try output.descriptor.rewind()
        try output.descriptor.write(bytes)
    }

    func finish() throws(AudioIOError) {
        try endHole()
        try output.commit()
    }

    /// Completes a hole at the end: it exists only once the file has that length.
    private func endHole() throws(AudioIOError) {
        if isHoleAtEnd { try output.descriptor.extendToPosition() }
        isHoleAtEnd = false
    }
}

extension FileDescriptor {
    /// Leaves a hole of `count` bytes.
    fileprivate func skip(_ count: Int) throws(AudioIOError) {
        guard lseek(raw, off_t(count), SEEK_CUR) >= 0 else { throw writeFailure(errno) }
    }

    fileprivate func extendToPosition() throws(AudioIOError) {
        guard ftruncate(raw, lseek(raw, 0, SEEK_CUR)) == 0 else { throw writeFailure(errno) }
    }
}
