import Nearby
import Signal
import Testing

/// A device that hears beacons. The tests answer its questions by hand.
struct BeaconDevice {
    static let (one, two) = (OperationID(1), OperationID(2))

    var state: EngineState
    var now = Instant.start
    private(set) var questions: [BeaconQuery] = []
    private(set) var reports = 0
    private(set) var events: [OperationID: [SubscriptionEvent]] = [:]
    private(set) var statuses: [OperationID: OperationStatus] = [:]
    private(set) var assignment = MediumAssignment.idle

    init(hasRegistry: Bool = true, permission: Permission = .granted, media: [Medium] = [.ble]) {
        state = EngineState(
            permission: permission, hasBeaconRegistry: hasRegistry, random: SplitMix64(seed: 1))
        for medium in media { take(state.happened(.condition(.ready), on: medium, now: now)) }
    }

    mutating func take(_ actions: [EngineAction]) {
        for action in actions {
            switch action {
            case .askBeacons(let question): questions.append(question)
            case .report: reports += 1
            case .deliver(let event, let id): events[id, default: []].append(event)
            case .operation(let status, let id): statuses[id] = status
            case .assign(let assignment, to: .ble): self.assignment = assignment
            default: break
            }
        }
    }

    mutating func subscribe(
        _ id: OperationID = BeaconDevice.one, to filter: MessageFilter = .everything,
        _ beacons: BeaconStrategy = .standard, timeToLive: Duration? = nil
    ) throws {
        let subscription = Subscription(
            filter, strategy: Strategy(timeToLive: timeToLive), looksForDevices: false, beacons: beacons)
        take(try state.execute([.subscribe(id, subscription)], now: now))
    }

    mutating func hear(_ id: AdvertisedID, rssi: Int? = nil, meters: Double? = nil) {
        let reading = BeaconReading(rssiDBm: rssi, meters: meters)
        take(state.happened(.beacon(BeaconSighting(id, reading: reading)), on: .ble, now: now))
    }

    mutating func answer(_ known: KnownBeacon...) { take(state.beaconsAnswered(known, now: now)) }

    mutating func fail(_ error: RegistryError = .unreachable("cut")) {
        take(state.beaconsFailed(error, now: now))
    }

    /// Lets time pass, and does everything that falls due meanwhile.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while let due = state.nextDeadline, due <= end {
            now = max(now, due)
            take(state.advance(to: now))
        }
        now = end
    }

    mutating func set(_ permission: Permission) { take(state.setPermission(permission, now: now)) }
    mutating func setBackground(_ isInBackground: Bool) {
        take(state.setBackground(isInBackground, now: now))
    }

    /// Returns the events as `+` for found, `-` for lost and `~` for updated, each with the content.
    func story(_ id: OperationID = BeaconDevice.one) -> [String] {
        events[id, default: []].map { event in
            switch event {
            case .found(let one): "+" + one.message.text
            case .updated(let one): "~" + one.message.text
            case .lost(let one): "-" + one.message.text
            case .heardBytes: "bytes"
            case .expired: "expired"
            }
        }
    }

    // MARK: Beacons around it

    static func id(_ number: Int, _ kind: AdvertisedID.Kind = .eddystone) -> AdvertisedID {
        var bytes = [UInt8](repeating: 0, count: kind.byteCount)
        (bytes[0], bytes[1]) = (UInt8(number >> 8 & 255), UInt8(number & 255))
        return AdvertisedID(kind, bytes)!
    }

    static func known(
        _ id: AdvertisedID, name: String = "b", _ texts: String..., namespace: String = "project",
        type: String = "t", within meters: Double = 0
    ) throws -> KnownBeacon {
        let type = try #require(AttachmentType(namespace: namespace, type: type))
        return KnownBeacon(
            id: id, name: name,
            attachments: try texts.map {
                try #require(BeaconAttachment(type, $0.utf8, maximumDistanceMeters: meters))
            })
    }
}
