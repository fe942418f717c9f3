/// All bytes of a file or a pipe, for the formats that libsndfile parses.
///
/// Formats that are read in order, such as FLAC, Ogg and MP3, are given no end: libsndfile then reads on for
/// as long as bytes come, and does not calculate the end from a header. (For an MP3 of variable rate without
/// a table of contents, its calculation from the file's size loses 40 %.)
final class WholeStream: ViewedBytes {
    private let stream: ByteStream
    private let isEndless: Bool
    private let base: Int
    /// The bytes that are replaced when read: header fields that are not to be believed.
    private let patches: [(place: Int, bytes: [UInt8])]
    /// The search for the next stream; `nil` for a format that is read to its end, whatever was joined.
    private var seam: StreamSeam?
    private(set) var position = 0

    /// - Parameters:
    ///   - stream: a stream that stands at the first byte.
    ///   - following: the format of a stream that may follow this one and is not part of it.
    init(
        _ stream: ByteStream, isEndless: Bool, patches: [(place: Int, bytes: [UInt8])] = [],
        following: StreamSeam.Format? = nil
    ) {
        (self.stream, self.isEndless, self.patches) = (stream, isEndless, patches)
        base = stream.position
        seam = following.map { StreamSeam($0) }
        // Only a stream that is read in order finds the seam on the way.
        if !isEndless { seam?.find(in: stream) }
    }

    var length: Int {
        guard !isEndless, let length = stream.length else { return SoundView.endless }
        return seam?.place ?? length - base
    }

    /// Goes to the first byte of the stream that follows this one. Returns false if none is known so far.
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

    /// Returns the number of bytes that no decoder asked for; it examines at most a megabyte of a pipe, which
    /// may never end.
    func drain() -> Int {
        guard stream.move(to: base + position) else { return 0 }
        return stream.left ?? stream.skip(1 << 20)
    }
}
