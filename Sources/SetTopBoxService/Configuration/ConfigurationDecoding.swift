/// A problem in a configuration file.
package enum ConfigurationProblem: Sendable, Hashable {
    case unknown(path: String, line: Int)
    /// A value does not have the expected kind or range.
    case otherValue(path: String, line: Int, expected: String, came: String)
}

extension ServiceConfiguration {
    /// Returns the defaults with these values in their places, and the problems of the others.
    ///
    /// - Parameter entries: each path at most once.
    package static func decode(
        _ entries: [TOMLReader.Entry]
    ) -> (configuration: ServiceConfiguration, problems: [ConfigurationProblem]) {
        var configuration = ServiceConfiguration()
        var problems: [ConfigurationProblem] = []
        for entry in entries {
            guard let setting = Setting.all.first(where: { $0.path == entry.path }) else {
                // A word that stands under a secret, as if the secret were a table, may be the secret itself.
                let secret = Setting.secrets.first { entry.path.hasPrefix($0 + ".") }
                problems.append(.unknown(path: secret ?? entry.path, line: entry.line))
                continue
            }
            if let expected = setting.take(&configuration, entry.value) {
                let came: String =
                    switch entry.value {
                    case _ where Setting.secrets.contains(entry.path): entry.value.kind
                    case .other, .list: entry.value.kind
                    default: entry.value.toml
                    }
                problems.append(
                    .otherValue(path: entry.path, line: entry.line, expected: expected, came: came))
            }
        }
        return (configuration, problems)
    }

    /// The text of a whole file with these values, each explained.
    package var commented: String {
        var lines = [
            "# nearby stb: a set-top box that apps find by sound. These are all keys, with their default values."
        ]
        var table: Substring = ""
        for setting in Setting.all {
            if setting.table != table {
                table = setting.table
                lines += ["", "[\(table)]"]
            }
            lines += setting.about.map { "# \($0)" }
            lines.append("\(setting.key) = \(setting.value(self).toml)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the paths of the settings that have another value in `other`.
    package func differences(to other: ServiceConfiguration) -> [String] {
        Setting.all.filter { $0.value(self) != $0.value(other) }.map(\.path)
    }
}
