import Nearby
import Signal
import Testing

/// Tests of beacons in one device's state, step by step, with answers made by hand.
@Suite struct BeaconStateTests {
    private struct Device {
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
            _ id: OperationID = one, to filter: MessageFilter = .everything,
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
        func story(_ id: OperationID = one) -> [String] {
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
    }

    private static let (one, two) = (OperationID(1), OperationID(2))

    private static func id(_ number: Int, _ kind: AdvertisedID.Kind = .eddystone) -> AdvertisedID {
        var bytes = [UInt8](repeating: 0, count: kind.byteCount)
        (bytes[0], bytes[1]) = (UInt8(number >> 8 & 255), UInt8(number & 255))
        return AdvertisedID(kind, bytes)!
    }

    private static func known(
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

    // MARK: From a sighting to a message

    /// A laptop that was asleep has heard nobody, and therefore loses nobody.
    @Test func aStallIsNobodysSilence() throws {
        var device = Device()
        try device.subscribe()
        device.hear(Self.id(1))
        device.answer(try Self.known(Self.id(1), "hello"))
        #expect(device.story() == ["+hello"])
        device.now = device.now + .seconds(600)
        device.state.standStill(for: .seconds(600))
        device.take(device.state.advance(to: device.now))
        #expect(device.story() == ["+hello"])
        device.pass(.seconds(16))
        #expect(device.story() == ["+hello", "-hello"])
    }

    @Test func foundOnceThenLost() throws {
        var device = Device()
        try device.subscribe()
        #expect(
            device.assignment == MediumAssignment(beacons: BeaconScan([.eddystone, .ephemeral, .iBeacon])))
        #expect(device.statuses[Self.one] == .active && device.reports == 0)
        device.hear(Self.id(1))
        #expect(device.questions == [BeaconQuery([Self.id(1)], .own)])
        device.answer(try Self.known(Self.id(1), "poster", "menu"))
        #expect(Set(device.story()) == ["+poster", "+menu"])
        for _ in 0..<20 {
            device.pass(.seconds(1))
            device.hear(Self.id(1))
        }
        #expect(device.story().count == 2 && device.questions.count == 1)
        device.pass(.seconds(14))
        #expect(device.story().count == 2)
        device.pass(.seconds(2))
        #expect(Set(device.story().suffix(2)) == ["-poster", "-menu"] && device.story().count == 4)
        // The engine still knows the beacon, so that it asks no question.
        device.hear(Self.id(1))
        #expect(device.story().count == 6 && device.questions.count == 1)
        #expect(device.state.nextDeadline != nil)
        device.take(try device.state.execute([.unsubscribe(Self.one)], now: device.now))
        #expect(device.assignment == .idle)
        device.pass(.seconds(100))
        #expect(device.state.nextDeadline == nil && device.story().count == 6)
    }

    @Test func nearerAndFartherIsTold() throws {
        var device = Device()
        try device.subscribe()
        device.hear(Self.id(1), rssi: -60, meters: 2)
        device.answer(try Self.known(Self.id(1), "x"))
        for meters in [2.1, 1.9, 1.0, 1.1, 4.0] {
            device.pass(.seconds(1))
            device.hear(Self.id(1), rssi: -60, meters: meters)
        }
        #expect(device.story() == ["+x", "~x", "~x"])
        guard case .updated(let last)? = device.events[Self.one]?.last else { throw Missing() }
        #expect(last.beacon == BeaconReading(rssiDBm: -60, meters: 4))
    }

    /// A subscriber is not notified of a beacon that is too far away, and loses one that goes away, in time.
    @Test func onlyWithinItsDistance() throws {
        var device = Device()
        try device.subscribe()
        device.hear(Self.id(1), meters: 6)
        device.answer(try Self.known(Self.id(1), "x", within: 3))
        device.hear(Self.id(1))
        #expect(device.story() == [])
        device.hear(Self.id(1), meters: 2.9)
        #expect(device.story() == ["+x"])
        for _ in 0..<14 {
            device.pass(.seconds(1))
            device.hear(Self.id(1), meters: 9)
        }
        #expect(device.story() == ["+x"])
        device.pass(.seconds(2))
        #expect(device.story() == ["+x", "-x"])
    }

