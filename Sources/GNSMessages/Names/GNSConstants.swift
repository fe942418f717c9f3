// Constants as Objective-C spells them. Source of the limits: the public headers, and Android's `Message` for the length of a
// type, which the header does not tell.

import Nearby

/// Bytes of a message's content.
public let kGNSMessageMaximumContentSize = Message.maximumContentByteCount
/// Characters of a message's type.
public let kGNSMessageMaximumTypeLength = Message.maximumTypeCharacterCount

public let kGNSOperationStatusInactive = GNSOperationStatus.inactive
public let kGNSOperationStatusStarting = GNSOperationStatus.starting
public let kGNSOperationStatusActive = GNSOperationStatus.active

public let kGNSDiscoveryModeBroadcast = GNSDiscoveryMode.broadcast
public let kGNSDiscoveryModeScan = GNSDiscoveryMode.scan
public let kGNSDiscoveryModeDefault = GNSDiscoveryMode.default

public let kGNSDiscoveryMediumsAudio = GNSDiscoveryMediums.audio
public let kGNSDiscoveryMediumsBLE = GNSDiscoveryMediums.BLE
public let kGNSDiscoveryMediumsDefault = GNSDiscoveryMediums.default

public let kGNSDeviceUsingNearby = GNSDeviceTypes.usingNearby
public let kGNSDeviceBLEBeacon = GNSDeviceTypes.bleBeacon
