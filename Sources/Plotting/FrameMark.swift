/// A frame as a plot shows it.
public struct FrameMark: Sendable {
    /// The times from the start of the recording, like the plot's own.
    public var seconds: ClosedRange<Double>
    public var bandHz: ClosedRange<Double>
    /// One short line; empty if there are too many frames to label each.
    public var label: String
    /// Further details, line by line.
    public var details: [String]
    public var echoes: EchoProfile?

    public init(
        seconds: ClosedRange<Double>, bandHz: ClosedRange<Double>, label: String = "", details: [String] = [],
        echoes: EchoProfile? = nil
    ) {
        (self.seconds, self.bandHz, self.label) = (seconds, bandHz, label)
        (self.details, self.echoes) = (details, echoes)
    }
}
