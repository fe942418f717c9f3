import Nearby

/// The queue of messages between devices and the registry. They arrive in the order of their arrival times,
/// then of their sending.
struct DelayedDeliveries: Sendable {
    enum Content: Sendable {
        case report(Report)
        case answer(Answer)
        case refusal(RegistryError)
        case events(Answer)
    }

    struct DelayedDelivery: Sendable {
        var content: Content
        var device: Int
        var arrival: Instant
    }

    private var deliveries: [DelayedDelivery] = []

    mutating func send(_ content: Content, _ device: Int, at arrival: Instant) {
        let place = deliveries.lastIndex { $0.arrival <= arrival }.map { $0 + 1 } ?? 0
        deliveries.insert(DelayedDelivery(content: content, device: device, arrival: arrival), at: place)
    }

    mutating func next(at now: Instant) -> DelayedDelivery? {
        guard let first = deliveries.first, first.arrival <= now else { return nil }
        return deliveries.removeFirst()
    }
}
