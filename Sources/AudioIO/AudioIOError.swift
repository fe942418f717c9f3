/// Why sound could not be read or written: one line that names the path and says what to do.
public struct AudioIOError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, as coarse as a caller needs to choose an exit code.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// The input does not exist, or is a directory or a terminal.
        case noSuchInput
        /// The input is there but is not sound this package can read.
        case badData
        /// A sound device that is not there, in use, or of no use.
        case unavailable
        /// The system refuses access.
        case noPermission
        /// The output cannot be created where it was asked for.
        case cannotCreate
        /// The output is a file that is also read.
        case wouldReplaceInput
        /// The output's format is none that is written here, or cannot hold the sound.
        case unfitOutput
        /// Reading or writing failed half-way: a full disk, a broken device.
        case inputOutput
        /// Whoever read standard output has closed it.
        case readerGone
    }

    /// What a caller decides by; people read ``reason``.
    public var kind: Kind
    /// What was to be read or written.
    public var path: AudioPath
    /// What was expected, what came, what to do; one line, no full stop.
    public var reason: String

    /// - Parameters:
    ///   - path: names it at the beginning of the line.
    ///   - reason: for people, without a full stop; begins in lower case, after the path.
    public init(_ kind: Kind, _ path: AudioPath, _ reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    /// "take.wav: no such file; check the name". Always one line: control characters are escaped.
    public var description: String { ShownText.escaped("\(path): \(reason)") }
}
