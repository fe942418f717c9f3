// Constants as Objective-C spells them. The limits are those of the public headers; the length of a type,
// which the header does not give, is that of Android's `Message`.

import Nearby

/// The maximum number of bytes of a message's content.
public let kGNSMessageMaximumContentSize = Message.maximumContentByteCount
/// The maximum number of characters of a message's type.
public let kGNSMessageMaximumTypeLength = Message.maximumTypeCharacterCount

/// The operation does nothing: ``GNSOperationStatus/inactive``.
public let kGNSOperationStatusInactive = GNSOperationStatus.inactive
/// The operation begins: ``GNSOperationStatus/starting``.
public let kGNSOperationStatusStarting = GNSOperationStatus.starting
/// The operation goes on: ``GNSOperationStatus/active``.
public let kGNSOperationStatusActive = GNSOperationStatus.active

/// The device can be found: ``GNSDiscoveryMode/broadcast``.
public let kGNSDiscoveryModeBroadcast = GNSDiscoveryMode.broadcast
/// The device finds others: ``GNSDiscoveryMode/scan``.
public let kGNSDiscoveryModeScan = GNSDiscoveryMode.scan
/// The device finds others and can be found.
public let kGNSDiscoveryModeDefault = GNSDiscoveryMode.default

/// Devices find one another by sound: ``GNSDiscoveryMediums/audio``.
public let kGNSDiscoveryMediumsAudio = GNSDiscoveryMediums.audio
/// Devices find one another by Bluetooth low energy: ``GNSDiscoveryMediums/BLE``.
public let kGNSDiscoveryMediumsBLE = GNSDiscoveryMediums.BLE
/// Devices find one another by both media.
public let kGNSDiscoveryMediumsDefault = GNSDiscoveryMediums.default

/// Devices that publish: ``GNSDeviceTypes/usingNearby``.
public let kGNSDeviceUsingNearby = GNSDeviceTypes.usingNearby
/// Beacons: ``GNSDeviceTypes/bleBeacon``.
public let kGNSDeviceBLEBeacon = GNSDeviceTypes.bleBeacon