    /// A beacon that changes its ephemeral name remains one beacon.
    @Test func anotherEphemeralNameIsTheSameBeacon() throws {
        var device = Device()
        try device.subscribe()
        let (old, new) = (Self.id(1, .ephemeral), Self.id(2, .ephemeral))
        device.hear(old)
        device.answer(try Self.known(old, name: "door", "x"))
        device.pass(.seconds(5))
        device.hear(new)
        device.answer(try Self.known(new, name: "door", "x"))
        for _ in 0..<30 {
            device.pass(.seconds(1))
            device.hear(new)
        }
        #expect(device.story() == ["+x"])
    }

    // MARK: Which of them

    @Test func filtersAreAskedAndKeptApart() throws {
        var device = Device()
        try device.subscribe(Self.one, to: .type("t"))
        try device.subscribe(Self.two, to: MessageFilter([.namespace("com.other")]))
        device.hear(Self.id(1))
        var own = try Self.known(Self.id(1), "own")
        own.attachments += try Self.known(Self.id(1), "no", type: "another").attachments
        device.answer(own)
        device.pass(.seconds(1))
        #expect(device.questions.map(\.filter) == [.own, .namespace("com.other")])
        // An attachment of another namespace in the answer is ignored.
        let wrong = try Self.known(Self.id(1), "wrong").attachments
        var known = try Self.known(Self.id(1), "theirs", namespace: "com.other")
        known.attachments += wrong
        device.answer(known)
        #expect(device.story(Self.one) == ["+own"] && device.story(Self.two) == ["+theirs"])
    }

    @Test func onlyTheKindsThatAreWanted() throws {
        var device = Device()
        try device.subscribe(Self.one, BeaconStrategy(kinds: BeaconStrategy.eddystone))
        #expect(device.assignment.beacons == BeaconScan(BeaconStrategy.eddystone, isSparing: true))
        device.hear(Self.id(1, .iBeacon))
        #expect(device.questions.isEmpty)
        // As in the original, low power is for Eddystone only.
        try device.subscribe(Self.two)
        #expect(device.assignment.beacons == BeaconScan([.eddystone, .ephemeral, .iBeacon]))
        device.hear(Self.id(1, .iBeacon))
        device.answer(try Self.known(Self.id(1, .iBeacon), "x"))
        #expect(device.story(Self.one) == [] && device.story(Self.two) == ["+x"])
    }

    // MARK: Raw ids

    @Test func withoutARegistryIdsAreMessages() throws {
        var device = Device(hasRegistry: false)
        try device.subscribe()
        try device.subscribe(Self.two, to: .type("poster"))
        device.hear(Self.id(1))
        device.hear(Self.id(2, .iBeacon))
        device.hear(Self.id(3, .ephemeral))
        let messages = device.events[Self.one, default: []].compactMap {
            if case .found(let one) = $0 { one.message } else { nil }
        }
        #expect(
            messages == [
                try Message(Self.id(1).bytes, type: "__eddystone_uid", namespace: "__reserved_namespace"),
                try Message(
                    Self.id(2, .iBeacon).bytes, type: "__i_beacon_id", namespace: "__reserved_namespace"),
            ])
        #expect(device.questions.isEmpty && device.story(Self.two) == [])
    }

    @Test func rawIdsAreToldToThoseWhoAsk() throws {
        var device = Device()
        try device.subscribe(to: .type("__i_beacon_id", namespace: "__reserved_namespace"))
        device.hear(Self.id(1))
        device.hear(Self.id(2, .iBeacon))
        #expect(device.story().count == 1 && device.questions.isEmpty)
    }

    // MARK: The registry

    /// Beacons that are heard while a question is on its way wait together for the next one.
    @Test func questionsAreOneAtATime() throws {
        var device = Device()
        try device.subscribe()
        for number in 1...300 { device.hear(Self.id(number)) }
        #expect(device.questions.map(\.ids.count) == [1])
        device.answer()
        #expect(device.questions.count == 1)
        device.pass(.milliseconds(500))
        #expect(device.questions.map(\.ids.count) == [1, 256])
        device.answer()
        device.pass(.milliseconds(500))
        #expect(device.questions.map(\.ids.count) == [1, 256, 43])
        #expect(Set(device.questions.flatMap(\.ids)).count == 300)
    }

