/// Where sound comes from or goes to: a file, or a standard stream written as `-`.
public enum AudioPath: Sendable, Hashable, CustomStringConvertible {
    /// Standard input for a reader, standard output for a writer.
    case standardStream
    case file(String)

    /// `-` is the standard stream; a file of that name is written `./-`.
    public init(_ argument: String) {
        self = argument == "-" ? .standardStream : .file(argument)
    }

    public var description: String {
        switch self {
        case .standardStream: "-"
        case .file(let path): path.isEmpty ? "(empty file name)" : path
        }
    }
}
