import Glibc

/// The beginning of the next of several streams in one file: the songs of a radio station (chained Ogg, RFC
/// 3533 §4), or recordings that were joined unchanged.
///
/// libsndfile reads the first stream and takes the next one for damage, or for the end.
struct StreamSeam {
    enum Format { case flac, ogg }

    /// The position of the first byte of the next stream, counted from the first byte of this one; `nil`
    /// until it is known.
    private(set) var place: Int?
    private let start: [(mask: UInt8, value: UInt8)]
    /// The number of bytes of a start that are also at the start of every Ogg page.
    private static let pageMarkBytes = 5
    /// True once a new chain may begin. The first pages of Ogg streams that sound together come in a row, so
    /// one of them begins a new chain only after another kind of page.
    private var isExpected: Bool

    init(_ format: Format) {
        switch format {
        case .flac:
            // The head of STREAMINFO, 34 bytes long (RFC 9639 §8). Its highest bit tells whether other blocks
            // follow.
            start = StreamSeam.exactly("fLaC".utf8) + [(0x7F, 0)] + StreamSeam.exactly([0, 0, 34])
            isExpected = true
        case .ogg:
            // Version 0, the flag of a first page, and no sound before it (RFC 3533 §6).
            start =
                StreamSeam.exactly("OggS\0".utf8) + [(2, 2)] + StreamSeam.exactly([0, 0, 0, 0, 0, 0, 0, 0])
            isExpected = false
        }
    }

    /// Searches a file before it is read, and restores its position.
    mutating func find(in stream: ByteStream) {
        guard stream.length != nil else { return }
        let base = stream.position
        while place == nil {
            let here = stream.position - base
            let bytes = stream.take(1 << 16)
            guard !bytes.isEmpty else { break }
            _ = bytes.withUnsafeBytes { cut($0, at: here, of: stream) }
        }
        _ = stream.move(to: base)
    }

    /// Returns how many of `count` bytes at `place` come before the seam, as far as it is known.
    func readable(_ count: Int, at place: Int) -> Int { max(0, min(count, (self.place ?? .max) - place)) }

    /// Searches bytes that were read at `place` for the seam, and puts back those behind it. Returns how many
    /// are left.
    mutating func cut(_ bytes: UnsafeRawBufferPointer, at place: Int, of stream: ByteStream) -> Int {
        guard self.place == nil else { return bytes.count }
        for n in bytes.indices
        where bytes[n] == start[0].value && place + n > 0 && isStart(bytes[n...], stream) {
            self.place = place + n
            stream.putBack(UnsafeRawBufferPointer(rebasing: bytes[n...]))
            return n
        }
        return bytes.count
    }

    private mutating func isStart(_ bytes: Slice<UnsafeRawBufferPointer>, _ stream: ByteStream) -> Bool {
        var head = Array(bytes.prefix(start.count))
        guard agreeing(head) >= min(head.count, StreamSeam.pageMarkBytes) else { return false }
        head += stream.peek(start.count - head.count)
        let agreeing = agreeing(head)
        if agreeing == StreamSeam.pageMarkBytes { isExpected = true }
        return agreeing == start.count && isExpected
    }

    /// Returns how many of the first bytes agree with a stream's start.
    private func agreeing(_ head: [UInt8]) -> Int {
        zip(head, start).prefix { $0 & $1.mask == $1.value }.count
    }

    private static func exactly(_ bytes: some Sequence<UInt8>) -> [(mask: UInt8, value: UInt8)] {
        bytes.map { (0xFF, $0) }
    }
}
