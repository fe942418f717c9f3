/// Why a body is not what the other side expects: one line.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where in the body: `publish[0].message.type`.
    public var place: String
    /// What was expected, what came.
    public var reason: String

    public init(_ place: String, _ reason: String) { (self.place, self.reason) = (place, reason) }

    public var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}
