/// What a beacon says in one AD structure, of any of the three kinds.
public enum Beacon: Hashable, Sendable {
    /// In the service data of ``BluetoothUUID/eddystone``, even what is ``EddystoneFrame/unknown(type:byteCount:)``.
    case eddystone(EddystoneFrame)
    /// In Apple's manufacturer data.
    case iBeacon(IBeaconFrame)
    /// In any company's manufacturer data.
    case altBeacon(AltBeaconFrame)

    /// Nil where the structure is no beacon's. Throws ``BeaconRejection`` where it says that it is one, and is not.
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

    /// Nil for frames that do not say it.
    public var referencePower: ReferencePower? {
        switch self {
        case .eddystone(let frame): frame.referencePower
        case .iBeacon(let frame): frame.referencePower
        case .altBeacon(let frame): ReferencePower(atOneMeterDBm: Int(frame.powerAtOneMeterDBm))
        }
    }
}

extension AdvertisementComposer {
    /// A beacon's structures; Eddystone's service is listed besides. Nothing is written for an unknown frame.
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
