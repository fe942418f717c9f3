/// A beacon that was heard.
public struct BeaconSighting: Sendable, Hashable {
    /// The id that the beacon sent. A beacon that changes its id sends another one later.
    public var id: AdvertisedID
    /// The time from the end of the transmission to now.
    public var age: Duration
    /// The signal strength and distance, as the medium estimates them.
    public var reading: BeaconReading

    /// Creates a sighting; by default it was received just now, without a reading.
    public init(_ id: AdvertisedID, age: Duration = .zero, reading: BeaconReading = BeaconReading()) {
        (self.id, self.age, self.reading) = (id, age, reading)
    }
}

/// The reception of a beacon, as far as the medium reports it.
public struct BeaconReading: Sendable, Hashable {
    /// The received signal strength, or `nil` if the medium does not report it.
    public var rssiDBm: Int?
    /// The approximate distance in metres, or `nil` if it is unknown.
    public var meters: Double?
    /// The standard deviation of ``meters`` as a factor, up and down.
    public var accuracyFactor: Double?

    /// Creates a reading; a value that is not given is unknown.
    public init(rssiDBm: Int? = nil, meters: Double? = nil, accuracyFactor: Double? = nil) {
        (self.rssiDBm, self.meters, self.accuracyFactor) = (rssiDBm, meters, accuracyFactor)
    }

    /// The smallest changes that count; smaller ones are noise.
    static let noticeableFactor = 1.25
    static let noticeableDecibels = 5

    /// Returns true if the change since `before` is worth a notification.
    func differsNoticeably(from before: BeaconReading) -> Bool {
        switch (meters, before.meters) {
        case (let now?, let old?):
            return max(now, old) > min(now, old) * BeaconReading.noticeableFactor
        case (nil, nil): break
        default: return true
        }
        guard let now = rssiDBm, let old = before.rssiDBm else { return rssiDBm != before.rssiDBm }
        return abs(now - old) >= BeaconReading.noticeableDecibels
    }
}
