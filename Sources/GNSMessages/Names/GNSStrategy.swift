import Foundation
import Nearby

/// How one publication or subscription finds devices: by both media, in both directions, in the foreground, unless told
/// otherwise.
///
///     GNSStrategy(paramsBlock: { params in params?.discoveryMediums = .audio })
public final class GNSStrategy: NSObject, NSCopying, Sendable {
    /// Whether the device sends, listens, or both.
    public let discoveryMode: GNSDiscoveryMode
    /// By what devices find one another.
    public let discoveryMediums: GNSDiscoveryMediums
    /// Whether it goes on while the app is in the background, which BLE as the only medium can.
    public let allowInBackground: Bool
    let includeBLEBeacons: Bool

    public convenience override init() { self.init(paramsBlock: nil) }

    /// - Parameter paramsBlock: called at once with the defaults, to change them; nil leaves them.
    public init(paramsBlock: GNSStrategyParamsBlock?) {
        let params = GNSStrategyParams()
        paramsBlock?(params)
        (discoveryMode, discoveryMediums) = (params.discoveryMode, params.discoveryMediums)
        (allowInBackground, includeBLEBeacons) = (params.allowInBackground, params.includeBLEBeacons)
    }

    /// Cannot be changed: a copy is the same one.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    var strategy: Strategy {
        Strategy(
            media: discoveryMediums.media, mode: discoveryMode.mode, allowInBackground: allowInBackground)
    }
}

/// What a ``GNSStrategy`` is made of.
public final class GNSStrategyParams: NSObject {
    /// Whether the device sends, listens, or both. With neither, what is begun stays inactive.
    public var discoveryMode = GNSDiscoveryMode.default
    /// By what devices find one another. With no medium, what is begun stays inactive.
    public var discoveryMediums = GNSDiscoveryMediums.default
    /// Goes on while the app is in the background. Demands that BLE be the only medium; may be refused.
    public var allowInBackground = false
    /// As versions before 1.0 had it; since then ``GNSSubscriptionParams/deviceTypesToDiscover`` says so.
    public var includeBLEBeacons = false
}
