import Picture

/// A plot as a picture.
///
///     title
///     labels of frames
///     kHz │ spectrogram with the frames' outlines │ levels
///         └ seconds
///     what is known of a frame │ its echoes          one strip for each of the first frames
package enum PicturePlot {
    package static let width = 1400
    /// The left and the right end of the spectrogram.
    package static let plotLeft = 84
    package static let plotRight = 1280
    /// The spectrogram's height.
    package static let plotHeight = 384
    /// The number of frames that get a strip.
    package static let mostStrips = 8

    static let titleHeight = 48

    /// Draws a plot. Shape: ``width`` wide, as high as needed, under 2000.
    package static func draw(_ plot: RecordingPlot) -> Canvas {
        let labels = FrameLabels(plot)
        let top = titleHeight + labels.height
        let strips = plot.frames.prefix(mostStrips)
        let stripsTop = top + plotHeight + SpectrogramPanel.axisHeight
        let hidden = plot.frames.count - strips.count
        let stripsHeight = strips.isEmpty ? 0 : EchoStrip.headHeight + strips.count * EchoStrip.height
        let height = stripsTop + stripsHeight + (hidden > 0 ? 28 : 0) + 16
        var canvas = Canvas(width: width, height: height, background: Theme.background)
        canvas.text(fitted(plot.title, width: plotRight - plotLeft), x: plotLeft, y: 18, Theme.ink)
        let box = Box(left: plotLeft, top: top, right: plotRight, bottom: top + plotHeight)
        SpectrogramPanel(plot: plot, box: box).draw(on: &canvas)
        labels.draw(on: &canvas, spectrogram: box)
        if !strips.isEmpty { EchoStrip.drawHead(on: &canvas, top: stripsTop) }
        for (index, frame) in strips.enumerated() {
            let top = stripsTop + EchoStrip.headHeight + index * EchoStrip.height
            EchoStrip(frame: frame, number: index + 1).draw(on: &canvas, top: top)
        }
        if hidden > 0 {
            let more = "and \(hidden) more frame\(hidden == 1 ? "" : "s")"
            canvas.text(more, x: plotLeft, y: stripsTop + stripsHeight + 6, Theme.faint)
        }
        return canvas
    }

    /// Returns the text, without its middle if it is too long.
    static func fitted(_ text: String, width: Int) -> String {
        guard Canvas.textWidth(text) > width else { return text }
        let kept = max(1, (width / (2 * BitmapFont.advanceDots) - 3) / 2)
        return "\(text.prefix(kept))...\(text.suffix(kept))"
    }
}
