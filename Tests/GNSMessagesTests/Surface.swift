import Foundation
import GNSMessages

/// A member and its value before anyone has changed it. The value is "present" for a member that can only be
/// called, because naming it proves it.
struct Member {
    let name: String
    let value: String

    init(_ name: String, _ value: Any?) { (self.name, self.value) = (name, Member.words(value)) }

    /// Makes a method's or an initializer's member, which proves that it compiles.
    static func present(_ name: String, _: (GNSMessageManager) -> Any?) -> Member { Member(name, "present") }

    private static func words(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let text as String: text == "present" ? text : "\"\(text)\""
        case let mode as GNSDiscoveryMode: "\(mode.rawValue)"
        case let mediums as GNSDiscoveryMediums: "\(mediums.rawValue)"
        case let types as GNSDeviceTypes: "\(types.rawValue)"
        case let status as GNSOperationStatus: "\(status.rawValue)"
        case let strategy as GNSStrategy:
            "(\(strategy.discoveryMode.rawValue), \(strategy.discoveryMediums.rawValue), \(strategy.allowInBackground))"
        case let strategy as GNSBeaconStrategy:
            "(\(strategy.includeIBeacons), \(strategy.allowInBackground), \(strategy.lowPowerPreferred))"
        case let value?: "\(value)"
        }
    }
}

enum Surface {
    static var members: [Member] {
        constants + options + strategies + params + messages + manager + earlier + permission + typealiases
    }

    private static var constants: [Member] {
        [
            Member("kGNSMessageMaximumContentSize", kGNSMessageMaximumContentSize),
            Member("kGNSMessageMaximumTypeLength", kGNSMessageMaximumTypeLength),
            Member("kGNSOperationStatusInactive", kGNSOperationStatusInactive),
            Member("kGNSOperationStatusStarting", kGNSOperationStatusStarting),
            Member("kGNSOperationStatusActive", kGNSOperationStatusActive),
            Member("kGNSDiscoveryModeBroadcast", kGNSDiscoveryModeBroadcast),
            Member("kGNSDiscoveryModeScan", kGNSDiscoveryModeScan),
            Member("kGNSDiscoveryModeDefault", kGNSDiscoveryModeDefault),
            Member("kGNSDiscoveryMediumsAudio", kGNSDiscoveryMediumsAudio),
            Member("kGNSDiscoveryMediumsBLE", kGNSDiscoveryMediumsBLE),
            Member("kGNSDiscoveryMediumsDefault", kGNSDiscoveryMediumsDefault),
            Member("kGNSDeviceUsingNearby", kGNSDeviceUsingNearby),
            Member("kGNSDeviceBLEBeacon", kGNSDeviceBLEBeacon),
        ]
    }

    private static var options: [Member] {
        [
            Member("GNSOperationStatus.inactive", GNSOperationStatus.inactive),
            Member("GNSOperationStatus.starting", GNSOperationStatus.starting),
            Member("GNSOperationStatus.active", GNSOperationStatus.active),
            Member("GNSOperationStatus.Inactive", GNSOperationStatus.Inactive),
            Member("GNSOperationStatus.Starting", GNSOperationStatus.Starting),
            Member("GNSOperationStatus.Active", GNSOperationStatus.Active),
            Member("GNSDiscoveryMode.broadcast", GNSDiscoveryMode.broadcast),
            Member("GNSDiscoveryMode.scan", GNSDiscoveryMode.scan),
            Member("GNSDiscoveryMode.default", GNSDiscoveryMode.default),
            Member("GNSDiscoveryMode.Broadcast", GNSDiscoveryMode.Broadcast),
            Member("GNSDiscoveryMode.Scan", GNSDiscoveryMode.Scan),
            Member("GNSDiscoveryMode.Default", GNSDiscoveryMode.Default),
            Member("GNSDiscoveryMediums.audio", GNSDiscoveryMediums.audio),
            Member("GNSDiscoveryMediums.BLE", GNSDiscoveryMediums.BLE),
            Member("GNSDiscoveryMediums.ble", GNSDiscoveryMediums.ble),
            Member("GNSDiscoveryMediums.default", GNSDiscoveryMediums.default),
            Member("GNSDiscoveryMediums.Audio", GNSDiscoveryMediums.Audio),
            Member("GNSDiscoveryMediums.Default", GNSDiscoveryMediums.Default),
            Member("GNSDeviceTypes.usingNearby", GNSDeviceTypes.usingNearby),
            Member("GNSDeviceTypes.bleBeacon", GNSDeviceTypes.bleBeacon),
            Member("GNSDeviceTypes.UsingNearby", GNSDeviceTypes.UsingNearby),
            Member("GNSDeviceTypes.BLEBeacon", GNSDeviceTypes.BLEBeacon),
        ]
    }

