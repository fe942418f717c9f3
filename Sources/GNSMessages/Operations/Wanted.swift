import Nearby

/// A subscription's parameters as values.
struct Wanted: Sendable {
    var deviceTypes: GNSDeviceTypes
    var messageNamespace: String
    var type: String
    var strategy: GNSStrategy
    var beaconStrategy: GNSBeaconStrategy

    init(_ params: GNSSubscriptionParams) {
        strategy = params.strategy ?? GNSStrategy()
        beaconStrategy = params.beaconStrategy ?? GNSBeaconStrategy()
        deviceTypes = params.deviceTypesToDiscover
        if strategy.includeBLEBeacons { deviceTypes.insert(.bleBeacon) }
        (messageNamespace, type) = (params.messageNamespace ?? "", params.type ?? "")
    }

    var includesBeacons: Bool { deviceTypes.contains(.bleBeacon) }

    /// True if any part of the subscription goes on in the background, as far as it can.
    var isInBackground: Bool {
        strategy.allowInBackground || (includesBeacons && beaconStrategy.allowInBackground)
    }

    /// The reason why the subscription cannot be carried out on any media; `nil` if it can.
    var obstacle: String? {
        if deviceTypes.isEmpty { return "it looks for no devices" }
        do throws(NearbyError) { try strategy.strategy.validate() } catch { return "\(error)" }
        return nil
    }

    /// The filter of the messages; without a type it admits all types of the namespace.
    var filter: MessageFilter {
        type.isEmpty
            ? MessageFilter([.namespace(messageNamespace)]) : .type(type, namespace: messageNamespace)
    }

    /// The parameters as the original's log shows them: raw values, then flags for beacons at all, iBeacons
    /// and low power.
    var summary: String {
        let beacons = [includesBeacons, beaconStrategy.includeIBeacons, beaconStrategy.lowPowerPreferred]
        return strategy.summary + ", beacons: " + beacons.map { $0 ? "1" : "0" }.joined(separator: "/")
            + ", background: \(isInBackground ? 1 : 0)"
    }

    /// Returns the reason why beacons cannot be found; `nil` if they can.
    static func beaconObstacle(hasBLE: Bool) -> String? {
        hasBLE ? nil : "beacons are found by BLE, and there is no BLE medium"
    }

    /// Returns the engine's subscription.
    func subscription(hasBLE: Bool) -> Subscription {
        Subscription(
            filter, strategy: strategy.strategy, looksForDevices: deviceTypes.contains(.usingNearby),
            beacons: includesBeacons && hasBLE ? beaconStrategy.strategy : nil)
    }
}
