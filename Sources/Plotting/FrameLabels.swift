import Picture

/// Words about frames above the spectrogram, in as many rows as it takes for them not to touch, three at most; a frame
/// whose label finds no room keeps its outline only.
struct FrameLabels {
    private struct Placed {
        var text: String
        var left: Int
        var row: Int
        /// Where the frame begins.
        var stem: Int
    }

    private let placed: [Placed]
    private let rowCount: Int

    private static let rowHeight = 24
    private static let mostRows = 3

    init(_ plot: RecordingPlot) {
        // Where the last label of each row ends.
        var ends = [Int](repeating: 0, count: FrameLabels.mostRows)
        var placed: [Placed] = []
        for (index, frame) in plot.frames.enumerated() {
            let share = min(1, max(0, plot.share(seconds: frame.seconds.lowerBound)))
            let plotWidth = Double(PicturePlot.plotRight - PicturePlot.plotLeft)
            let stem = PicturePlot.plotLeft + Int((share * plotWidth).rounded())
            let text = "\(index + 1)  \(frame.label)"
            let width = Canvas.textWidth(text)
            // Near the right edge a label stands to the left of its stem.
            let left = stem + 8 + width <= PicturePlot.width - 16 ? stem + 8 : stem - 6 - width
            guard let row = ends.firstIndex(where: { $0 + 16 <= left }) else { continue }
            ends[row] = max(left + width, stem)
            placed.append(Placed(text: text, left: left, row: row, stem: stem))
        }
        self.placed = placed
        rowCount = (placed.map(\.row).max() ?? -1) + 1
    }

    var height: Int { rowCount * FrameLabels.rowHeight + (rowCount > 0 ? 6 : 0) }

    func draw(on canvas: inout Canvas, spectrogram: Box) {
        let outlineTop = Int((RecordingPlot.share(hz: 20_000) * Double(spectrogram.height)).rounded())
        for label in placed {
            let top = spectrogram.top - height + label.row * FrameLabels.rowHeight
            let stem = Box(
                left: label.stem, top: top, right: label.stem + 2, bottom: spectrogram.top + outlineTop)
            canvas.fill(stem, Theme.frame)
            canvas.text(label.text, x: label.left, y: top, Theme.frame)
        }
    }
}
