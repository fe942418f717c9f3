/// A frame as a plot shows it.
public struct FrameMark: Sendable {
    /// From the start of the recording, as the plot's own times.
    public var seconds: ClosedRange<Double>
    public var bandHz: ClosedRange<Double>
    /// One short line; empty when there are too many frames to speak of each.
    public var label: String
    /// What else is known, line by line.
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
