/// The kind of sound file that an output's name asks for.
package enum SoundContainer: Sendable, Hashable {
    case wav, flac

    /// By the end of the name: `.wav` or none is a WAV, as standard output, pipes and devices are; `.flac` a FLAC.
    ///
    /// Throws: `.unfitOutput` for every other ending.
    package init(_ path: AudioPath) throws(AudioIOError) {
        guard case .file(let name) = path, let end = SoundContainer.ending(of: name),
            !OutputFile.isStream(path)
        else {
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

    /// Nil when the last part of the name has none.
    private static func ending(of name: String) -> Substring? {
        let last = name.split(separator: "/").last ?? ""
        guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return nil }
        let end = last[last.index(after: dot)...]
        return end.isEmpty ? nil : end
    }
}
