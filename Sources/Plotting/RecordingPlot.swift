/// All that a plot of a recording shows; ``PicturePlot`` and ``TerminalPlot`` draw it.
public struct RecordingPlot: Sendable {
    public var title: String
    public var spectrogram: SpectrogramGrid
    public var frames: [FrameMark]

    /// The frequencies shown.
    public static let bandHz = 16_000.0...22_000.0

    public init(title: String, spectrogram: SpectrogramGrid, frames: [FrameMark]) {
        (self.title, self.spectrogram, self.frames) = (title, spectrogram, frames)
    }

    /// Where a time stands, 0 at the start and 1 at the end of what is shown.
    func share(seconds: Double) -> Double {
        let span = spectrogram.endSeconds - spectrogram.startSeconds
        return (seconds - spectrogram.startSeconds) / span
    }

    /// Where a frequency stands, 0 at the top and 1 at the bottom.
    static func share(hz: Double) -> Double {
        (bandHz.upperBound - hz) / (bandHz.upperBound - bandHz.lowerBound)
    }
}
