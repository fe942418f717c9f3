import Nearby
import NearbyTestSupport

/// The finds of subscribers, and their faults.
final class Audience: Sendable {
    struct Faults: Sendable {
        /// The number of publications that were found although they were found already.
        var duplicates = 0
        /// The number of changes and losses of publications that were not found.
        var strays = 0
        var events = 0
    }

    private struct Seen: Sendable {
        /// The publications that each subscriber has, by subscriber.
        var live: [Int: [PublicationID: String]] = [:]
        var faults = Faults()
    }

    private let seen = Locked(Seen())

    var faults: Faults { seen.withLock { $0.faults } }

    /// Returns the texts that a subscriber has now.
    func texts(of subscriber: Int) -> [String] {
        seen.withLock { Array($0.live[subscriber, default: [:]].values).sorted() }
    }

    func take(_ event: SubscriptionEvent, by subscriber: Int) {
        seen.withLock { seen in
            seen.faults.events += 1
            switch event {
            case .found(let discovery):
                let old = seen.live[subscriber, default: [:]].updateValue(
                    discovery.text, forKey: discovery.id)
                if old != nil { seen.faults.duplicates += 1 }
            case .updated(let discovery):
                let old = seen.live[subscriber, default: [:]].updateValue(
                    discovery.text, forKey: discovery.id)
                if old == nil { seen.faults.strays += 1 }
            case .lost(let discovery):
                if seen.live[subscriber, default: [:]].removeValue(forKey: discovery.id) == nil {
                    seen.faults.strays += 1
                }
            default: break
            }
        }
    }
}

extension Discovery {
    var text: String { String(decoding: message.content, as: UTF8.self) }
}
