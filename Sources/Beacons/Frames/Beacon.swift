/// A beacon's frame in one AD structure, of any of the three kinds.
public enum Beacon: Hashable, Sendable {
    /// A frame in the service data of ``BluetoothUUID/eddystone``, also an
    /// ``EddystoneFrame/unknown(type:byteCount:)`` one.
    case eddystone(EddystoneFrame)
    /// A frame in Apple's manufacturer data.
    case iBeacon(IBeaconFrame)
    /// A frame in any company's manufacturer data.
    case altBeacon(AltBeaconFrame)

    /// `nil` if the structure is no beacon's. Throws ``BeaconRejection`` if it is marked as one but is
    /// invalid.
    public init?(_ structure: borrowing ADStructure) throws(BeaconRejection) {
        if let data = structure.serviceData {
            guard data.uuid == .eddystone else { return nil }
            self = .eddystone(try EddystoneFrame(data.payload))
        } else if let data = structure.manufacturerData {
            if let frame = try IBeaconFrame(data) {
                self = .iBeacon(frame)
            } else if let frame = try AltBeaconFrame(data) {
                self = .altBeacon(frame)
            } else {
                return nil
            }
        } else {
            return nil
        }
    }

    /// The frame's power; `nil` if the frame does not state it.
    public var referencePower: ReferencePower? {
        switch self {
        case .eddystone(let frame): frame.referencePower
        case .iBeacon(let frame): frame.referencePower
        case .altBeacon(let frame): ReferencePower(atOneMeterDBm: Int(frame.powerAtOneMeterDBm))
        }
    }
}

extension AdvertisementComposer {
    /// Appends a beacon's structures, and for Eddystone a list of its service. Nothing is written for an
    /// unknown frame.
    ///
    /// Throws ``AdvertisementOverflow``.
    public mutating func append(_ beacon: Beacon) throws(AdvertisementOverflow) {
        var longer = self
        switch beacon {
        case .eddystone(let frame):
            guard let bytes = frame.bytes else { return }
            try longer.append(listing: .eddystone)
            try longer.append(serviceData: bytes, of: .eddystone)
        case .iBeacon(let frame):
            try longer.append(manufacturerData: frame.bytes, of: IBeaconFrame.company)
        case .altBeacon(let frame): try longer.append(manufacturerData: frame.bytes, of: frame.company)
        }
        self = longer
    }
}
