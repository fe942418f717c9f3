/// The kind of sound file that an output's name asks for.
package enum SoundContainer: Sendable, Hashable {
    case wav, flac

    /// Chooses by the end of the name: `.wav` or none is a WAV, as for standard output, pipes and devices;
    /// `.flac` is a FLAC.
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
    /// Returns the part of a file's name after its last dot, which states its format. Returns `nil` if there
    /// is none, and for standard output, pipes and devices.
    package static func ending(of path: AudioPath) -> String? {
        guard case .file(let name) = path, !isStream(path) else { return nil }
        // It splits by scalars: a character may be a slash together with the accent that the name begins
        // with.
        guard let last = name.unicodeScalars.split(separator: "/").last else { return nil }
        guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return nil }
        let end = last[last.index(after: dot)...]
        return end.isEmpty ? nil : String(String.UnicodeScalarView(end))
    }
}
