import Nearby

/// What a subscription looks for: its parameters as values.
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

    /// Whether any of it goes on in the background, if it can.
    var isInBackground: Bool {
        strategy.allowInBackground || (includesBeacons && beaconStrategy.allowInBackground)
    }

    /// Why it cannot be carried out, whatever media there are; nil when it can.
    var obstacle: String? {
        if deviceTypes.isEmpty { return "it looks for no devices" }
        do throws(NearbyError) { try strategy.strategy.validate() } catch { return "\(error)" }
        return nil
    }

    /// Without a type: all types of the namespace.
    var filter: MessageFilter {
        type.isEmpty
            ? MessageFilter([.namespace(messageNamespace)]) : .type(type, namespace: messageNamespace)
    }

    /// As the original's log has it: raw values; beacons at all, iBeacons, low power.
    var summary: String {
        let beacons = [includesBeacons, beaconStrategy.includeIBeacons, beaconStrategy.lowPowerPreferred]
        return strategy.summary + ", beacons: " + beacons.map { $0 ? "1" : "0" }.joined(separator: "/")
            + ", background: \(isInBackground ? 1 : 0)"
    }

    /// Why beacons are not found; nil when they are.
    static func beaconObstacle(hasBLE: Bool) -> String? {
        hasBLE ? nil : "beacons are found by BLE, and there is no BLE medium"
    }

    /// What the engine is asked for.
    func subscription(hasBLE: Bool) -> Subscription {
        Subscription(
            filter, strategy: strategy.strategy, looksForDevices: deviceTypes.contains(.usingNearby),
            beacons: includesBeacons && hasBLE ? beaconStrategy.strategy : nil)
    }
}
