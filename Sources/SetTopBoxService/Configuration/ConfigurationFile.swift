import AudioIO
import CommandOutput
import FileNames
import Glibc

/// A configuration file that does not do: one line for each thing that is wrong.
package struct ConfigurationFileError: Error, CustomStringConvertible {
    package enum Cause: Sendable, Hashable {
        case notThere, notAllowed, content
    }

    package var cause: Cause
    package var lines: [String]

    package var description: String { lines.joined(separator: "\n") }
}

/// TOML to plain values, and what is wrong with them in words.
package enum ConfigurationFile {
    /// Nobody writes more.
    static let longestByteCount = 1 << 20

    /// Throws: what is wrong with the file, each line with its name before it.
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

    /// Throws: all that is wrong with it, each line with `name` and where it is before it.
    package static func parse(
        _ bytes: [UInt8], of name: String
    ) throws(ConfigurationFileError) -> ServiceConfiguration {
        guard bytes.count <= longestByteCount else {
            throw ConfigurationFileError(
                cause: .content, lines: ["\(name): is longer than a configuration can be: 1 MiB at most"])
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
                ? "'nearby stb --print-config' prints all there are"
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