    private static var strategies: [Member] {
        let (strategy, params) = (GNSStrategy(), GNSStrategyParams())
        let (beacons, beaconParams) = (GNSBeaconStrategy(), GNSBeaconStrategyParams())
        return [
            Member("GNSStrategy.init()", strategy),
            Member("GNSStrategy.init(paramsBlock:)", GNSStrategy(paramsBlock: nil)),
            Member("GNSStrategy.copy()", strategy.copy()),
            Member("GNSStrategy.discoveryMode", strategy.discoveryMode),
            Member("GNSStrategy.discoveryMediums", strategy.discoveryMediums),
            Member("GNSStrategy.allowInBackground", strategy.allowInBackground),
            Member("GNSStrategyParams.discoveryMode", params.discoveryMode),
            Member("GNSStrategyParams.discoveryMediums", params.discoveryMediums),
            Member("GNSStrategyParams.allowInBackground", params.allowInBackground),
            Member("GNSStrategyParams.includeBLEBeacons", params.includeBLEBeacons),
            Member("GNSBeaconStrategy.init()", beacons),
            Member("GNSBeaconStrategy.init(paramsBlock:)", GNSBeaconStrategy(paramsBlock: nil)),
            Member("GNSBeaconStrategy.copy()", beacons.copy()),
            Member("GNSBeaconStrategy.includeIBeacons", beacons.includeIBeacons),
            Member("GNSBeaconStrategy.allowInBackground", beacons.allowInBackground),
            Member("GNSBeaconStrategy.lowPowerPreferred", beacons.lowPowerPreferred),
            Member("GNSBeaconStrategyParams.includeIBeacons", beaconParams.includeIBeacons),
            Member("GNSBeaconStrategyParams.allowInBackground", beaconParams.allowInBackground),
            Member("GNSBeaconStrategyParams.lowPowerPreferred", beaconParams.lowPowerPreferred),
        ]
    }

    private static var params: [Member] {
        let (publication, subscription) = (GNSPublicationParams(), GNSSubscriptionParams())
        let manager = GNSMessageManagerParams()
        return [
            Member("GNSPublicationParams.strategy", publication.strategy),
            Member("GNSPublicationParams.statusHandler", publication.statusHandler),
            Member("GNSPublicationParams.permissionRequestHandler", publication.permissionRequestHandler),
            Member("GNSPublicationParams.copy()", (publication.copy() as! GNSPublicationParams).strategy),
            Member("GNSSubscriptionParams.deviceTypesToDiscover", subscription.deviceTypesToDiscover),
            Member("GNSSubscriptionParams.messageNamespace", subscription.messageNamespace),
            Member("GNSSubscriptionParams.type", subscription.type),
            Member("GNSSubscriptionParams.strategy", subscription.strategy),
            Member("GNSSubscriptionParams.beaconStrategy", subscription.beaconStrategy),
            Member("GNSSubscriptionParams.statusHandler", subscription.statusHandler),
            Member("GNSSubscriptionParams.permissionRequestHandler", subscription.permissionRequestHandler),
            Member("GNSSubscriptionParams.copy()", (subscription.copy() as! GNSSubscriptionParams).strategy),
            Member(
                "GNSMessageManagerParams.shouldShowBluetoothPowerAlert", manager.shouldShowBluetoothPowerAlert
            ),
            Member("GNSMessageManagerParams.showBluetoothPowerAlert", manager.showBluetoothPowerAlert),
            Member(
                "GNSMessageManagerParams.shouldUseBestAudioSessionCategory",
                manager.shouldUseBestAudioSessionCategory),
            Member(
                "GNSMessageManagerParams.useBestAudioSessionCategory", manager.useBestAudioSessionCategory),
            Member(
                "GNSMessageManagerParams.microphonePermissionErrorHandler",
                manager.microphonePermissionErrorHandler),
            Member("GNSMessageManagerParams.bluetoothPowerErrorHandler", manager.bluetoothPowerErrorHandler),
            Member(
                "GNSMessageManagerParams.bluetoothPermissionErrorHandler",
                manager.bluetoothPermissionErrorHandler),
        ]
    }

    private static var messages: [Member] {
        let message = GNSMessage(content: Data())
        return [
            Member("GNSMessage.init(content:)", GNSMessage(content: Data("a".utf8)).content),
            Member("GNSMessage.init(content:type:)", GNSMessage(content: nil, type: "t").type),
            Member("GNSMessage.messageNamespace", message.messageNamespace),
            Member("GNSMessage.type", message.type),
            Member("GNSMessage.content", message.content),
        ]
    }

