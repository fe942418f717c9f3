import CSndFile
import Glibc

extension WAVReader {
    /// Containers libsndfile reads rightly without going back. The others either fail on a pipe or, worse,
    /// open and give nothing (CAF) or lose the last frames (RF64).
    private static let pipeable = [
        SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_AU, SF_FORMAT_AIFF, SF_FORMAT_W64, SF_FORMAT_OGG,
        SF_FORMAT_RAW,
    ].map { Int($0) }

    /// What the header says, when it makes sense.
    static func check(
        _ info: SF_INFO, path: AudioPath, file: FileDescriptor, isSeekable: Bool
    ) throws(AudioIOError) -> AudioFormat {
        guard info.channels > 0, info.samplerate > 0 else {
            throw AudioIOError(
                .badData, path,
                "its header says \(info.channels) channels at \(info.samplerate) Hz; no such sound")
        }
        if !isSeekable && !pipeable.contains(Int(info.format) & Int(SF_FORMAT_TYPEMASK)) {
            throw unseekable(path)
        }
        if info.frames <= 0, isSeekable, let size = file.status?.st_size, size > 4096 {
            throw AudioIOError(
                .badData, path,
                "its header says no sound but \(size) bytes follow: a recording cut off; read it with --raw")
        }
        let isCounted = isSeekable && info.frames < sf_count_t.max
        return AudioFormat(
            sampleRateHz: Int(info.samplerate), channelCount: Int(info.channels),
            frameCount: isCounted ? max(0, Int(info.frames)) : nil)
    }

    static func encoding(subtype: Int) -> SampleEncoding {
        switch subtype {
        case Int(SF_FORMAT_PCM_24): .pcm24
        case Int(SF_FORMAT_PCM_32), Int(SF_FORMAT_FLOAT), Int(SF_FORMAT_DOUBLE): .float32
        default: .pcm16
        }
    }

    /// Why libsndfile would not open it: the error it left behind, in this package's words.
    static func openFailure(_ path: AudioPath, isSeekable: Bool) -> AudioIOError {
        let code = Int(sf_error(nil))
        let words = String(cString: sf_strerror(nil))
        switch code {
        case Int(SF_ERR_UNRECOGNISED_FORMAT):
            return AudioIOError(
                .badData, path,
                "not a sound file (WAV, FLAC, Ogg … expected); for headerless samples say --raw")
        case Int(SF_ERR_SYSTEM):
            return AudioIOError(.inputOutput, path, "reading failed: \(words)")
        case _ where !isSeekable && words.lowercased().contains("flac"):
            return unseekable(path)
        default:
            let reason = words.split(whereSeparator: \.isNewline).joined(separator: " ")
            return AudioIOError(.badData, path, "a damaged sound file: \(reason)")
        }
    }

    private static func unseekable(_ path: AudioPath) -> AudioIOError {
        AudioIOError(
            .badData, path, "this format cannot be read from a pipe; save it to a file first, or pipe a WAV")
    }
}
