/// The reason why sound could not be read or written: one line that names the path and says what to do.
public struct AudioIOError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A coarse class of the failure, enough for a caller to choose an exit code.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// The input does not exist, or is a directory or a terminal.
        case noSuchInput
        /// The input exists but is not sound that this package can read.
        case badData
        /// A sound device is not there, in use, or unsuitable.
        case unavailable
        /// The system refuses access.
        case noPermission
        /// The output cannot be created where it was asked for.
        case cannotCreate
        /// The output is a file that is also read.
        case wouldReplaceInput
        /// The output's format is not written here, or cannot hold the sound.
        case unfitOutput
        /// Reading or writing failed half-way: a full disk, a broken device.
        case inputOutput
        /// The reader of standard output has closed it.
        case readerGone
    }

    /// The class by which a caller decides; people read ``reason``.
    public var kind: Kind
    /// The input or output that failed.
    public var path: AudioPath
    /// A text that says what was expected, what came and what to do; one line, no full stop.
    public var reason: String

    /// - Parameters:
    ///   - path: the path that begins the line.
    ///   - reason: a text for people, without a full stop; it begins in lower case, after the path.
    public init(_ kind: Kind, _ path: AudioPath, _ reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    /// The whole line, such as "take.wav: no such file; check the name". It is always one line: control
    /// characters are escaped.
    public var description: String { ShownText.escaped("\(path): \(reason)") }
}
