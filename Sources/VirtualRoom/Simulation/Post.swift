import Nearby

/// What is on its way between devices and the registry; arrives in the order of its time, then of its sending.
struct Post: Sendable {
    enum Content: Sendable {
        case report(Report)
        case answer(Answer)
        case refusal(RegistryError)
        case news(Answer)
    }

    struct Letter: Sendable {
        var content: Content
        var device: Int
        var arrival: Instant
    }

    private var letters: [Letter] = []

    mutating func send(_ content: Content, _ device: Int, at arrival: Instant) {
        let place = letters.lastIndex { $0.arrival <= arrival }.map { $0 + 1 } ?? 0
        letters.insert(Letter(content: content, device: device, arrival: arrival), at: place)
    }

    mutating func next(at now: Instant) -> Letter? {
        guard let first = letters.first, first.arrival <= now else { return nil }
        return letters.removeFirst()
    }
}
