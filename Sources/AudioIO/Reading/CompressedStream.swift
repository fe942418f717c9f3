/// The view of a compressed recording that hides its announced length from libsndfile, which would stop
/// there, whatever comes after.
enum CompressedStream {
    /// Returns the view of a stream that stands at its first byte, for libsndfile to parse.
    static func view(_ stream: ByteStream) -> WholeStream {
        skipTags(stream)
        let bytes = stream.peek(256)
        if bytes.starts(with: "fLaC".utf8) {
            return WholeStream(stream, isEndless: true, patches: flacPatches(bytes), following: .flac)
        }
        if isMP3(bytes) {
            return WholeStream(stream, isEndless: true, patches: mp3Patches(bytes, stream.left))
        }
        let following: StreamSeam.Format? = bytes.starts(with: "OggS".utf8) ? .ogg : nil
        return WholeStream(stream, isEndless: stream.length == nil, following: following)
    }

    /// Skips ID3 tags: libsndfile loses its place behind one if it does not read the file itself.
    private static func skipTags(_ stream: ByteStream) {
        while true {
            let head = stream.peek(10)
            guard head.starts(with: "ID3".utf8), head.count == 10 else { return }
            let footer = head[5] & 0x10 == 0 ? 0 : 10
            stream.skip(10 + footer + head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) })
            stream.keepFromHere()
        }
    }

    /// Returns the number of frames that a FLAC announces; `nil` if it does not know, or if the stream is no
    /// FLAC.
    static func announcedFrames(_ stream: ByteStream) -> Int? {
        let bytes = stream.peek(26)
        guard bytes.starts(with: "fLaC".utf8), bytes.count == 26 else { return nil }
        let count = ByteOrder.big.number(bytes[21..<26]) & 0xF_FFFF_FFFF
        return count > 0 ? count : nil
    }

    /// Returns the patch that sets STREAMINFO's total of 36 bits to 0, unknown.
    private static func flacPatches(_ bytes: [UInt8]) -> [(place: Int, bytes: [UInt8])] {
        guard bytes.count >= 26, bytes[4] & 0x7F == 0 else { return [] }
        return [(21, [bytes[21] & 0xF0, 0, 0, 0, 0])]
    }

    /// Returns true if the bytes are the header of a frame of MPEG audio: eleven bits of sync, and a layer.
    private static func isMP3(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 4 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 && bytes[1] & 0x06 != 0
    }

    /// Returns the patch that hides a table of contents whose size is not the file's, because the recording
    /// was cut, or others were appended. On a pipe this cannot be checked, so the table is hidden too; the 23
    /// ms that an encoder puts before the sound are then heard.
    private static func mp3Patches(_ bytes: [UInt8], _ left: Int?) -> [(place: Int, bytes: [UInt8])] {
        guard bytes.count >= 200 else { return [] }
        for place in 4..<160 {
            let name = bytes[place..<place + 4]
            guard name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8) else { continue }
            guard let left else { return [(place, [0, 0, 0, 0])] }
            guard bytes[place + 7] & 3 == 3 else { return [] }
            let announced = ByteOrder.big.number(bytes[place + 12..<place + 16])
            return abs(left - announced) <= longestTag ? [] : [(place, [0, 0, 0, 0])]
        }
        return []
    }

    /// The largest number of bytes of tags at the end of an MP3 that its table does not count.
    private static let longestTag = 8192
}
