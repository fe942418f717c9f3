/// Why a body is not what the other side expects: one line.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where in the body: `publish[0].message.type`.
    public var place: String
    /// What was expected, what came.
    public var reason: String

    /// What came is somebody else's words: what would break the line, in a log or at a terminal, is replaced.
    public init(_ place: String, _ reason: String) {
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

    public var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}
