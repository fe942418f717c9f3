/// The source or target of sound: a file, a standard stream written as `-`, or a sound device.
public enum AudioPath: Sendable, Hashable, CustomStringConvertible {
    /// Standard input for a reader, standard output for a writer.
    case standardStream
    /// A file by name, or a pipe or device that has a name.
    case file(String)
    /// An ALSA PCM by name: `default`, `hw:0`.
    case device(String)

    /// Creates a path from an argument: `-` is the standard stream; a file of that name is written `./-`.
    public init(_ argument: String) {
        self = argument == "-" ? .standardStream : .file(argument)
    }

    /// The path as a user writes it on a command line.
    var argument: String {
        switch self {
        case .standardStream: "-"
        case .device(let name), .file(let name): name
        }
    }

    public var description: String {
        switch self {
        case .standardStream: "-"
        case .device(let name): name.isEmpty ? "(empty device name)" : name
        case .file(let path): path.isEmpty ? "(empty file name)" : path
        }
    }
}
