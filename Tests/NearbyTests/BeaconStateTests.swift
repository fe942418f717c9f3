import Nearby
import Testing

/// Tests of beacons in one device's state, step by step, with answers made by hand.
@Suite struct BeaconStateTests {
    // MARK: From a sighting to a message

    /// A laptop that was asleep has heard nobody, and therefore loses nobody.
    @Test func aStallIsNobodysSilence() throws {
        var device = BeaconDevice()
        try device.subscribe()
        device.hear(BeaconDevice.id(1))
        device.answer(try BeaconDevice.known(BeaconDevice.id(1), "hello"))
        #expect(device.story() == ["+hello"])
        device.now = device.now + .seconds(600)
        device.state.standStill(for: .seconds(600))
        device.take(device.state.advance(to: device.now))
        #expect(device.story() == ["+hello"])
        device.pass(.seconds(16))
        #expect(device.story() == ["+hello", "-hello"])
    }

    @Test func foundOnceThenLost() throws {
        var device = BeaconDevice()
        try device.subscribe()
        #expect(
            device.assignment == MediumAssignment(beacons: BeaconScan([.eddystone, .ephemeral, .iBeacon])))
        #expect(device.statuses[BeaconDevice.one] == .active && device.reports == 0)
        device.hear(BeaconDevice.id(1))
        #expect(device.questions == [BeaconQuery([BeaconDevice.id(1)], .own)])
        device.answer(try BeaconDevice.known(BeaconDevice.id(1), "poster", "menu"))
        #expect(Set(device.story()) == ["+poster", "+menu"])
        for _ in 0..<20 {
            device.pass(.seconds(1))
            device.hear(BeaconDevice.id(1))
        }
        #expect(device.story().count == 2 && device.questions.count == 1)
        device.pass(.seconds(14))
        #expect(device.story().count == 2)
        device.pass(.seconds(2))
        #expect(Set(device.story().suffix(2)) == ["-poster", "-menu"] && device.story().count == 4)
        // The engine still knows the beacon, so that it asks no question.
        device.hear(BeaconDevice.id(1))
        #expect(device.story().count == 6 && device.questions.count == 1)
        #expect(device.state.nextDeadline != nil)
        device.take(try device.state.execute([.unsubscribe(BeaconDevice.one)], now: device.now))
        #expect(device.assignment == .idle)
        device.pass(.seconds(100))
        #expect(device.state.nextDeadline == nil && device.story().count == 6)
    }

    @Test func nearerAndFartherIsTold() throws {
        var device = BeaconDevice()
        try device.subscribe()
        device.hear(BeaconDevice.id(1), rssi: -60, meters: 2)
        device.answer(try BeaconDevice.known(BeaconDevice.id(1), "x"))
        for meters in [2.1, 1.9, 1.0, 1.1, 4.0] {
            device.pass(.seconds(1))
            device.hear(BeaconDevice.id(1), rssi: -60, meters: meters)
        }
        #expect(device.story() == ["+x", "~x", "~x"])
        guard case .updated(let last)? = device.events[BeaconDevice.one]?.last else { throw Missing() }
        #expect(last.beacon == BeaconReading(rssiDBm: -60, meters: 4))
    }

    /// A subscriber is not notified of a beacon that is too far away, and loses one that goes away, in time.
    @Test func onlyWithinItsDistance() throws {
        var device = BeaconDevice()
        try device.subscribe()
        device.hear(BeaconDevice.id(1), meters: 6)
        device.answer(try BeaconDevice.known(BeaconDevice.id(1), "x", within: 3))
        device.hear(BeaconDevice.id(1))
        #expect(device.story() == [])
        device.hear(BeaconDevice.id(1), meters: 2.9)
        #expect(device.story() == ["+x"])
        for _ in 0..<14 {
            device.pass(.seconds(1))
            device.hear(BeaconDevice.id(1), meters: 9)
        }
        #expect(device.story() == ["+x"])
        device.pass(.seconds(2))
        #expect(device.story() == ["+x", "-x"])
    }

    /// A beacon that changes its ephemeral name remains one beacon.
    @Test func anotherEphemeralNameIsTheSameBeacon() throws {
        var device = BeaconDevice()
        try device.subscribe()
        let (old, new) = (BeaconDevice.id(1, .ephemeral), BeaconDevice.id(2, .ephemeral))
        device.hear(old)
        device.answer(try BeaconDevice.known(old, name: "door", "x"))
        device.pass(.seconds(5))
        device.hear(new)
        device.answer(try BeaconDevice.known(new, name: "door", "x"))
        for _ in 0..<30 {
            device.pass(.seconds(1))
            device.hear(new)
        }
        #expect(device.story() == ["+x"])
    }

    // MARK: Which of them

    @Test func filtersAreAskedAndKeptApart() throws {
        var device = BeaconDevice()
        try device.subscribe(BeaconDevice.one, to: .type("t"))
        try device.subscribe(BeaconDevice.two, to: MessageFilter([.namespace("com.other")]))
        device.hear(BeaconDevice.id(1))
        var own = try BeaconDevice.known(BeaconDevice.id(1), "own")
        own.attachments += try BeaconDevice.known(BeaconDevice.id(1), "no", type: "another").attachments
        device.answer(own)
        device.pass(.seconds(1))
        #expect(device.questions.map(\.filter) == [.own, .namespace("com.other")])
        // An attachment of another namespace in the answer is ignored.
        let wrong = try BeaconDevice.known(BeaconDevice.id(1), "wrong").attachments
        var known = try BeaconDevice.known(BeaconDevice.id(1), "theirs", namespace: "com.other")
        known.attachments += wrong
        device.answer(known)
        #expect(device.story(BeaconDevice.one) == ["+own"] && device.story(BeaconDevice.two) == ["+theirs"])
    }

    @Test func onlyTheKindsThatAreWanted() throws {
        var device = BeaconDevice()
        try device.subscribe(BeaconDevice.one, BeaconStrategy(kinds: BeaconStrategy.eddystone))
        #expect(device.assignment.beacons == BeaconScan(BeaconStrategy.eddystone, isSparing: true))
        device.hear(BeaconDevice.id(1, .iBeacon))
        #expect(device.questions.isEmpty)
        // As in the original, low power is for Eddystone only.
        try device.subscribe(BeaconDevice.two)
        #expect(device.assignment.beacons == BeaconScan([.eddystone, .ephemeral, .iBeacon]))
        device.hear(BeaconDevice.id(1, .iBeacon))
        device.answer(try BeaconDevice.known(BeaconDevice.id(1, .iBeacon), "x"))
        #expect(device.story(BeaconDevice.one) == [] && device.story(BeaconDevice.two) == ["+x"])
    }

    // MARK: Raw ids

    @Test func withoutARegistryIdsAreMessages() throws {
        var device = BeaconDevice(hasRegistry: false)
        try device.subscribe()
        try device.subscribe(BeaconDevice.two, to: .type("poster"))
        device.hear(BeaconDevice.id(1))
        device.hear(BeaconDevice.id(2, .iBeacon))
        device.hear(BeaconDevice.id(3, .ephemeral))
        let messages = device.events[BeaconDevice.one, default: []].compactMap {
            if case .found(let one) = $0 { one.message } else { nil }
        }
        #expect(
            messages == [
                try Message(
                    BeaconDevice.id(1).bytes, type: "__eddystone_uid", namespace: "__reserved_namespace"),
                try Message(
                    BeaconDevice.id(2, .iBeacon).bytes, type: "__i_beacon_id",
                    namespace: "__reserved_namespace"),
            ])
        #expect(device.questions.isEmpty && device.story(BeaconDevice.two) == [])
    }

    @Test func rawIdsAreToldToThoseWhoAsk() throws {
        var device = BeaconDevice()
        try device.subscribe(to: .type("__i_beacon_id", namespace: "__reserved_namespace"))
        device.hear(BeaconDevice.id(1))
        device.hear(BeaconDevice.id(2, .iBeacon))
        #expect(device.story().count == 1 && device.questions.isEmpty)
    }

    // MARK: What forbids it

    @Test func nothingWithoutTheUsersConsent() throws {
        var device = BeaconDevice(permission: .undecided)
        try device.subscribe()
        #expect(device.assignment == .idle)
        #expect(device.statuses[BeaconDevice.one] == .inactive([.ble: .permission(.undecided)]))
        device.set(.granted)
        device.hear(BeaconDevice.id(1))
        device.answer(try BeaconDevice.known(BeaconDevice.id(1), "x"))
        device.set(.denied)
        #expect(device.story() == ["+x", "-x"] && device.assignment == .idle)
    }

    @Test func inTheBackgroundOnlyWhatIsForIt() throws {
        var device = BeaconDevice()
        try device.subscribe(BeaconDevice.one)
        try device.subscribe(BeaconDevice.two, BeaconStrategy(allowInBackground: true))
        device.hear(BeaconDevice.id(1))
        device.answer(try BeaconDevice.known(BeaconDevice.id(1), "x"))
        device.setBackground(true)
        #expect(device.story(BeaconDevice.one) == ["+x", "-x"] && device.story(BeaconDevice.two) == ["+x"])
        #expect(device.assignment.beacons?.isSparing == true && device.assignment.isInBackground)
        #expect(device.statuses[BeaconDevice.one] == .inactive([.ble: .background]))
        // With low power, it takes longer to be sure.
        device.pass(.seconds(58))
        #expect(device.story(BeaconDevice.two) == ["+x"])
        device.pass(.seconds(3))
        #expect(device.story(BeaconDevice.two) == ["+x", "-x"])
    }

    @Test func aTimeToLiveEnds() throws {
        var device = BeaconDevice()
        try device.subscribe(timeToLive: .seconds(5))
        device.hear(BeaconDevice.id(1))
        device.answer(try BeaconDevice.known(BeaconDevice.id(1), "x"))
        device.pass(.seconds(5))
        #expect(device.story() == ["+x", "expired"] && device.assignment == .idle)
    }

    @Test func withoutBluetoothItSaysSo() throws {
        var device = BeaconDevice(media: [.audio])
        try device.subscribe()
        #expect(device.statuses[BeaconDevice.one] == .inactive([.ble: .obstacle(.missing)]))
    }

    @Test func whatCannotBeIsRefused() {
        #expect(throws: NearbyError.looksForNothing) { try Subscription(looksForDevices: false).validate() }
        #expect(throws: NearbyError.noBeaconKinds) {
            try Subscription(beacons: BeaconStrategy(kinds: [])).validate()
        }
    }

    private struct Missing: Error {}
}