    @Test func unknownOnesAreNotAskedAgainForAWhile() throws {
        var device = Device()
        try device.subscribe()
        func live(_ seconds: Int) {
            for _ in 0..<seconds {
                device.pass(.seconds(1))
                device.hear(Self.id(1))
            }
        }
        device.hear(Self.id(1))
        device.answer()
        live(59)
        #expect(device.questions.count == 1)
        live(2)
        #expect(device.questions.count == 2)
        device.answer(try Self.known(Self.id(1), "late"))
        #expect(device.story() == ["+late"])
        live(299)
        #expect(device.questions.count == 2)
        live(3)
        #expect(device.questions.count == 3)
        // The beacon's owner has taken it back.
        device.answer()
        #expect(device.story() == ["+late", "-late"])
    }

    @Test func aRegistryThatDoesNotAnswerIsAskedLaterAndLater() throws {
        var device = Device()
        try device.subscribe()
        device.hear(Self.id(1))
        // The intervals are 1, 2, 4, 8, 16, 30, 30 … s, or as little as half of that.
        for _ in 0..<120 {
            device.fail()
            device.pass(.seconds(1))
            device.hear(Self.id(1))
        }
        #expect((7...13).contains(device.questions.count), "\(device.questions.count)")
        #expect(device.questions.allSatisfy { $0.ids == [Self.id(1)] })
        #expect(device.state.currentStatus?.registryError == .unreachable("cut"))
        device.pass(.seconds(40))
        device.hear(Self.id(1))
        device.pass(.seconds(2))
        device.answer(try Self.known(Self.id(1), "x"))
        #expect(device.story() == ["+x"] && device.state.currentStatus?.registryError == nil)
    }

    /// However many ids are invented, real beacons stay, and nothing grows.
    @Test func aFloodDoesNotPushOutWhatIsThere() throws {
        var device = Device()
        try device.subscribe()
        device.hear(Self.id(60_000))
        device.answer(try Self.known(Self.id(60_000), "x"))
        for second in 0..<60 {
            device.pass(.seconds(1))
            device.hear(Self.id(60_000))
            for number in 0..<500 { device.hear(Self.id((second * 500 + number) % 50_000)) }
            if device.questions.count > 1 { device.answer() }
        }
        #expect(device.story() == ["+x"])
        #expect(device.questions.allSatisfy { $0.ids.count <= 256 })
        #expect(device.questions.count <= 121)
    }

    // MARK: What forbids it

    @Test func nothingWithoutTheUsersConsent() throws {
        var device = Device(permission: .undecided)
        try device.subscribe()
        #expect(device.assignment == .idle)
        #expect(device.statuses[Self.one] == .inactive([.ble: .permission(.undecided)]))
        device.set(.granted)
        device.hear(Self.id(1))
        device.answer(try Self.known(Self.id(1), "x"))
        device.set(.denied)
        #expect(device.story() == ["+x", "-x"] && device.assignment == .idle)
    }

    @Test func inTheBackgroundOnlyWhatIsForIt() throws {
        var device = Device()
        try device.subscribe(Self.one)
        try device.subscribe(Self.two, BeaconStrategy(allowInBackground: true))
        device.hear(Self.id(1))
        device.answer(try Self.known(Self.id(1), "x"))
        device.setBackground(true)
        #expect(device.story(Self.one) == ["+x", "-x"] && device.story(Self.two) == ["+x"])
        #expect(device.assignment.beacons?.isSparing == true && device.assignment.isInBackground)
        #expect(device.statuses[Self.one] == .inactive([.ble: .background]))
        // With low power, it takes longer to be sure.
        device.pass(.seconds(58))
        #expect(device.story(Self.two) == ["+x"])
        device.pass(.seconds(3))
        #expect(device.story(Self.two) == ["+x", "-x"])
    }

    @Test func aTimeToLiveEnds() throws {
        var device = Device()
        try device.subscribe(timeToLive: .seconds(5))
        device.hear(Self.id(1))
        device.answer(try Self.known(Self.id(1), "x"))
        device.pass(.seconds(5))
        #expect(device.story() == ["+x", "expired"] && device.assignment == .idle)
    }

    @Test func withoutBluetoothItSaysSo() throws {
        var device = Device(media: [.audio])
        try device.subscribe()
        #expect(device.statuses[Self.one] == .inactive([.ble: .obstacle(.missing)]))
    }

    @Test func whatCannotBeIsRefused() {
        #expect(throws: NearbyError.looksForNothing) { try Subscription(looksForDevices: false).validate() }
        #expect(throws: NearbyError.noBeaconKinds) {
            try Subscription(beacons: BeaconStrategy(kinds: [])).validate()
        }
    }

    private struct Missing: Error {}
}
