import Glibc
import Nearby
import Synchronization
import Testing

@testable import BLEMedium

/// Tests of whole media in real time, in radio environments of their own within this process.
@Suite(.timeLimit(.minutes(2))) struct BLEMediumTests {
    private let strategy = (
        broadcast: BLEMediumTests.strategy(.broadcast), scan: BLEMediumTests.strategy(.scan)
    )

    private static func strategy(_ mode: Strategy.Mode) -> Strategy { Strategy(media: [.ble], mode: mode) }

    /// A box that only broadcasts and a phone that only listens have an engine each, over controllers with
    /// old and new commands.
    @Test(arguments: ["legacy found", "new found"])
    func aMessageIsFoundUpdatedAndLost(_ air: String) async throws {
        let registry = LocalRegistry()
        let box = NearbyEngine(
            media: [try BLEMedium(.loopback(air))], registry: registry.device())
        let phone = NearbyEngine(
            media: [try BLEMedium(.loopback(air))], registry: registry.device())
        let events = try await phone.subscribe(to: .type("channel"), strategy: strategy.scan)
        let publication = try await box.publish(Message("one", type: "channel"), strategy: strategy.broadcast)
        var iterator = events.makeAsyncIterator()
        guard case .found(let first) = await iterator.next() else { throw Missing() }
        #expect(first.message.text == "one")
        try await publication.update(Message("two", type: "channel"))
        guard case .updated(let second) = await iterator.next() else { throw Missing() }
        #expect(second.message.text == "two" && second.id == first.id)
        await box.end()
        #expect(await iterator.next() == .lost(second))
        await phone.end()
    }

    /// In the background the medium listens a tenth of the time, and so it does for beacons that need no
    /// more. Everything else stays.
    @Test(arguments: [
        (MediumAssignment(isScanning: true), RadioOrder.Scan.foreground),
        (MediumAssignment(isScanning: true, isInBackground: true), .background),
        (MediumAssignment(beacons: BeaconScan([.iBeacon])), .foreground),
        (MediumAssignment(beacons: BeaconScan([.iBeacon]), isInBackground: true), .background),
        (MediumAssignment(beacons: BeaconScan([.eddystone], isSparing: true)), .background),
        (MediumAssignment(isScanning: true, beacons: BeaconScan([.eddystone], isSparing: true)), .foreground),
    ])
    func howMuchItListens(_ assignment: MediumAssignment, _ scan: RadioOrder.Scan) {
        var assignment = assignment
        assignment.broadcast = .init([.token(Token(bits: 1))], cadence: .continuous)
        let order = RadioOrder(assignment, BLEMediumSettings(), epoch: 7)
        #expect(order.scan == scan && order.advertising?.epoch == 7)
        assignment.isInBackground.toggle()
        let other = RadioOrder(assignment, BLEMediumSettings(), epoch: 7)
        #expect(other.patterns == order.patterns && other.advertising == order.advertising)
    }

    @Test func aSightingSaysHowStrong() async throws {
        let (box, phone) = (try BLEMedium(.loopback("strong")), try BLEMedium(.loopback("strong")))
        await box.carryOut(assignment(token: 7))
        await phone.carryOut(MediumAssignment(isScanning: true))
        for await case .sighted(let sighting) in phone.events() {
            #expect(sighting.payload == .token(Token(bits: 7)) && sighting.medium == .ble)
            #expect(sighting.signal == .init(rssiDBm: -50))
            break
        }
    }

    /// A missing radio shows in the condition, and in words. As soon as it is there, everything goes on by
    /// itself.
    @Test func aRadioThatIsNotThereIsTriedAgain() async throws {
        let words = Mutex<[String]>([])
        let medium = try BLEMedium(.unix(path: "/tmp/nearby no such controller")) { role, obstacle, line in
            words.withLock { $0.append("\(role.rawValue): \(line)") }
            #expect(obstacle == .failing)
        }
        var events = medium.events().makeAsyncIterator()
        #expect(await events.next() == .condition(.ready))
        await medium.carryOut(assignment(token: 7))
        while let event = await events.next(), !event.isFailing {}
        #expect(
            words.withLock { $0.first }
                == "broadcast: no controller at /tmp/nearby no such controller: No such file or directory")
        await medium.carryOut(.idle)
    }

    /// If the last order is to do nothing, nothing is on air when the call returns.
    @Test func silenceIsWaitedFor() async throws {
        let (box, phone) = (
            try BLEMedium(.loopback("silence")),
            try BLEMedium(.loopback("silence"), settings: .init(tellsEvery: .zero))
        )
        var events = phone.events().makeAsyncIterator()
        await phone.carryOut(MediumAssignment(isScanning: true))
        for number in 1...20 as ClosedRange<UInt64> {
            await box.carryOut(assignment(token: number))
            while let event = await events.next() {
                if case .sighted(let sighting) = event, sighting.payload == .token(Token(bits: number)) {
                    break
                }
            }
            await box.carryOut(.idle)
        }
        // Earlier sightings are delivered earlier.
        let after = Mutex(0)
        let reader = Task {
            while let event = await events.next() {
                if case .sighted = event { after.withLock { $0 += 1 } }
            }
        }
        try await Task.sleep(for: .milliseconds(100))
        after.withLock { $0 = 0 }
        try await Task.sleep(for: .milliseconds(500))
        #expect(after.withLock { $0 } == 0)
        await phone.carryOut(.idle)
        reader.cancel()
    }

    /// The medium's thread and its transmissions end with it.
    @Test func aDroppedMediumFallsSilent() async throws {
        let phone = try BLEMedium(.loopback("dropped"), settings: .init(tellsEvery: .zero))
        var box: BLEMedium? = try BLEMedium(.loopback("dropped"))
        var events = phone.events().makeAsyncIterator()
        await phone.carryOut(MediumAssignment(isScanning: true))
        await box?.carryOut(assignment(token: 7))
        while let event = await events.next() { if case .sighted = event { break } }
        box = nil
        _ = box
        try await Task.sleep(for: .milliseconds(300))
        let count = Mutex(0)
        let reader = Task {
            while let event = await events.next() {
                if case .sighted = event { count.withLock { $0 += 1 } }
            }
        }
        try await Task.sleep(for: .milliseconds(100))
        count.withLock { $0 = 0 }
        try await Task.sleep(for: .milliseconds(500))
        #expect(count.withLock { $0 } == 0)
        reader.cancel()
    }

    /// If an air's thread could not be started, the air is unchanged, and the next host starts the thread.
    @Test func anAirOutlivesAThreadThatDidNotStart() throws {
        let air = try LoopbackAir.named("no thread at first")
        #expect(throws: BLEError.self) {
            try air.connect { _ throws(BLEError) in throw BLEError(.unavailable, "no more threads") }
        }
        let host = try air.connect()
        let reset: [UInt8] = [1, 3, 12, 0]
        #expect(send(host.raw, reset, reset.count, 0) == reset.count)
        var answer = pollfd(fd: host.raw, events: Int16(POLLIN), revents: 0)
        #expect(poll(&answer, 1, 20_000) == 1, "the controller answers")
    }

    /// A slow reader still receives the last condition, and a bounded number of sightings.
    @Test func aSlowReaderIsToldTheLastCondition() async throws {
        let medium = try BLEMedium(.unix(path: "/tmp/nearby no such controller"))
        await medium.carryOut(assignment(token: 7))
        try await Task.sleep(for: .milliseconds(200))
        var events = medium.events().makeAsyncIterator()
        #expect(await events.next()?.isFailing == true)
        await medium.carryOut(.idle)
    }

    private func assignment(token: UInt64) -> MediumAssignment {
        MediumAssignment(broadcast: .init([.token(Token(bits: token))], cadence: .continuous))
    }

    private struct Missing: Error {}
}

extension MediumEvent {
    /// True if neither direction works and each has a reason.
    var isFailing: Bool {
        guard case .condition(let condition) = self else { return false }
        return condition.broadcast == .failing && condition.scan == .failing && condition.reasons.count == 2
    }
}
