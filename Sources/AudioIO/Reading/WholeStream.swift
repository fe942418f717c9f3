/// All bytes of a file or a pipe, for the formats that libsndfile takes apart.
///
/// Formats that are read in a row, as FLAC, Ogg and MP3, are given no end: libsndfile then reads on for as long as
/// bytes come, and does not calculate the end from a header. (Of an MP3 of variable rate without a table of contents, its calculation
/// from the file's size loses 40 %.)
final class WholeStream: ViewedBytes {
    private let stream: ByteStream
    private let isEndless: Bool
    private let base: Int
    /// Bytes read as others: fields of headers that are not to be believed.
    private let patches: [(place: Int, bytes: [UInt8])]
    private(set) var position = 0

    /// - Parameter stream: stands at the first byte.
    init(_ stream: ByteStream, isEndless: Bool, patches: [(place: Int, bytes: [UInt8])] = []) {
        (self.stream, self.isEndless, self.patches) = (stream, isEndless, patches)
        base = stream.position
    }

    var length: Int {
        guard !isEndless, let length = stream.length else { return SoundView.endless }
        return length - base
    }

    func move(to place: Int) -> Bool {
        guard place < SoundView.endless, stream.move(to: base + place) else { return false }
        position = place
        return true
    }

    func read(into bytes: UnsafeMutableRawPointer, count: Int) -> Int {
        guard stream.position == base + position || stream.move(to: base + position) else { return 0 }
        let done = stream.read(into: bytes, count: count)
        for patch in patches {
            for (n, byte) in patch.bytes.enumerated()
            where (position..<position + done).contains(patch.place + n) {
                bytes.storeBytes(of: byte, toByteOffset: patch.place + n - position, as: UInt8.self)
            }
        }
        position += done
        return done
    }

    /// Bytes that no decoder asked for; of a pipe, which may never end, at most a megabyte is looked at.
    func drain() -> Int {
        guard stream.move(to: base + position) else { return 0 }
        return stream.left ?? stream.skip(1 << 20)
    }
}
