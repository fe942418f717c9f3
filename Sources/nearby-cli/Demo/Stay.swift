import VirtualRoom

/// How long something stays in one place.
struct Stay {
    var place: String
    var seconds: Range<Double>

    /// Every place on a route, one after the other; doorways belong to what was before.
    static func all(on route: Route, in scene: DemoScene, untilSeconds end: Double) -> [Stay] {
        var stays: [Stay] = []
        for step in 0..<Int((end / stepSeconds).rounded(.up)) {
            let now = Double(step) * stepSeconds
            let name = scene.placeName(route.place(atSeconds: now)) ?? stays.last?.place ?? DemoScene.outside
            let next = min(end, now + stepSeconds)
            if stays.last?.place == name {
                stays[stays.count - 1].seconds = stays[stays.count - 1].seconds.lowerBound..<next
            } else {
                stays.append(Stay(place: name, seconds: now..<next))
            }
        }
        return stays
    }

    private static let stepSeconds = 0.05

    /// When two are in one place, and no wall between.
    static func together(_ a: [Stay], _ b: [Stay]) -> [Range<Double>] {
        a.flatMap { one in
            b.filter { $0.place == one.place && $0.seconds.overlaps(one.seconds) }.map {
                $0.seconds.clamped(to: one.seconds)
            }
        }.sorted { $0.lowerBound < $1.lowerBound }
    }
}
