/// The content of a plot of a recording; ``PicturePlot`` and ``TerminalPlot`` draw it.
package struct RecordingPlot: Sendable {
    package var title: String
    package var spectrogram: SpectrogramGrid
    package var frames: [FrameMark]

    /// The range of frequencies shown.
    package static let bandHz = 16_000.0...22_000.0

    package init(title: String, spectrogram: SpectrogramGrid, frames: [FrameMark]) {
        (self.title, self.spectrogram, self.frames) = (title, spectrogram, frames)
    }

    /// Returns the place of a time, 0 at the start and 1 at the end of the shown part.
    func share(seconds: Double) -> Double {
        let span = spectrogram.endSeconds - spectrogram.startSeconds
        return (seconds - spectrogram.startSeconds) / span
    }

    /// Returns the place of a frequency, 0 at the top and 1 at the bottom.
    static func share(hz: Double) -> Double {
        (bandHz.upperBound - hz) / (bandHz.upperBound - bandHz.lowerBound)
    }
}
