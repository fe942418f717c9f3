/// An error in a body, described in one line.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place in the body: `publish[0].message.type`.
    package var place: String
    /// The reason: what was expected and what came.
    package var reason: String

    /// Creates an error. Its texts may quote the sender's words, so it replaces characters that would break
    /// the line in a log or at a terminal.
    package init(_ place: String, _ reason: String) {
        (self.place, self.reason) = (WireError.line(place), WireError.line(reason))
    }

    private static func line(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: line.append("\u{FFFD}")
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    package var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}
