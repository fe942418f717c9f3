import AudioIO
import CommandOutput
import FileNames
import Glibc

/// An error of a configuration file, with one line for each problem.
package struct ConfigurationFileError: Error, CustomStringConvertible {
    package enum Cause: Sendable, Hashable {
        case notThere, notAllowed, content
    }

    package var cause: Cause
    package var lines: [String]

    package var description: String { lines.joined(separator: "\n") }
}

/// A reader that turns a TOML file into plain values, and its problems into lines for people.
package enum ConfigurationFile {
    /// The maximum size of a file, which is more than anybody writes.
    static let longestByteCount = 1 << 20

    /// Reads a file. Throws an error with all problems of the file, each line preceded by the file's name.
    package static func read(_ path: String) throws(ConfigurationFileError) -> ServiceConfiguration {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            let cause: ConfigurationFileError.Cause = errno == EACCES ? .notAllowed : .notThere
            throw ConfigurationFileError(
                cause: cause, lines: ["\(path): \(FileReason.reading(errno))"])
        }
        defer { close(file) }
        guard let bytes = readRest(of: file, upTo: longestByteCount + 1) else {
            let cause: ConfigurationFileError.Cause = errno == EISDIR ? .notThere : .content
            throw ConfigurationFileError(
                cause: cause, lines: ["\(path): \(FileReason.reading(errno))"])
        }
        return try parse(bytes, of: path)
    }

    /// Parses a file's bytes. Throws an error with all problems, each line preceded by `name` and the line's
    /// number.
    package static func parse(
        _ bytes: [UInt8], of name: String
    ) throws(ConfigurationFileError) -> ServiceConfiguration {
        guard bytes.count <= longestByteCount else {
            throw ConfigurationFileError(
                cause: .content, lines: ["\(name): is too long; a configuration has at most 1 MiB"])
        }
        let entries: [TOMLReader.Entry]
        do throws(TOMLReader.Failure) { entries = try TOMLReader.read(bytes) } catch {
            throw ConfigurationFileError(cause: .content, lines: ["\(name):\(error.line): \(error.reason)"])
        }
        let (configuration, problems) = ServiceConfiguration.decode(entries)
        guard problems.isEmpty else {
            throw ConfigurationFileError(
                cause: .content, lines: problems.map { "\(name):\($0.line): \(words($0))" })
        }
        return configuration
    }

    private static func words(_ problem: ConfigurationProblem) -> String {
        switch problem {
        case .otherValue(let path, _, let expected, let came):
            return "\(path): expected \(expected), not \(came)"
        case .unknown(let path, _) where Setting.secrets.contains(path):
            return "\(path): expected a text, not a table"
        case .unknown(let path, _):
            let near = NearName.nearest(to: path, of: Setting.all.map(\.path), most: 2)
            let hint =
                near.isEmpty
                ? "'nearby stb --print-config' prints all keys"
                : "perhaps \(near.joined(separator: " or "))"
            return "\(path): there is no such key: \(hint)"
        }
    }
}

extension ConfigurationProblem {
    var line: Int {
        switch self {
        case .unknown(_, let line), .otherValue(_, let line, _, _): line
        }
    }
}
