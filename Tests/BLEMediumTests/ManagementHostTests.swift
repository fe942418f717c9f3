import BLEMedium
import Nearby
import Testing

struct ManagementHostTests {
    private func order(_ number: UInt64, scan: RadioOrder.Scan? = .foreground) -> RadioOrder {
        var order = RadioOrder.token(number, scan: scan)
        order.patterns = [.init(type: 0x16, [0xF3, 0xFE])]
        return order
    }

    @Test func anOrderIsCarriedOut() throws {
        var scene = ManagementScene()
        scene.carryOut(order(7))
        #expect(
            scene.kernel.commands.map(\.code) == [
                .readInfo, .readAdvertisingFeatures, .removeAdvertising, .addAdvertising, .addPatternMonitor,
            ])
        // The numbers are: the last instance, no flags, the usual duration, 30 s, 27 bytes.
        let add = try #require(scene.kernel.commands.first { $0.code == .addAdvertising }).parameters
        #expect(Array(add.prefix(11)) == [5, 0, 0, 0, 0, 0, 0, 30, 0, 27, 0])
        #expect(TokenAdvertisement().frames(in: Array(add.dropFirst(11))) == [Token(bits: 7).bytes])
        let monitor = try #require(scene.kernel.commands.last).parameters
        #expect(monitor.count == 35 && Array(monitor.prefix(6)) == [1, 0x16, 0, 2, 0xF3, 0xFE])
        #expect(scene.found == [.found(nil, .broadcast, "hci0 works"), .found(nil, .scan, "hci0 works")])
    }

    /// If beacons are added, the kernel receives the new patterns.
    @Test func otherPatternsAreWatchedAnew() throws {
        var scene = ManagementScene()
        var order = order(7)
        scene.carryOut(order)
        order.patterns += [RadioOrder.Pattern(.iBeacon), RadioOrder.Pattern(.altBeacon)]
        scene.carryOut(order)
        #expect(
            scene.kernel.commands.suffix(3).map(\.code) == [
                .addPatternMonitor, .removeMonitor, .addPatternMonitor,
            ])
        let monitor = try #require(scene.kernel.commands.last).parameters
        #expect(monitor.count == 1 + 3 * 34 && monitor[0] == 3)
        #expect(Array(monitor[35...].prefix(7)) == [0xFF, 0, 4, 0x4C, 0x00, 0x02, 0x15])
        #expect(Array(monitor[69...].prefix(5)) == [0xFF, 2, 2, 0xBE, 0xAC])
        scene.carryOut(order)
        #expect(scene.kernel.commands.last?.code == .addPatternMonitor && scene.kernel.monitors.count == 1)
    }

    /// For 1000 new tokens, an advertisement is removed before the next one is added, never replaced.
    @Test func aNewTokenIsRemoveThenAdd() {
        var scene = ManagementScene()
        for number in 1...1000 as ClosedRange<UInt64> { scene.carryOut(order(number)) }
        let codes = scene.kernel.commands.map(\.code).filter {
            $0 == .addAdvertising || $0 == .removeAdvertising
        }
        #expect(codes.count == 2000)
        #expect(
            codes.enumerated().allSatisfy {
                $0.element == ($0.offset % 2 == 0 ? .removeAdvertising : .addAdvertising)
            })
        #expect(scene.kernel.advertisements.count == 1)
    }

    /// A killed program has left it. The kernel does not list it, for there are fewer than its number.
    @Test func aLeftoverIsRemovedFirst() {
        var scene = ManagementScene()
        scene.kernel.advertisements = [1: [9], 5: [1]]
        scene.carryOut(order(7, scan: nil))
        #expect(
            scene.kernel.commands.map(\.code) == [
                .readInfo, .readAdvertisingFeatures, .removeAdvertising, .addAdvertising,
            ])
        #expect(scene.kernel.advertisements[1] == [9] && scene.kernel.advertisements.count == 2)
    }

    /// A token that goes on for longer than the kernel keeps it is sent again in time.
    @Test func anOldAdvertisementIsSentAnew() {
        var scene = ManagementScene()
        scene.carryOut(order(7, scan: nil))
        scene.run(for: .seconds(70))
        #expect(scene.kernel.commands.count { $0.code == .addAdvertising } == 4)
    }

    @Test func stoppingRemovesAll() {
        var scene = ManagementScene()
        scene.carryOut(order(7))
        scene.stop()
        #expect(scene.host.isStopped && scene.kernel.advertisements.isEmpty && scene.kernel.monitors.isEmpty)
    }

    /// Kernel 6.1 with a controller of the old commands refuses a new advertisement while it scans. The scan
    /// makes way for it, at once from the second one on.
    @Test func aScanMakesWayForANewAddress() {
        var scene = ManagementScene()
        scene.kernel.hasOneAddress = true
        scene.carryOut(order(7))
        for number in 8...10 as ClosedRange<UInt64> {
            scene.carryOut(order(number))
            #expect(scene.kernel.advertisements.count == 1 && scene.kernel.monitors.count == 1)
        }
        #expect(scene.kernel.commands.count { $0.code == .addAdvertising } == 5)
        #expect(scene.kernel.commands.count { $0.code == .addPatternMonitor } == 4)
        #expect(scene.found == [.found(nil, .broadcast, "hci0 works"), .found(nil, .scan, "hci0 works")])
    }

    // MARK: Hearing

    @Test func reportsAreTaken() {
        var scene = ManagementScene()
        scene.carryOut(order(7))
        let body: [UInt8] = [7, 0, 6, 5, 4, 3, 2, 1, 2, 0xCE, 0, 0, 0, 0, 2, 0, 0xAA, 0xBB]
        scene.receive(Kernel.event(0x002F, body))
        #expect(
            scene.heard == [
                AdvertisingReport(
                    RadioAddress(.random, bits: 0x0102_0304_0506), rssiDBm: -50, data: [0xAA, 0xBB])
            ])
        scene.receive(Kernel.event(0x002F, body.dropLast()))
        scene.receive([1, 2])
        #expect(scene.heard.count == 1 && scene.host.malformedCount == 2)
    }

    /// A kernel without monitors discovers, and is restarted because it hides devices that it has heard.
    @Test func withoutMonitorsItDiscovers() {
        var scene = ManagementScene()
        scene.kernel.knowsMonitors = false
        scene.carryOut(order(7))
        #expect(scene.kernel.isDiscovering)
        scene.run(for: .seconds(10))
        #expect(scene.kernel.commands.count { $0.code == .startDiscovery } == 4)
        scene.receive(Kernel.event(0x0013, [6, 0]))
        #expect(scene.kernel.commands.count { $0.code == .startDiscovery } == 5)
        let body: [UInt8] = [6, 5, 4, 3, 2, 1, 2, 0xCE, 0, 0, 0, 0, 1, 0, 0xAA]
        scene.receive(Kernel.event(0x0012, body))
        #expect(scene.heard.map(\.data) == [[0xAA]])
        scene.stop()
        #expect(scene.host.isStopped && !scene.kernel.isDiscovering)
    }

    // MARK: Trouble

    @Test func powerIsWaitedFor() {
        var scene = ManagementScene()
        scene.kernel.settings = 0x0200
        scene.carryOut(order(7))
        #expect(scene.kernel.commands.map(\.code) == [.readInfo])
        let words = "hci0 is powered off: power it on, as with bluetoothctl power on"
        #expect(scene.found == [.found(.poweredOff, .broadcast, words), .found(.poweredOff, .scan, words)])
        scene.kernel.settings = 0x0201
        scene.receive(Kernel.event(0x0006, Kernel.bytes(0x0201)))
        #expect(scene.kernel.advertisements.count == 1 && scene.kernel.monitors.count == 1)
        #expect(scene.found.last == .found(nil, .scan, "hci0 works"))
        scene.receive(Kernel.event(0x0006, Kernel.bytes(0x0200)))
        #expect(scene.found.last == .found(.poweredOff, .scan, words))
        scene.kernel.advertisements = [:]
        scene.receive(Kernel.event(0x0006, Kernel.bytes(0x0201)))
        #expect(scene.kernel.advertisements.count == 1)
    }

    /// A forbidden operation is reported with the missing capability, and tried again.
    @Test func aMissingCapabilityIsNamed() {
        var scene = ManagementScene()
        scene.kernel.refusal = [.addAdvertising: 0x14, .addPatternMonitor: 0x14]
        scene.carryOut(order(7))
        let words = "hci0 is closed to this program: it needs CAP_NET_ADMIN"
        #expect(scene.found == [.found(.forbidden, .broadcast, words), .found(.forbidden, .scan, words)])
        scene.run(for: .seconds(8))
        #expect(scene.kernel.commands.count { $0.code == .addAdvertising } == 4)
        scene.kernel.refusal = [:]
        scene.run(for: .seconds(8))
        #expect(scene.kernel.advertisements.count == 1 && scene.kernel.monitors.count == 1)
        #expect(scene.found.last == .found(nil, .scan, "hci0 works"))
    }

    /// A refused direction does not affect the other one.
    @Test func oneDirectionFailsByItself() {
        var scene = ManagementScene()
        scene.kernel.refusal = [.addAdvertising: 0x0B]
        scene.carryOut(order(7))
        #expect(scene.kernel.monitors.count == 1)
        #expect(scene.found.contains(.found(nil, .scan, "hci0 works")))
        #expect(!scene.found.contains(.found(nil, .broadcast, "hci0 works")))
    }

    @Test func anAdapterThatComesBackIsUsedAgain() {
        var scene = ManagementScene()
        scene.carryOut(order(7))
        scene.receive(Kernel.event(0x0005, []))
        #expect(scene.found.last == .found(.failing, .scan, "hci0 was unplugged"))
        scene.kernel = Kernel()
        scene.receive(Kernel.event(0x0004, []))
        #expect(scene.kernel.advertisements.count == 1 && scene.kernel.monitors.count == 1)
        #expect(scene.found.last == .found(nil, .scan, "hci0 works"))
    }

    @Test func aSilentKernelIsOpenedAnew() {
        var scene = ManagementScene()
        let actions = scene.host.carryOut(order(7), now: .start)
        #expect(actions.count == 1)
        #expect(
            scene.host.advance(to: .start + .seconds(5))
                == [.reopen("the kernel did not answer readInfo within 5 s")])
    }

    @Test func anythingElseIsNone() {
        var random = TestRandom(5)
        for _ in 0..<20_000 {
            let count = Int(random.next() % 60)
            var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if count >= 6 { (bytes[4], bytes[5]) = (UInt8(count - 6), 0) }
            _ = ManagementEvent(bytes)
        }
        #expect(ManagementEvent([0x12, 0, 0, 0, 1, 0]) == nil)
    }
}
