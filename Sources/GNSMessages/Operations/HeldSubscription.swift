import Foundation
import Nearby

/// A subscription, or the reason why there is none.
final class HeldSubscription: HeldOperation, GNSSubscription, @unchecked Sendable {
    private let found: HandlerBox<GNSMessage?>
    private let lost: HandlerBox<GNSMessage?>

    init(
        _ params: GNSSubscriptionParams, found: GNSMessageHandler?, lost: GNSMessageHandler?,
        of manager: GNSMessageManager, hasBLE: Bool
    ) {
        let executor = manager.executor
        self.found = HandlerBox(found, on: executor)
        self.lost = HandlerBox(lost, on: executor)
        let report = OperationReport(
            "Subscribe", HandlerBox(params.statusHandler, on: executor), log: manager.log)
        let wanted = Wanted(params)
        manager.log.say("Subscribe (\(wanted.summary))")
        if wanted.includesBeacons, let obstacle = Wanted.beaconObstacle(hasBLE: hasBLE) {
            manager.log.say("Beacon: Not scanning: \(obstacle)")
        }
        super.init(
            report, of: manager, asking: params.permissionRequestHandler,
            isPossible: wanted.obstacle == nil,
            saved: wanted.isInBackground ? .subscription(wanted) : nil,
            begin: HeldSubscription.begin(
                wanted, report, Finds(found: self.found, lost: self.lost), hasBLE: hasBLE))
    }

    deinit {
        found.close()
        lost.close()
    }

    private static func begin(
        _ wanted: Wanted, _ report: OperationReport, _ finds: Finds, hasBLE: Bool
    ) -> EngineLink.Begin? {
        let isForDevices = wanted.deviceTypes.contains(.usingNearby)
        let beacons = isForDevices ? nil : Wanted.beaconObstacle(hasBLE: hasBLE)
        if let obstacle = wanted.obstacle ?? beacons {
            report.become(.inactive, because: obstacle)
            return nil
        }
        return { engine in
            let events = try await engine.subscribe(
                wanted.subscription(hasBLE: hasBLE), onStatus: { report.follow($0) })
            Task.detached {
                var finds = finds
                for await event in events { finds.take(event) }
            }
            return events.operation
        }
    }
}

/// The messages that a subscription has found, which it reports to its handlers.
private struct Finds: Sendable {
    let found: HandlerBox<GNSMessage?>
    let lost: HandlerBox<GNSMessage?>
    /// The messages found so far: the lost handler receives the same object as the found handler.
    private var known: [PublicationID: GNSMessage] = [:]

    init(found: HandlerBox<GNSMessage?>, lost: HandlerBox<GNSMessage?>) {
        (self.found, self.lost) = (found, lost)
    }

    mutating func take(_ event: SubscriptionEvent) {
        switch event {
        case .found(let discovery), .updated(let discovery):
            let message = GNSMessage(discovery.message)
            // A beacon may just be nearer now, for which the original has no notification.
            if known[discovery.id] == message { return }
            lose(discovery.id)
            known[discovery.id] = message
            found.call(message)
        case .lost(let discovery): lose(discovery.id)
        case .heardBytes, .expired: break
        }
    }

    private mutating func lose(_ id: PublicationID) {
        if let message = known.removeValue(forKey: id) { lost.call(message) }
    }
}
