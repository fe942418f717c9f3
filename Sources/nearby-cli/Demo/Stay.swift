import VirtualRoom

/// A period of time that a device spends in one place.
struct Stay {
    var place: String
    var seconds: Range<Double>

    /// Returns the stays on a route, in order. A doorway belongs to the place before it.
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

    /// Returns the periods that two devices spend in the same place.
    static func together(_ a: [Stay], _ b: [Stay]) -> [Range<Double>] {
        a.flatMap { one in
            b.filter { $0.place == one.place && $0.seconds.overlaps(one.seconds) }.map {
                $0.seconds.clamped(to: one.seconds)
            }
        }.sorted { $0.lowerBound < $1.lowerBound }
    }
}
