import CSndFile
import Glibc

extension WAVReader {
    /// Sound that is ready to be read.
    struct Opened {
        var handle: OpaquePointer
        /// The owner of the bytes that `handle` reads.
        var box: ByteBox
        var spans: SoundSpans?
        var whole: WholeStream?
        var format: AudioFormat
        var subtype: Int
        /// The number of frames that the header of a compressed recording announces; `nil` if it announces
        /// none.
        var announcedFrames: Int?
    }

    static func open(_ stream: ByteStream, path: AudioPath, raw: RawPCM?) throws(AudioIOError) -> Opened {
        try requireSome(stream, path)
        if let raw {
            var header = SoundHeader(raw)
            header.announcedBytes = stream.left
            return try open(SoundSpans(stream, header), path: path)
        }
        if let name = ForeignFormat.name(stream.peek(512)) { throw foreign(name, path) }
        guard let header = try SoundHeader.read(stream, path) else {
            return try openWhole(stream, path: path)
        }
        stream.release()
        return try open(SoundSpans(stream, header), path: path)
    }

    private static func requireSome(_ stream: ByteStream, _ path: AudioPath) throws(AudioIOError) {
        guard stream.peek(1).isEmpty else { return }
        guard stream.errorNumber == 0 else { throw readFailure(path, stream.errorNumber) }
        throw AudioIOError(.badData, path, "is empty; a sound file (WAV, FLAC, Ogg …) is expected")
    }

    private static func open(_ spans: SoundSpans, path: AudioPath) throws(AudioIOError) -> Opened {
        var info = spans.header.info
        let box = ByteBox(spans)
        guard let handle = SoundView.open(box, &info) else { throw openFailure(path) }
        let header = spans.header
        let format = AudioFormat(
            sampleRateHz: header.sampleRateHz, channelCount: header.channelCount,
            frameCount: spans.soundBytes.map { $0 / header.bytesPerFrame })
        return Opened(
            handle: handle, box: box, spans: spans, format: format, subtype: header.subtype)
    }

    /// Opens a format that libsndfile parses.
    static func openWhole(_ stream: ByteStream, path: AudioPath) throws(AudioIOError) -> Opened {
        let announced = CompressedStream.announcedFrames(stream)
        let whole = CompressedStream.view(stream)
        let box = ByteBox(whole)
        var info = SF_INFO()
        guard let handle = SoundView.open(box, &info) else {
            if stream.errorNumber != 0 { throw readFailure(path, stream.errorNumber) }
            throw openFailure(path)
        }
        stream.release()
        guard info.channels > 0, info.samplerate > 0 else {
            sf_close(handle)
            throw AudioIOError(
                .badData, path,
                "its header says \(info.channels) channels at \(info.samplerate) Hz; no such sound")
        }
        let isCounted = stream.length != nil && info.frames < SoundView.endless / 1024
        let format = AudioFormat(
            sampleRateHz: Int(info.samplerate), channelCount: Int(info.channels),
            frameCount: isCounted ? max(0, Int(info.frames)) : stream.length.flatMap { _ in announced })
        return Opened(
            handle: handle, box: box, whole: whole, format: format,
            subtype: Int(info.format) & Int(SF_FORMAT_SUBMASK), announcedFrames: announced)
    }

    static func encoding(subtype: Int) -> SampleEncoding {
        switch subtype {
        case Int(SF_FORMAT_PCM_24): .pcm24
        case Int(SF_FORMAT_PCM_32), Int(SF_FORMAT_FLOAT), Int(SF_FORMAT_DOUBLE): .float32
        default: .pcm16
        }
    }

    static func readFailure(_ path: AudioPath, _ code: Int32) -> AudioIOError {
        AudioIOError(.inputOutput, path, "reading failed: \(SystemError.text(code))")
    }

    /// Returns the reason why libsndfile would not open the sound: the error that it left behind, in this
    /// package's words.
    private static func openFailure(_ path: AudioPath) -> AudioIOError {
        if Int(sf_error(nil)) == Int(SF_ERR_UNRECOGNISED_FORMAT) {
            return AudioIOError(
                .badData, path,
                "not a sound file (WAV, FLAC, Ogg … expected); for headerless samples say --raw")
        }
        let words = String(cString: sf_strerror(nil))
        let reason = words.split(whereSeparator: \.isNewline).joined(separator: " ")
        return AudioIOError(
            .badData, path,
            "damaged, or in an encoding that is not read here (\(reason)); ffmpeg may read it: \(command(path))"
        )
    }

    /// Returns the pipeline that reads the formats that this program does not.
    private static func command(_ path: AudioPath) -> String {
        let file = path == .standardStream ? "-" : ShellWord.quoted(path.argument)
        return "ffmpeg -i \(file) -f wav - | nearby-modem decode -"
    }

    private static func foreign(_ name: String, _ path: AudioPath) -> AudioIOError {
        AudioIOError(.badData, path, "is \(name), which ffmpeg reads: \(command(path))")
    }
}
