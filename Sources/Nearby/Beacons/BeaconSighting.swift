/// A beacon that was heard.
public struct BeaconSighting: Sendable, Hashable {
    /// What it sent; a beacon that changes its names sends another one later.
    public var id: AdvertisedID
    /// Between its end on air and now.
    public var age: Duration
    /// How strongly, and from how far, as the medium makes it out.
    public var reading: BeaconReading

    /// By default it was received just now, and nothing is known of how well.
    public init(_ id: AdvertisedID, age: Duration = .zero, reading: BeaconReading = BeaconReading()) {
        (self.id, self.age, self.reading) = (id, age, reading)
    }
}

/// How a beacon was heard, as far as the medium tells.
public struct BeaconReading: Sendable, Hashable {
    /// How strongly it was received; nil where the medium does not tell.
    public var rssiDBm: Int?
    /// About; nil where nothing is known of it.
    public var meters: Double?
    /// One standard deviation of ``meters`` is a factor, up and down.
    public var accuracyFactor: Double?

    /// What is not given is not known.
    public init(rssiDBm: Int? = nil, meters: Double? = nil, accuracyFactor: Double? = nil) {
        (self.rssiDBm, self.meters, self.accuracyFactor) = (rssiDBm, meters, accuracyFactor)
    }

    /// Less than that is noise.
    static let noticeableFactor = 1.25
    static let noticeableDecibels = 5

    /// Whether it is worth telling whoever was told `before`.
    func isNews(after before: BeaconReading) -> Bool {
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
