import Picture

/// The spectrogram with its axes, the outlines of frames, and the legend of levels.
struct SpectrogramPanel {
    let plot: RecordingPlot
    let box: Box

    /// The height of the time axis under the spectrogram.
    static let axisHeight = 64

    func draw(on canvas: inout Canvas) {
        let levels = plot.spectrogram.levels(
            width: box.width, height: box.height, bandHz: RecordingPlot.bandHz)
        let scale = LevelScale(levels: levels)
        for (y, row) in levels.enumerated() {
            for (x, level) in row.enumerated() {
                canvas[box.left + x, box.top + y] = ColourMap.heat.colour(at: scale.share(level))
            }
        }
        for frame in plot.frames { drawOutline(of: frame, on: &canvas) }
        drawFrequencies(on: &canvas)
        drawTimes(on: &canvas)
        drawLegend(scale, on: &canvas)
    }

    /// Draws the outline around the frame's first and last pixel, cut off at the edges. A frame too narrow to
    /// look into gets only the upper and lower edge, since many outlines would hide the band.
    private func drawOutline(of frame: FrameMark, on canvas: inout Canvas) {
        func x(_ seconds: Double) -> Int {
            let share = min(1, max(0, plot.share(seconds: seconds)))
            return box.left + Int((share * Double(box.width)).rounded())
        }
        func y(_ hz: Double) -> Int {
            box.top + Int((RecordingPlot.share(hz: hz) * Double(box.height)).rounded())
        }
        let left = min(x(frame.seconds.lowerBound), box.right - 2)
        let right = max(left + 2, x(frame.seconds.upperBound))
        let (top, bottom) = (y(frame.bandHz.upperBound), y(frame.bandHz.lowerBound))
        guard right - left < 12 else {
            let outline = Box(left: left, top: top, right: right, bottom: bottom)
            return canvas.outline(outline, Theme.frame, thickness: 2)
        }
        canvas.fill(Box(left: left, top: top, right: right, bottom: top + 2), Theme.frame)
        canvas.fill(Box(left: left, top: bottom - 2, right: right, bottom: bottom), Theme.frame)
    }

    private func drawFrequencies(on canvas: inout Canvas) {
        let range = RecordingPlot.bandHz.lowerBound / 1000...RecordingPlot.bandHz.upperBound / 1000
        let ticks = AxisTicks(range, mostCount: 6)
        for value in ticks.values {
            let y = box.top + Int((RecordingPlot.share(hz: value * 1000) * Double(box.height)).rounded())
            canvas.fill(Box(left: box.left - 8, top: y - 1, right: box.left, bottom: y + 1), Theme.faint)
            canvas.text(ticks.label(value), x: box.left - 14, y: y - 7, Theme.ink, alignment: .right)
        }
        canvas.text("kHz", x: box.left - 14, y: box.top + box.height / 12 - 7, Theme.faint, alignment: .right)
    }

    private func drawTimes(on canvas: inout Canvas) {
        let range = plot.spectrogram.startSeconds...plot.spectrogram.endSeconds
        let ticks = AxisTicks(range, mostCount: 12)
        for value in ticks.values {
            let x = box.left + Int((plot.share(seconds: value) * Double(box.width)).rounded())
            canvas.fill(Box(left: x - 1, top: box.bottom, right: x + 1, bottom: box.bottom + 8), Theme.faint)
            canvas.text(ticks.label(value), x: x, y: box.bottom + 14, Theme.ink, alignment: .centre)
        }
        let middle = (box.left + box.right) / 2
        canvas.text("seconds", x: middle, y: box.bottom + 36, Theme.faint, alignment: .centre)
    }

    private func drawLegend(_ scale: LevelScale, on canvas: inout Canvas) {
        let bar = Box(left: box.right + 24, top: box.top, right: box.right + 42, bottom: box.bottom)
        for y in bar.top..<bar.bottom {
            let share = 1 - (Double(y - bar.top) + 0.5) / Double(bar.height)
            let row = Box(left: bar.left, top: y, right: bar.right, bottom: y + 1)
            canvas.fill(row, ColourMap.heat.colour(at: share))
        }
        let ticks = AxisTicks(scale.floorDecibels...scale.topDecibels, mostCount: 8)
        for value in ticks.values {
            let y = bar.bottom - Int((scale.share(Float(value)) * Double(bar.height)).rounded())
            canvas.fill(Box(left: bar.right, top: y - 1, right: bar.right + 6, bottom: y + 1), Theme.faint)
            canvas.text(ticks.label(value), x: bar.right + 12, y: y - 7, Theme.ink)
        }
        canvas.text("dBFS", x: bar.left, y: bar.bottom + 36, Theme.faint)
    }
}
