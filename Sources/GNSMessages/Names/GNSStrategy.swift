import Foundation
import Nearby

/// A strategy by which one publication or subscription finds devices. By default it uses both media, in both
/// directions, and only in the foreground.
///
///     GNSStrategy(paramsBlock: { params in params?.discoveryMediums = .audio })
public final class GNSStrategy: NSObject, NSCopying, Sendable {
    /// The directions: the device sends, listens, or both.
    public let discoveryMode: GNSDiscoveryMode
    /// The media by which devices find one another.
    public let discoveryMediums: GNSDiscoveryMediums
    /// True if the operation goes on while the app is in the background. Only a strategy with BLE as its only
    /// medium can.
    public let allowInBackground: Bool
    let includeBLEBeacons: Bool

    public convenience override init() { self.init(paramsBlock: nil) }

    /// - Parameter paramsBlock: called at once with the defaults, to change them; `nil` leaves them.
    public init(paramsBlock: GNSStrategyParamsBlock?) {
        let params = GNSStrategyParams()
        paramsBlock?(params)
        (discoveryMode, discoveryMediums) = (params.discoveryMode, params.discoveryMediums)
        (allowInBackground, includeBLEBeacons) = (params.allowInBackground, params.includeBLEBeacons)
    }

    /// Returns the same object, because it cannot be changed.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    var strategy: Strategy {
        Strategy(
            media: discoveryMediums.media, mode: discoveryMode.mode, allowInBackground: allowInBackground)
    }
}

/// The parameters of a ``GNSStrategy``.
public final class GNSStrategyParams: NSObject {
    /// The directions: the device sends, listens, or both. With neither, the operation stays inactive.
    public var discoveryMode = GNSDiscoveryMode.default
    /// The media by which devices find one another. With no medium, the operation stays inactive.
    public var discoveryMediums = GNSDiscoveryMediums.default
    /// True if the operation goes on while the app is in the background. This demands that BLE is the only
    /// medium, and may be refused.
    public var allowInBackground = false
    /// True if a subscription also looks for beacons. This is the parameter of versions before 1.0; its
    /// successor is ``GNSSubscriptionParams/deviceTypesToDiscover``.
    public var includeBLEBeacons = false
}
