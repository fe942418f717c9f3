// Constants as Objective-C spells them. Source of the limits: the public headers, and Android's `Message` for the length of a
// type, which the header does not tell.

import Nearby

/// Bytes of a message's content.
public let kGNSMessageMaximumContentSize = Message.maximumContentByteCount
/// Characters of a message's type.
public let kGNSMessageMaximumTypeLength = Message.maximumTypeCharacterCount

/// Nothing goes on: ``GNSOperationStatus/inactive``.
public let kGNSOperationStatusInactive = GNSOperationStatus.inactive
/// It begins: ``GNSOperationStatus/starting``.
public let kGNSOperationStatusStarting = GNSOperationStatus.starting
/// It goes on: ``GNSOperationStatus/active``.
public let kGNSOperationStatusActive = GNSOperationStatus.active

/// To be found: ``GNSDiscoveryMode/broadcast``.
public let kGNSDiscoveryModeBroadcast = GNSDiscoveryMode.broadcast
/// To find: ``GNSDiscoveryMode/scan``.
public let kGNSDiscoveryModeScan = GNSDiscoveryMode.scan
/// To find and be found.
public let kGNSDiscoveryModeDefault = GNSDiscoveryMode.default

/// By sound: ``GNSDiscoveryMediums/audio``.
public let kGNSDiscoveryMediumsAudio = GNSDiscoveryMediums.audio
/// By Bluetooth low energy: ``GNSDiscoveryMediums/BLE``.
public let kGNSDiscoveryMediumsBLE = GNSDiscoveryMediums.BLE
/// By both media.
public let kGNSDiscoveryMediumsDefault = GNSDiscoveryMediums.default

/// Devices that publish: ``GNSDeviceTypes/usingNearby``.
public let kGNSDeviceUsingNearby = GNSDeviceTypes.usingNearby
/// Beacons: ``GNSDeviceTypes/bleBeacon``.
public let kGNSDeviceBLEBeacon = GNSDeviceTypes.bleBeacon
