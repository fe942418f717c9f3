import Foundation
import Nearby

/// How a subscription looks for beacons: for all kinds, sparing the battery, in the foreground, unless told otherwise.
public final class GNSBeaconStrategy: NSObject, NSCopying, Sendable {
    public let includeIBeacons: Bool
    public let allowInBackground: Bool
    /// Without effect while iBeacons are included.
    public let lowPowerPreferred: Bool

    public convenience override init() { self.init(paramsBlock: nil) }

    public init(paramsBlock: GNSBeaconStrategyParamsBlock?) {
        let params = GNSBeaconStrategyParams()
        paramsBlock?(params)
        (includeIBeacons, allowInBackground) = (params.includeIBeacons, params.allowInBackground)
        lowPowerPreferred = params.lowPowerPreferred
    }

    var strategy: BeaconStrategy {
        BeaconStrategy(
            kinds: BeaconStrategy.eddystone.union(includeIBeacons ? [.iBeacon] : []),
            isLowPowerPreferred: lowPowerPreferred, allowInBackground: allowInBackground)
    }

    /// Cannot be changed: a copy is the same one.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// What a ``GNSBeaconStrategy`` is made of.
public final class GNSBeaconStrategyParams: NSObject {
    /// Besides Eddystone.
    public var includeIBeacons = true
    public var allowInBackground = false
    public var lowPowerPreferred = true
}
