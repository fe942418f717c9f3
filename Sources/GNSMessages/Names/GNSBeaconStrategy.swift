import Foundation
import Nearby

/// A strategy for finding beacons. By default a subscription looks for all kinds, spares the battery, and
/// stops in the background.
public final class GNSBeaconStrategy: NSObject, NSCopying, Sendable {
    /// True if a subscription looks for iBeacons besides Eddystone beacons, as it does by default.
    public let includeIBeacons: Bool
    /// True if the search goes on while the app is in the background; by default it does not.
    public let allowInBackground: Bool
    /// True if sparing the battery matters more than finding beacons soon. It has no effect while iBeacons
    /// are included.
    public let lowPowerPreferred: Bool

    public convenience override init() { self.init(paramsBlock: nil) }

    /// - Parameter paramsBlock: called at once with the defaults, to change them; `nil` leaves them.
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

    /// Returns the same object, because it cannot be changed.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The parameters of a ``GNSBeaconStrategy``.
public final class GNSBeaconStrategyParams: NSObject {
    /// True if a subscription looks for iBeacons besides Eddystone beacons.
    public var includeIBeacons = true
    /// True if the search goes on while the app is in the background.
    public var allowInBackground = false
    /// True if beacons may be found later to spare the battery. It has no effect while iBeacons are included.
    public var lowPowerPreferred = true
}
