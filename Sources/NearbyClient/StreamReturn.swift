import Nearby

/// The time after which a client comes back when its stream of events broke. A value type without a network.
///
/// A server that ends breaks all its streams in one moment. So that its clients do not come back in one
/// moment, it told each of them in advance how long the return of all takes. A client draws a time from
/// that, unless something is near it: then it may be missed, and comes back within ``soon``.
///
///     break ─┬─ 0.25 s …… 2 s                          clients that have found something
///            └─ 0.25 s ……………………… retryWithin          all others
struct StreamReturn: Sendable {
    private struct Find: Hashable {
        var subscription: OperationID
        var publication: PublicationID
    }

    static let least = Duration.milliseconds(250)
    static let soon = Duration.seconds(2)
    /// The longest time that is believed.
    static let longest = Duration.seconds(3600)

    private var advised: Duration?
    /// The publications that were found and are not lost.
    private var finds: Set<Find> = []

    /// - Parameter retryWithinSeconds: the server's advice; `nil` if an event has none.
    mutating func take(retryWithinSeconds seconds: Int?) {
        guard let seconds, seconds > 0 else { return }
        advised = min(.seconds(seconds), StreamReturn.longest)
    }

    mutating func note(_ deliveries: [Answer.Delivery]) {
        for delivery in deliveries {
            let find = Find(subscription: delivery.subscription, publication: delivery.discovery.id)
            switch delivery.change {
            case .found, .updated: finds.insert(find)
            case .lost: finds.remove(find)
            }
        }
    }

    /// Forgets what ended subscriptions have found, of which nothing more is delivered.
    mutating func forget(_ ended: some Collection<OperationID>) {
        guard !ended.isEmpty else { return }
        finds = finds.filter { !ended.contains($0.subscription) }
    }

    /// Forgets everything that was found.
    mutating func forgetFinds() { finds = [] }

    /// The time within which the client comes back; `nil` if the server gave no advice.
    var window: Duration? { advised.map { finds.isEmpty ? $0 : min($0, StreamReturn.soon) } }

    /// Draws the time until the return; `nil` if the server gave no advice.
    func draw(using random: inout some RandomNumberGenerator) -> Duration? {
        guard let window else { return nil }
        return random.nextDuration(in: min(StreamReturn.least, window)...window)
    }
}
