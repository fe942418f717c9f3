/// The kind of sound file that an output's name asks for.
package enum SoundContainer: Sendable, Hashable {
    case wav, flac

    /// By the end of the name: `.wav` or none is a WAV, as standard output, pipes and devices are; `.flac` a FLAC.
    ///
    /// Throws: `.unfitOutput` for every other ending.
    package init(_ path: AudioPath) throws(AudioIOError) {
        guard let end = OutputFile.ending(of: path) else {
            self = .wav
            return
        }
        switch end.lowercased() {
        case "wav", "wave", "bwf", "rf64": self = .wav
        case "flac": self = .flac
        default:
            throw AudioIOError(
                .unfitOutput, path,
                "a name that ends in .\(end) asks for a format that is not written here; "
                    + "end it in .wav or .flac, and convert that")
        }
    }
}

extension OutputFile {
    /// The part of a file's name after its last dot, which says its format. Nil when there is none, and for standard output,
    /// pipes and devices.
    package static func ending(of path: AudioPath) -> String? {
        guard case .file(let name) = path, !isStream(path) else { return nil }
        // By scalars: a character may be a slash and the accent that the name begins with.
        guard let last = name.unicodeScalars.split(separator: "/").last else { return nil }
        guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return nil }
        let end = last[last.index(after: dot)...]
        return end.isEmpty ? nil : String(String.UnicodeScalarView(end))
    }
}
