import Picture

/// Labels of frames above the spectrogram, in as many rows as they need so as not to touch. If four rows are
/// too few for all of them, the frames are numbered instead, as many as there is room for.
struct FrameLabels {
    private struct Placed {
        var text: String
        var left: Int
        var row: Int
        /// The pixel column where the frame begins.
        var stem: Int
    }

    private let placed: [Placed]
    private let rowCount: Int

    private static let rowHeight = 24
    private static let mostRows = 4

    init(_ plot: RecordingPlot) {
        let named = FrameLabels.place(plot, rowCount: FrameLabels.mostRows) { "\($0)  \($1.label)" }
        placed =
            named.count == plot.frames.count
            ? named : FrameLabels.place(plot, rowCount: 1) { number, _ in "\(number)" }
        rowCount = (placed.map(\.row).max() ?? -1) + 1
    }

    private static func place(
        _ plot: RecordingPlot, rowCount: Int, text: (Int, FrameMark) -> String
    ) -> [Placed] {
        // This is the end of the last label of each row.
        var ends = [Int](repeating: 0, count: rowCount)
        var placed: [Placed] = []
        for (index, frame) in plot.frames.enumerated() {
            let share = min(1, max(0, plot.share(seconds: frame.seconds.lowerBound)))
            let plotWidth = Double(PicturePlot.plotRight - PicturePlot.plotLeft)
            let stem = PicturePlot.plotLeft + Int((share * plotWidth).rounded())
            let text = text(index + 1, frame)
            let width = Canvas.textWidth(text)
            let left = min(stem + 8, PicturePlot.width - 16 - width)
            guard let row = ends.firstIndex(where: { $0 + 16 <= left }) else { continue }
            ends[row] = left + width
            placed.append(Placed(text: text, left: left, row: row, stem: stem))
        }
        return placed
    }

    var height: Int { rowCount * FrameLabels.rowHeight + (rowCount > 0 ? 6 : 0) }

    func draw(on canvas: inout Canvas, spectrogram: Box) {
        let outlineTop = Int((RecordingPlot.share(hz: 20_000) * Double(spectrogram.height)).rounded())
        let tops = placed.map { spectrogram.top - height + $0.row * FrameLabels.rowHeight }
        for (label, top) in zip(placed, tops) {
            let bottom = spectrogram.top + outlineTop
            canvas.fill(Box(left: label.stem, top: top, right: label.stem + 2, bottom: bottom), Theme.frame)
        }
        // Stems pass behind the words of other rows.
        for (label, top) in zip(placed, tops) {
            let right = label.left + Canvas.textWidth(label.text)
            let patch = Box(
                left: label.left - 4, top: top, right: right + 4, bottom: top + FrameLabels.rowHeight - 4)
            canvas.fill(patch, Theme.background)
            canvas.text(label.text, x: label.left, y: top + 2, Theme.frame)
        }
    }
}
