import Foundation
import Nearby

/// How a subscription looks for beacons: for all kinds, sparing the battery, in the foreground, unless told otherwise.
public final class GNSBeaconStrategy: NSObject, NSCopying, Sendable {
    /// Whether iBeacons are looked for besides Eddystone; by default they are.
    public let includeIBeacons: Bool
    /// Whether it goes on while the app is in the background; by default it does not.
    public let allowInBackground: Bool
    /// Without effect while iBeacons are included.
    public let lowPowerPreferred: Bool

    public convenience override init() { self.init(paramsBlock: nil) }

    /// - Parameter paramsBlock: called at once with the defaults, to change them; nil leaves them.
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
    /// Goes on while the app is in the background.
    public var allowInBackground = false
    /// Beacons may be found later, if that spares the battery. Without effect while iBeacons are included.
    public var lowPowerPreferred = true
}
