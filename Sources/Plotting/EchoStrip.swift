import Picture

/// A strip with the details of one frame, and its power over delay.
struct EchoStrip {
    let frame: FrameMark
    let number: Int

    static let headHeight = 36
    static let height = 144

    private static let chartLeft = 560
    private static let chartHeight = 104
    private static let lowestDecibels = -30.0
    private static let lineHeight = 21
    private static let indent = 24

    static func drawHead(on canvas: inout Canvas, top: Int) {
        canvas.text("Frames", x: PicturePlot.plotLeft, y: top + 8, Theme.ink)
        canvas.text(
            "Echoes: dB below the strongest path, over delay in ms", x: chartLeft, y: top + 8, Theme.ink)
    }

    func draw(on canvas: inout Canvas, top: Int) {
        canvas.text("\(number)", x: PicturePlot.plotLeft, y: top + 4, Theme.frame)
        for (index, line) in frame.details.enumerated() {
            let left = PicturePlot.plotLeft + EchoStrip.indent
            let text = PicturePlot.fitted(line, width: EchoStrip.chartLeft - left - 60)
            let colour = index == 0 ? Theme.frame : Theme.ink
            canvas.text(text, x: left, y: top + 4 + index * EchoStrip.lineHeight, colour)
        }
        let box = Box(
            left: EchoStrip.chartLeft, top: top + 4, right: PicturePlot.plotRight,
            bottom: top + 4 + EchoStrip.chartHeight)
        canvas.fill(box, Theme.panel)
        drawGrid(on: &canvas, box)
        guard let echoes = frame.echoes else {
            let middle = (box.left + box.right) / 2
            let words = "not in the recording as a whole"
            return canvas.text(
                words, x: middle, y: box.top + box.height / 2 - 8, Theme.faint, alignment: .centre)
        }
        drawCurve(echoes.decibels.map(Double.init), on: &canvas, box)
    }

    private func drawGrid(on canvas: inout Canvas, _ box: Box) {
        for decibels in stride(from: 0.0, through: EchoStrip.lowestDecibels, by: -10) {
            let y = box.top + Int((decibels / EchoStrip.lowestDecibels * Double(box.height - 1)).rounded())
            canvas.fill(Box(left: box.left, top: y, right: box.right, bottom: y + 1), Theme.grid)
            let label = AxisTicks(EchoStrip.lowestDecibels...0, mostCount: 3).label(decibels)
            canvas.text(label, x: box.left - 8, y: y - 7, Theme.faint, alignment: .right)
        }
        let (first, last) = (EchoProfile.firstMilliseconds, EchoProfile.lastMilliseconds)
        let ticks = AxisTicks(first...last, mostCount: 6)
        for value in ticks.values {
            let x = box.left + Int(((value - first) / (last - first) * Double(box.width - 1)).rounded())
            canvas.fill(Box(left: x, top: box.top, right: x + 1, bottom: box.bottom), Theme.grid)
            canvas.text(ticks.label(value), x: x, y: box.bottom + 8, Theme.faint, alignment: .centre)
        }
    }

    /// Draws a filled curve: straight lines between the values, the greatest of those that share a pixel.
    private func drawCurve(_ decibels: [Double], on canvas: inout Canvas, _ box: Box) {
        guard decibels.count > 1 else { return }
        var before: Int?
        for x in 0..<box.width {
            let place = Double(x) / Double(box.width - 1) * Double(decibels.count - 1)
            let left = min(Int(place), decibels.count - 2)
            let value = decibels[left] + (place - Double(left)) * (decibels[left + 1] - decibels[left])
            let share = min(1, max(0, value / EchoStrip.lowestDecibels))
            let y = box.top + Int((share * Double(box.height - 1)).rounded())
            let column = (left: box.left + x, right: box.left + x + 1)
            canvas.fill(
                Box(left: column.left, top: y, right: column.right, bottom: box.bottom), Theme.frame,
                opacity: 0.22)
            // The line is as high as the step from the pixel before, so that it has no holes.
            let line = min(y, before ?? y)...max(y, before ?? y)
            canvas.fill(
                Box(
                    left: column.left, top: line.lowerBound, right: column.right, bottom: line.upperBound + 2),
                Theme.frame)
            before = y
        }
    }
}
