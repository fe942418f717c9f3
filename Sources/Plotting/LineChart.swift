import Picture

/// A box with axes and curves in it: x grows to the right, decibels grow upwards.
struct LineChart {
    let box: Box
    let xRange: ClosedRange<Double>
    let decibels: ClosedRange<Double>

    /// Draws the panel, its grid, ticks and titles.
    func drawAxes(on canvas: inout Canvas, title: String, xTitle: String) {
        canvas.text(title, x: box.left, y: box.top - 26, Theme.ink)
        canvas.fill(box, Theme.panel)
        let levels = AxisTicks(decibels, mostCount: 7)
        for value in levels.values {
            let row = y(value)
            canvas.fill(Box(left: box.left, top: row, right: box.right, bottom: row + 1), Theme.grid)
            canvas.text(levels.label(value), x: box.left - 10, y: row - 7, Theme.faint, alignment: .right)
        }
        let ticks = AxisTicks(xRange, mostCount: 13)
        for value in ticks.values {
            let column = x(value)
            canvas.fill(Box(left: column, top: box.top, right: column + 1, bottom: box.bottom), Theme.grid)
            canvas.text(ticks.label(value), x: column, y: box.bottom + 8, Theme.faint, alignment: .centre)
        }
        canvas.text(xTitle, x: box.right + 34, y: box.bottom + 8, Theme.faint)
    }

    /// Lays `colour` over a part of the axis.
    func shade(_ part: ClosedRange<Double>, on canvas: inout Canvas, _ colour: Colour) {
        canvas.fill(
            Box(left: x(part.lowerBound), top: box.top, right: x(part.upperBound), bottom: box.bottom),
            colour,
            opacity: 0.12)
    }

    /// Draws a horizontal line across the box.
    func rule(_ level: Double, on canvas: inout Canvas, _ colour: Colour) {
        canvas.fill(Box(left: box.left, top: y(level), right: box.right, bottom: y(level) + 2), colour)
    }

    /// Draws straight lines between points, left to right, with gaps where a level is `nil`.
    func curve(_ points: [(x: Double, decibels: Double?)], on canvas: inout Canvas, _ colour: Colour) {
        for (a, b) in zip(points, points.dropFirst()) {
            guard let from = a.decibels, let to = b.decibels, from.isFinite, to.isFinite else { continue }
            let (left, right) = (x(a.x), max(x(a.x), x(b.x) - 1))
            var before = y(from)
            for column in left...right {
                let share = right > left ? Double(column - left) / Double(right - left) : 1
                let row = y(from + share * (to - from))
                let rows = min(row, before)...max(row, before)
                canvas.fill(
                    Box(left: column, top: rows.lowerBound, right: column + 1, bottom: rows.upperBound + 2),
                    colour)
                before = row
            }
        }
    }

    private func x(_ value: Double) -> Int {
        let share = (value - xRange.lowerBound) / (xRange.upperBound - xRange.lowerBound)
        return box.left + Int((min(1, max(0, share)) * Double(box.width - 1)).rounded())
    }

    private func y(_ level: Double) -> Int {
        let share = (decibels.upperBound - level) / (decibels.upperBound - decibels.lowerBound)
        return box.top + Int((min(1, max(0, share)) * Double(box.height - 2)).rounded())
    }
}
