import Picture

/// A lane for each device of a story: its place, the frames it sends and hears, and a bar while it knows a
/// message.
///
///     Ana's phone
///              is in  │ hall │ living room            │ hall …
///              sends  │   ▮    ▮   ▮  ▮
///              hears  │ ▮▮▮▮▮▮▮▮▮▮
///     finds "channel 4" │ ████████████████████▌ +9.8 s
struct LanePanel {
    let plot: StoryPlot
    let left: Int
    let right: Int
    let top: Int

    static let lossWidth = 5
    private static let rowHeight = 34
    private static let gap = 24
    private static let headHeight = 26

    var height: Int {
        (0..<plot.devices.count).reduce(-LanePanel.gap) { $0 + height(of: $1) + LanePanel.gap }
    }

    private func rowCount(_ device: StoryPlot.Device) -> Int {
        2 + (device.heard == nil ? 0 : 1) + device.knowledge.count
    }

    private func height(of index: Int) -> Int {
        LanePanel.headHeight + rowCount(plot.devices[index]) * LanePanel.rowHeight
    }

    func draw(on canvas: inout Canvas) {
        var y = top
        for (index, device) in plot.devices.enumerated() {
            let panel = Box(
                left: left, top: y + LanePanel.headHeight, right: right, bottom: y + height(of: index))
            canvas.fill(panel, Theme.panel)
            drawGrid(on: &canvas, panel)
            canvas.text(
                device.name, x: left - 10, y: y + 5, Theme.device(index), alignment: .right)
            drawRows(of: device, index, on: &canvas, top: panel.top)
            y += height(of: index) + LanePanel.gap
        }
        drawAxis(on: &canvas, y: top + height)
    }

    // MARK: Time

    private var ticks: AxisTicks { AxisTicks(0...plot.seconds, mostCount: 12) }

    private func x(_ seconds: Double) -> Int {
        left + Int((min(1, max(0, seconds / plot.seconds)) * Double(right - left)).rounded())
    }

    private func drawGrid(on canvas: inout Canvas, _ panel: Box) {
        for value in ticks.values {
            canvas.fill(
                Box(left: x(value), top: panel.top, right: x(value) + 1, bottom: panel.bottom), Theme.grid)
        }
    }

    private func drawAxis(on canvas: inout Canvas, y: Int) {
        for value in ticks.values {
            canvas.text(ticks.label(value), x: x(value), y: y + 10, Theme.faint, alignment: .centre)
        }
        canvas.text("seconds", x: left - 24, y: y + 10, Theme.faint, alignment: .right)
    }

    // MARK: Rows

    private func drawRows(
        of device: StoryPlot.Device, _ index: Int, on canvas: inout Canvas, top: Int
    ) {
        var row = top
        func label(_ text: String, on canvas: inout Canvas) {
            canvas.text(text, x: left - 10, y: row + 10, Theme.faint, alignment: .right)
        }
        label("is in", on: &canvas)
        drawStays(device.stays, on: &canvas, top: row)
        row += LanePanel.rowHeight
        label("sends", on: &canvas)
        for seconds in device.sent { drawFrame(seconds, Theme.device(index), on: &canvas, row + 8, row + 26) }
        row += LanePanel.rowHeight
        if let heard = device.heard {
            label("hears", on: &canvas)
            drawHeard(heard, by: index, on: &canvas, top: row)
            row += LanePanel.rowHeight
        }
        for knowledge in device.knowledge {
            label(knowledge.title, on: &canvas)
            draw(knowledge, on: &canvas, top: row)
            row += LanePanel.rowHeight
        }
    }

    private func drawStays(_ stays: [StoryPlot.Stay], on canvas: inout Canvas, top: Int) {
        for stay in stays {
            let box = Box(
                left: x(stay.seconds.lowerBound), top: top + 5, right: x(stay.seconds.upperBound) - 2,
                bottom: top + 29)
            canvas.fill(box, Theme.grid)
            guard Canvas.textWidth(stay.name) + 12 <= box.width else { continue }
            canvas.text(stay.name, x: box.left + 8, y: top + 10, Theme.ink)
        }
    }

    private func drawFrame(
        _ seconds: Range<Double>, _ colour: Colour, on canvas: inout Canvas, _ top: Int, _ bottom: Int
    ) {
        let begin = x(seconds.lowerBound)
        canvas.fill(
            Box(left: begin, top: top, right: max(begin + 1, x(seconds.upperBound)), bottom: bottom), colour)
    }

    /// Draws heard frames, those of each sender at a height of their own, since senders may overlap.
    private func drawHeard(
        _ frames: [StoryPlot.Frame], by index: Int, on canvas: inout Canvas, top: Int
    ) {
        let senders = plot.devices.indices.filter { $0 != index }
        let step = 24 / max(1, senders.count)
        for frame in frames {
            guard let sender = frame.sender, let place = senders.firstIndex(of: sender) else {
                drawFrame(frame.seconds, Theme.loss, on: &canvas, top + 5, top + 29)
                continue
            }
            let begin = top + 5 + place * step
            drawFrame(frame.seconds, Theme.device(sender), on: &canvas, begin, begin + step - 2)
        }
    }

    private func draw(_ knowledge: StoryPlot.Knowledge, on canvas: inout Canvas, top: Int) {
        for (index, one) in knowledge.acquaintances.enumerated() {
            let bar = Box(
                left: x(one.seconds.lowerBound), top: top + 5, right: x(one.seconds.upperBound),
                bottom: top + 29)
            canvas.fill(bar, Theme.device(knowledge.publisher))
            let found = LanePanel.after("found", one.foundAfterSeconds)
            for text in [found, "found"] where Canvas.textWidth(text) + 14 <= bar.width {
                canvas.text(text, x: bar.left + 8, y: top + 10, Theme.background)
                break
            }
            guard one.isLost else { continue }
            canvas.fill(
                Box(
                    left: bar.right, top: top, right: bar.right + LanePanel.lossWidth,
                    bottom: top + LanePanel.rowHeight - 1),
                Theme.loss)
            let next = knowledge.acquaintances.dropFirst(index + 1).first.map { x($0.seconds.lowerBound) }
            let text = bar.right + LanePanel.lossWidth + 6
            for lost in [LanePanel.after("lost", one.lostAfterSeconds), "lost"]
            where text + Canvas.textWidth(lost) + 6 <= next ?? right {
                canvas.text(lost, x: text, y: top + 10, Theme.ink)
                break
            }
        }
    }

    /// Returns text such as "found +1.2 s".
    private static func after(_ word: String, _ seconds: Double?) -> String {
        guard let seconds else { return word }
        let tenths = Int((seconds * 10).rounded())
        return "\(word) +\(tenths / 10).\(tenths % 10) s"
    }
}
