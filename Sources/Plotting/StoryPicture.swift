import Picture

/// A story as a picture.
///
///     title and summary
///     floor plan, with everyone's way │ a lane for each device over time
///                                     └ seconds
///     legend
package enum StoryPicture {
    package static let width = 1600

    private static let firstLine = 18
    private static let lineHeight = 24
    private static let plan = (left: 36, right: 500)
    private static let chart = (left: 756, right: 1570)
    private static let axisHeight = 40
    private static let legendHeight = 44

    /// Draws a story. Shape: ``width`` wide, as high as the lanes are.
    package static func draw(_ plot: StoryPlot) -> Canvas {
        let top = firstLine + (1 + plot.summary.count) * lineHeight + 16
        let lanes = LanePanel(plot: plot, left: chart.left, right: chart.right, top: top)
        let bottom = top + lanes.height
        var canvas = Canvas(
            width: width, height: bottom + axisHeight + legendHeight, background: Theme.background)
        for (line, text) in ([plot.title] + plot.summary).enumerated() {
            canvas.text(
                PicturePlot.fitted(text, width: width - 2 * plan.left), x: plan.left,
                y: firstLine + line * lineHeight, line == 0 ? Theme.ink : Theme.faint)
        }
        PlanPanel(plot: plot, box: Box(left: plan.left, top: top, right: plan.right, bottom: bottom))
            .draw(on: &canvas)
        lanes.draw(on: &canvas)
        drawLegend(plot, on: &canvas, y: bottom + axisHeight + 10)
        return canvas
    }

    private static func drawLegend(_ plot: StoryPlot, on canvas: inout Canvas, y: Int) {
        var x = plan.left
        func word(_ text: String, _ colour: Colour, on canvas: inout Canvas) {
            canvas.text(text, x: x, y: y, colour)
            x += Canvas.textWidth(text) + 24
        }
        word("Frames and messages of", Theme.faint, on: &canvas)
        for (index, device) in plot.devices.enumerated() {
            canvas.fill(Box(left: x, top: y, right: x + 14, bottom: y + 14), Theme.device(index))
            x += 22
            word(device.name, Theme.ink, on: &canvas)
        }
        canvas.fill(Box(left: x, top: y - 2, right: x + LanePanel.lossWidth, bottom: y + 16), Theme.loss)
        x += 14
        word("lost", Theme.ink, on: &canvas)
        word("+ s: since they met, parted, or it was taken back", Theme.faint, on: &canvas)
    }
}
