/// How a subscription looks for beacons; they are found by BLE only.
public struct BeaconStrategy: Sendable, Hashable {
    /// Which of them.
    public var kinds: Set<AdvertisedID.Kind>
    /// They may be found later, if that costs less. Without effect while iBeacons are among them.
    public var isLowPowerPreferred: Bool
    /// Goes on when the app is in the background.
    public var allowInBackground: Bool

    /// The kinds of Eddystone that name a beacon: a fixed name, and one that changes.
    public static let eddystone: Set<AdvertisedID.Kind> = [.eddystone, .ephemeral]

    /// By default all but AltBeacon, in the foreground. Low power is preferred, but not where iBeacons are
    /// looked for, and they are unless `kinds` leaves them out.
    public init(
        kinds: Set<AdvertisedID.Kind> = eddystone.union([.iBeacon]), isLowPowerPreferred: Bool = true,
        allowInBackground: Bool = false
    ) {
        (self.kinds, self.isLowPowerPreferred) = (kinds, isLowPowerPreferred)
        self.allowInBackground = allowInBackground
    }

    /// Eddystone and iBeacons, in the foreground.
    public static let standard = BeaconStrategy()

    /// Whether it listens less, and finds later.
    public var isSparing: Bool { isLowPowerPreferred && !kinds.contains(.iBeacon) }

    /// Throws: `.noBeaconKinds`.
    public func validate() throws(NearbyError) { if kinds.isEmpty { throw .noBeaconKinds } }
}

/// Which beacons a medium is to look for.
public struct BeaconScan: Sendable, Hashable {
    /// What is looked for; a sighting of any other kind the engine drops.
    public var kinds: Set<AdvertisedID.Kind>
    /// It need not listen all the time.
    public var isSparing: Bool

    /// Listens all the time, unless `isSparing`.
    public init(_ kinds: Set<AdvertisedID.Kind>, isSparing: Bool = false) {
        (self.kinds, self.isSparing) = (kinds, isSparing)
    }

    /// All that these want; sparing, if none wants more. Nil without any.
    init?(_ strategies: some Collection<BeaconStrategy>) {
        guard !strategies.isEmpty else { return nil }
        kinds = strategies.reduce(into: []) { $0.formUnion($1.kinds) }
        isSparing = strategies.allSatisfy { $0.isSparing }
    }
}
