import Picture

/// A floor plan from above with the ways of a story's devices: a ring at each rest, and a disc at a device's
/// last place.
struct PlanPanel {
    let plot: StoryPlot
    let box: Box

    /// The margin about the outermost places, in metres.
    private static let margin = 0.35
    private static let wallMeters = 0.2
    /// The least length of a rest; shorter ones are part of the way.
    private static let leastRestSeconds = 4.0

    private var corners: (low: SIMD2<Double>, high: SIMD2<Double>) {
        let places =
            plot.rooms.flatMap { [$0.from, $0.to] } + plot.furniture.map(\.place)
            + plot.devices.flatMap { $0.way.map(\.place) }
        guard let first = places.first else { return (.zero, .one) }
        return (
            places.reduce(first) { pointwiseMin($0, $1) } - PlanPanel.margin,
            places.reduce(first) { pointwiseMax($0, $1) } + PlanPanel.margin
        )
    }

    private var pixelsPerMeter: Double {
        let extent = corners.high - corners.low
        return min(Double(box.width) / extent.x, Double(box.height) / extent.y)
    }

    private func pixel(_ place: SIMD2<Double>) -> SIMD2<Double> {
        let from = (place - corners.low) * pixelsPerMeter
        let bottom = Double(box.top) + (corners.high.y - corners.low.y) * pixelsPerMeter
        return SIMD2(Double(box.left) + from.x, bottom - from.y)
    }

    func draw(on canvas: inout Canvas) {
        for room in plot.rooms { draw(room, on: &canvas) }
        for door in plot.doors {
            draw(door, on: &canvas)
        }
        for one in plot.furniture {
            let place = pixel(one.place)
            let (x, y) = (Int(place.x), Int(place.y))
            canvas.fill(Box(left: x - 6, top: y - 18, right: x + 6, bottom: y + 18), Theme.faint)
            canvas.text(one.name, x: x + 14, y: y - 7, Theme.faint)
        }
        for index in plot.devices.indices { drawWay(index, on: &canvas) }
        for index in plot.devices.indices { drawRests(index, on: &canvas) }
        drawScale(on: &canvas)
    }

    private func draw(_ room: StoryPlot.Room, on canvas: inout Canvas) {
        let (a, b) = (pixel(room.from), pixel(room.to))
        let walls = Box(left: Int(a.x), top: Int(b.y), right: Int(b.x), bottom: Int(a.y))
        canvas.fill(walls, Theme.panel)
        canvas.outline(walls, Theme.faint, thickness: 3)
        canvas.text(room.name, x: walls.left + 12, y: walls.top + 12, Theme.faint)
    }

    /// Draws a gap through the walls on either side, and the door's leaf in it.
    private func draw(_ door: StoryPlot.Door, on canvas: inout Canvas) {
        let (a, b) = (pixel(door.from), pixel(door.to))
        let (low, high) = (pointwiseMin(a, b), pointwiseMax(a, b))
        let wall = PlanPanel.wallMeters * pixelsPerMeter / 2 + 4
        let reach = high.x - low.x > high.y - low.y ? SIMD2(0, wall) : SIMD2(wall, 0)
        let gap = Box(
            left: Int(low.x - reach.x), top: Int(low.y - reach.y), right: Int(high.x + reach.x),
            bottom: Int(high.y + reach.y))
        canvas.fill(gap, Theme.panel)
        canvas.line(from: a, to: b, Theme.faint, thickness: 4)
    }

    // MARK: Devices

    /// Returns an offset that puts devices that walk the same way side by side.
    private func offset(_ index: Int) -> SIMD2<Double> {
        let side = Double(index) - Double(plot.devices.count - 1) / 2
        return SIMD2(side * 5, side * 5)
    }

    private func drawWay(_ index: Int, on canvas: inout Canvas) {
        let points = plot.devices[index].way.map { pixel($0.place) + offset(index) }
        for (a, b) in zip(points, points.dropFirst()) {
            canvas.line(from: a, to: b, Theme.device(index), thickness: 2)
        }
    }

    private func drawRests(_ index: Int, on canvas: inout Canvas) {
        let device = plot.devices[index]
        let rests = PlanPanel.rests(device.way, untilSeconds: plot.seconds)
        for (place, seconds) in rests {
            let centre = pixel(place) + offset(index)
            let isLast = seconds.contains { $0.upperBound >= plot.seconds }
            canvas.disc(at: centre, radius: 9, Theme.background)
            if isLast {
                canvas.disc(at: centre, radius: 8, Theme.device(index))
            } else {
                canvas.ring(at: centre, radius: 7, Theme.device(index))
            }
            let times = rests.count > 1 ? PlanPanel.times(seconds) : []
            drawLabel((isLast ? [device.name] : []) + times, at: centre, on: &canvas, index)
        }
    }

    private func drawLabel(
        _ lines: [String], at centre: SIMD2<Double>, on canvas: inout Canvas, _ index: Int
    ) {
        let width = lines.map { Canvas.textWidth($0) }.max() ?? 0
        let isLeft = Int(centre.x) + 16 + width > box.right - 40
        for (number, line) in lines.enumerated() {
            canvas.text(
                line, x: Int(centre.x) + (isLeft ? -16 : 16),
                y: Int(centre.y) - 20 * (lines.count - number) - 6,
                line == plot.devices[index].name ? Theme.device(index) : Theme.faint,
                alignment: isLeft ? .right : .left)
        }
    }

    /// Returns the places where a device stays for a while, each once, with the times.
    static func rests(
        _ way: [StoryPlot.Waypoint], untilSeconds end: Double
    ) -> [(place: SIMD2<Double>, seconds: [Range<Double>])] {
        var rests: [(place: SIMD2<Double>, seconds: [Range<Double>])] = []
        guard let first = way.first, let last = way.last else { return [] }
        let whole =
            [StoryPlot.Waypoint(seconds: 0, place: first.place)] + way
            + [StoryPlot.Waypoint(seconds: max(end, last.seconds), place: last.place)]
        for (a, b) in zip(whole, whole.dropFirst())
        where a.place == b.place && a.seconds < min(end, b.seconds) {
            let seconds = a.seconds..<min(end, b.seconds)
            guard
                seconds.upperBound - seconds.lowerBound >= leastRestSeconds || a.seconds == 0
                    || seconds.upperBound == end
            else { continue }
            if let known = rests.firstIndex(where: { $0.place == a.place }) {
                rests[known].seconds.append(seconds)
            } else {
                rests.append((a.place, [seconds]))
            }
        }
        return rests
    }

    /// Returns times such as "10-38 s".
    private static func times(_ seconds: [Range<Double>]) -> [String] {
        seconds.map { "\(Int($0.lowerBound.rounded()))-\(Int($0.upperBound.rounded())) s" }
    }

    private func drawScale(on canvas: inout Canvas) {
        let meter = Int(pixelsPerMeter.rounded())
        let (right, y) = (box.right - 16, box.bottom - 14)
        canvas.fill(Box(left: right - meter, top: y, right: right, bottom: y + 3), Theme.faint)
        canvas.text("1 m", x: right - meter / 2, y: y - 22, Theme.faint, alignment: .centre)
    }
}
