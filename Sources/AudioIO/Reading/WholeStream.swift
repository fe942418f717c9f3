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
    /// nil for a format that is read to its end, whatever was joined.
    private var seam: StreamSeam?
    private(set) var position = 0

    /// - Parameters:
    ///   - stream: stands at the first byte.
    ///   - following: how a stream begins that may follow this one, and is none of its bytes.
    init(
        _ stream: ByteStream, isEndless: Bool, patches: [(place: Int, bytes: [UInt8])] = [],
        following: StreamSeam.Format? = nil
    ) {
        (self.stream, self.isEndless, self.patches) = (stream, isEndless, patches)
        base = stream.position
        seam = following.map { StreamSeam($0) }
        // Only what is read in a row finds the seam on the way.
        if !isEndless { seam?.find(in: stream) }
    }

    var length: Int {
        guard !isEndless, let length = stream.length else { return SoundView.endless }
        return seam?.place ?? length - base
    }

    /// Goes to the first byte of the stream that follows this one. False when none does, as far as this one was read.
    func moveToNext() -> Bool {
        guard let place = seam?.place else { return false }
        return stream.move(to: base + place)
    }

    func move(to place: Int) -> Bool {
        guard place < SoundView.endless, stream.move(to: base + place) else { return false }
        position = place
        return true
    }

    func read(into bytes: UnsafeMutableRawPointer, count: Int) -> Int {
        guard stream.position == base + position || stream.move(to: base + position) else { return 0 }
        let wanted = seam?.readable(count, at: position) ?? count
        var done = stream.read(into: bytes, count: wanted)
        done = seam?.cut(UnsafeRawBufferPointer(start: bytes, count: done), at: position, of: stream) ?? done
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