    private static var manager: [Member] {
        let message = GNSMessage(content: Data())
        return [
            .present("GNSMessageManager.init(apiKey:)") { _ in GNSMessageManager(apiKey: "") },
            .present("GNSMessageManager.init(apiKey:paramsBlock:)") { _ in
                GNSMessageManager(apiKey: "", paramsBlock: nil)
            },
            .present("GNSMessageManager.init(APIKey:)") { _ in GNSMessageManager(APIKey: "") },
            .present("GNSMessageManager.init(APIKey:paramsBlock:)") { _ in
                GNSMessageManager(APIKey: "", paramsBlock: nil)
            },
            .present("GNSMessageManager.publication(with:)") { $0.publication(with: message) },
            .present("GNSMessageManager.publication(with:paramsBlock:)") {
                $0.publication(with: message, paramsBlock: nil)
            },
            .present("GNSMessageManager.subscription(messageFoundHandler:messageLostHandler:)") {
                $0.subscription(messageFoundHandler: nil, messageLostHandler: nil)
            },
            .present("GNSMessageManager.subscription(messageFoundHandler:messageLostHandler:paramsBlock:)") {
                $0.subscription(messageFoundHandler: nil, messageLostHandler: nil, paramsBlock: nil)
            },
            .present("GNSMessageManager.setDebugLoggingEnabled(_:)") { _ in
                GNSMessageManager.setDebugLoggingEnabled
            },
            .present("GNSMessageManager.isDebugLoggingEnabled()") { _ in
                GNSMessageManager.isDebugLoggingEnabled
            },
        ]
    }

    /// The members of Swift 2 and of the library before version 1.0.
    private static var earlier: [Member] {
        let message = GNSMessage(content: Data())
        return [
            .present("GNSMessageManager.publicationWithMessage(_:)") { $0.publicationWithMessage(message) },
            .present("GNSMessageManager.publicationWithMessage(_:paramsBlock:)") {
                $0.publicationWithMessage(message, paramsBlock: nil)
            },
            .present("GNSMessageManager.subscriptionWithMessageFoundHandler(_:messageLostHandler:)") {
                $0.subscriptionWithMessageFoundHandler(nil, messageLostHandler: nil)
            },
            .present(
                "GNSMessageManager.subscriptionWithMessageFoundHandler(_:messageLostHandler:paramsBlock:)"
            ) {
                $0.subscriptionWithMessageFoundHandler(nil, messageLostHandler: nil, paramsBlock: nil)
            },
            .present("GNSMessageManager.publication(with: GNSPublicationParams)") {
                $0.publication(with: GNSPublicationParams(message: message, strategy: nil))
            },
            .present("GNSMessageManager.publicationWithParams(_:)") {
                $0.publicationWithParams(GNSPublicationParams(message: message, strategy: nil))
            },
            .present("GNSMessageManager.subscription(with:messageFoundHandler:messageLostHandler:)") {
                $0.subscription(
                    with: GNSSubscriptionParams(), messageFoundHandler: nil, messageLostHandler: nil)
            },
            .present("GNSMessageManager.subscriptionWithParams(_:messageFoundHandler:messageLostHandler:)") {
                $0.subscriptionWithParams(
                    GNSSubscriptionParams(), messageFoundHandler: nil, messageLostHandler: nil)
            },
            Member(
                "GNSPublicationParams.init(message:strategy:)",
                GNSPublicationParams(message: message, strategy: nil).strategy),
            Member("GNSSubscriptionParams.init(messageType:)", GNSSubscriptionParams(messageType: "t").type),
            Member(
                "GNSSubscriptionParams.init(messageType:strategy:)",
                GNSSubscriptionParams(messageType: "t", strategy: nil).strategy),
            Member(
                "GNSSubscriptionParams.init(messageNamespace:type:)",
                GNSSubscriptionParams(messageNamespace: "n", type: "t").messageNamespace),
            Member(
                "GNSSubscriptionParams.init(messageNamespace:type:strategy:)",
                GNSSubscriptionParams(messageNamespace: "n", type: "t", strategy: nil).type),
        ]
    }

    private static var permission: [Member] {
        [
            Member(
                "GNSPermission.isGranted()",
                GNSEnvironment(store: GNSMemoryStore()).run { GNSPermission.isGranted() }),
            .present("GNSPermission.init(changedHandler:)") { _ in GNSPermission(changedHandler: nil) },
            .present("GNSPermission.setGranted(_:)") { _ in GNSPermission.setGranted },
        ]
    }

    private static var typealiases: [Member] {
        [
            Member("GNSPublication", (any GNSPublication).self),
            Member("GNSSubscription", (any GNSSubscription).self),
            Member("GNSMessageHandler", GNSMessageHandler.self),
            Member("GNSErrorStateHandler", GNSErrorStateHandler.self),
            Member("GNSOperationStatusHandler", GNSOperationStatusHandler.self),
            Member("GNSPermissionHandler", GNSPermissionHandler.self),
            Member("GNSPermissionRequestHandler", GNSPermissionRequestHandler.self),
            Member("GNSMessageManagerParamsBlock", GNSMessageManagerParamsBlock.self),
            Member("GNSPublicationParamsBlock", GNSPublicationParamsBlock.self),
            Member("GNSSubscriptionParamsBlock", GNSSubscriptionParamsBlock.self),
        ]
    }
}
