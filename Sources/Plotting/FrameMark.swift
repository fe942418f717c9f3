/// A frame as a plot shows it.
package struct FrameMark: Sendable {
    /// The times from the start of the recording, like the plot's own.
    package var seconds: ClosedRange<Double>
    package var bandHz: ClosedRange<Double>
    /// One short line; empty if there are too many frames to label each.
    package var label: String
    /// Further details, line by line.
    package var details: [String]
    package var echoes: EchoProfile?

    package init(
        seconds: ClosedRange<Double>, bandHz: ClosedRange<Double>, label: String = "", details: [String] = [],
        echoes: EchoProfile? = nil
    ) {
        (self.seconds, self.bandHz, self.label) = (seconds, bandHz, label)
        (self.details, self.echoes) = (details, echoes)
    }
}
