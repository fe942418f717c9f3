/// A subscription's strategy for finding beacons, which only BLE can find.
public struct BeaconStrategy: Sendable, Hashable {
    /// The kinds of beacons to look for.
    public var kinds: Set<AdvertisedID.Kind>
    /// True if beacons may be found later to save power. This has no effect while ``kinds`` contains
    /// iBeacons.
    public var isLowPowerPreferred: Bool
    /// True if the search continues while the app is in the background.
    public var allowInBackground: Bool

    /// The kinds of Eddystone ids that identify a beacon: a fixed id, and one that changes.
    public static let eddystone: Set<AdvertisedID.Kind> = [.eddystone, .ephemeral]

    /// Creates a strategy. By default it looks for all kinds except AltBeacon, in the foreground. Low power
    /// is preferred, but has an effect only if `kinds` leaves iBeacons out.
    public init(
        kinds: Set<AdvertisedID.Kind> = eddystone.union([.iBeacon]), isLowPowerPreferred: Bool = true,
        allowInBackground: Bool = false
    ) {
        (self.kinds, self.isLowPowerPreferred) = (kinds, isLowPowerPreferred)
        self.allowInBackground = allowInBackground
    }

    /// Eddystone and iBeacons, in the foreground.
    public static let standard = BeaconStrategy()

    /// True if the medium listens less and finds beacons later.
    public var isSparing: Bool { isLowPowerPreferred && !kinds.contains(.iBeacon) }

    /// Throws: `.noBeaconKinds`.
    public func validate() throws(NearbyError) { if kinds.isEmpty { throw .noBeaconKinds } }
}

/// The kinds of beacons that a medium is to look for.
public struct BeaconScan: Sendable, Hashable {
    /// The kinds to look for. The engine drops a sighting of any other kind.
    public var kinds: Set<AdvertisedID.Kind>
    /// True if the medium need not listen all the time.
    public var isSparing: Bool

    /// Creates a scan that listens all the time, unless `isSparing` is true.
    public init(_ kinds: Set<AdvertisedID.Kind>, isSparing: Bool = false) {
        (self.kinds, self.isSparing) = (kinds, isSparing)
    }

    /// Combines the scans of several strategies. The result is sparing if all of them are. Returns `nil` if
    /// there are none.
    init?(_ strategies: some Collection<BeaconStrategy>) {
        guard !strategies.isEmpty else { return nil }
        kinds = strategies.reduce(into: []) { $0.formUnion($1.kinds) }
        isSparing = strategies.allSatisfy { $0.isSparing }
    }
}
