import AcousticModem
import AudioMedium
import Foundation
import Nearby
import NearbyOffline
import Signal
import TestSupport
import Testing
import VirtualRoom

/// Tests of devices that share only a key, in a room with a television on: 6 × 5 m, RT60 0.4 s, 3 m apart.
@Suite struct OfflineSimulationTests {
    private static let broadcast = Strategy(media: [.audio], mode: .broadcast)
    private static let scan = Strategy(media: [.audio], mode: .scan)
    private static let room = Room(from: [0, 0], to: [6, 5], rt60Seconds: 0.4)
    /// The loudspeakers are as loud as those of `SimulationTests`.
    private static let settings = AudioMediumSettings(sealedProfile: .dsssFar, levelDBFS: 0)
    static let project = OfflineProject(name: "shop", key: 0..<32)!
    private static let owner = PublisherKey(bytes: [UInt8](repeating: 1, count: 32))!
    private static let stranger = PublisherKey(bytes: [UInt8](repeating: 2, count: 32))!

    /// Makes a box that broadcasts and a phone that only listens, whose clocks are half a minute apart.
    private func boxAndPhone(
        seed: Int, box: OfflineMember = OfflineMember(project, clockError: .seconds(15)),
        phone: OfflineMember = OfflineMember(project, clockError: .seconds(-15)),
        plan: FloorPlan = FloorPlan(rooms: [room]), settings: AudioMediumSettings = settings
    ) -> Simulation {
        var random = SplitMix64(seed: UInt64(seed))
        let place = SIMD3(1 + random.nextUnit(), 1 + random.nextUnit(), 1)
        let angle = random.nextUnit() * Double.pi / 2
        let other = place + 3 * SIMD3(cos(angle), sin(angle), 0)
        return Simulation(
            plan,
            devices: [
                .init("box", AirDevice(route: .fixed(place), microphone: nil), member: box),
                .init("phone", AirDevice(route: .fixed(other), loudspeaker: nil), member: phone),
            ],
            programmes: [.television(at: [3, 4.5, 1], seed: UInt64(seed))], settings: settings,
            seed: random.next())
    }

    /// Returns the times that the phone needs to find a box that has been there for a while, one for each
    /// seed; infinity if it takes longer than a minute. It also counts the wrong messages that were found.
    private func timesToFind(
        _ message: Message, seeds: ClosedRange<Int>, plan: FloorPlan = FloorPlan(rooms: [room]),
        settings: AudioMediumSettings = settings
    ) throws -> (times: [Double], wrong: Int) {
        var (times, wrong) = ([Double](), 0)
        for seed in seeds {
            var room = boxAndPhone(seed: seed, plan: plan, settings: settings)
            try room.publish(message, strategy: Self.broadcast, on: 0)
            room.run(seconds: 3 + 0.17 * Double(seed % 27))
            let start = room.seconds
            try room.subscribe(strategy: Self.scan, on: 1)
            _ = room.run(atMostSeconds: 60) { $0.secondsUntilFound(message, by: 1) != nil }
            times.append((room.timeline.secondsUntilFound(message, by: 1) ?? .infinity) - start)
            wrong += room.timeline.wrongCount(expecting: [message])
        }
        return (times.sorted(), wrong)
    }

    private func tell(_ what: String, _ times: [Double]) {
        let (first, middle, last) = (times[0], times[times.count / 2], times[times.count - 1])
        print(
            "without a server, \(what): \(times.count) seeds, found after \(first) to \(last) s, median \(middle) s"
        )
    }

    /// A message of one frame is found within 10 s in all of 40 seeds, or of 8. A round of token and frame
    /// takes 5 s, and the phone begins anywhere in one.
    @Test func aPhoneFindsABox() throws {
        let (times, wrong) = try timesToFind(
            Message("channel 1", type: "tv"), seeds: 1...Trials.count(8, many: 40))
        tell("one frame", times)
        #expect(times.allSatisfy { $0 <= 10 }, "\(times)")
        #expect(wrong == 0)
    }

    /// The message has four frames, 17 s a round; there are 10 seeds, or 2.
    @Test func aPhoneFindsALongerMessage() throws {
        let message = try Message("tea in the kitchen until five o'clock, come in", type: "place")
        let (times, wrong) = try timesToFind(message, seeds: 1...Trials.count(2, many: 10))
        tell("four frames", times)
        #expect(times.allSatisfy { $0 <= 45 }, "\(times)")
        #expect(wrong == 0)
    }

    /// The same frames go in tones, in the open, with 10 seeds.
    @Test func aPhoneFindsABoxByFSK() throws {
        let settings = AudioMediumSettings(profile: .fsk, levelDBFS: 0)
        let (times, wrong) = try timesToFind(
            Message("channel 1", type: "tv"), seeds: 1...10, plan: .openField, settings: settings)
        tell("by fsk", times)
        #expect(times.allSatisfy { $0 <= 15 }, "\(times)")
        #expect(wrong == 0)
    }

    /// A phone that has found a box walks out, and the door falls shut. The box is lost after the time of
    /// ``OfflineSettings``, three gaps of at most 6 s, and one more for the last frame; there are 10 seeds,
    /// or 2.
    @Test func whoLeavesIsLost() throws {
        let message = try Message("channel 1", type: "tv")
        let plan = FloorPlan(
            rooms: [Self.room, Room(from: [6.2, 0], to: [10, 5], rt60Seconds: 0.4)],
            openings: [Opening(from: [6.1, 2], to: [6.1, 2.9], lossDecibels: Opening.shutDoorDecibels)])
        var times: [Double] = []
        for seed in 1...Trials.count(2, many: 10) {
            let leaves = 20 + 0.57 * Double(seed)
            let route = Route([
                .init(seconds: leaves - 2, place: [3, 2.5, 1]), .init(seconds: leaves, place: [6.1, 2.5, 1]),
                .init(seconds: leaves + 2, place: [9, 1, 1]),
            ])
            let member = OfflineMember(Self.project)
            var room = Simulation(
                plan,
                devices: [
                    .init("box", AirDevice(route: .fixed([1, 2.5, 1]), microphone: nil), member: member),
                    .init("phone", AirDevice(route: route, loudspeaker: nil), member: member),
                ], settings: Self.settings, seed: UInt64(seed))
            try room.publish(message, strategy: Self.broadcast, on: 0)
            try room.subscribe(strategy: Self.scan, on: 1)
            room.run(seconds: 60)
            #expect(room.timeline.count(of: .found, message, by: 1) == 1)
            let lost = room.timeline.entries.first {
                if case .event(.lost, _) = $0.event { true } else { false }
            }
            times.append((lost?.seconds ?? .infinity) - leaves)
        }
        print("without a server, left: lost after \(times.min()!) to \(times.max()!) s")
        #expect(times.allSatisfy { (0...24).contains($0) }, "\(times)")
    }

    /// The phone of another project hears the box all the time.
    @Test(arguments: 1...Trials.count(1, many: 5))
    func anotherProjectFindsNothing(seed: Int) throws {
        let other = try #require(OfflineProject(name: "shop", key: 1..<33))
        var room = boxAndPhone(seed: seed, phone: OfflineMember(other))
        try room.publish(Message("channel 1", type: "tv"), strategy: Self.broadcast, on: 0)
        try room.subscribe(strategy: Self.scan, on: 1)
        room.run(seconds: 40)
        let phone = room.timeline.entries.filter { $0.device == 1 }
        #expect(phone.count { if case .heard = $0.event { true } else { false } } >= 6)
        #expect(phone.allSatisfy { if case .event = $0.event { false } else { true } })
    }

    /// A message that is signed by the trusted publisher is found, in five frames. The same message by
    /// another member of the project is never found. There are 5 seeds each, or one.
    @Test func onlyTheTrustedPublisherIsFound() throws {
        let message = try Message("channel 1", type: "tv")
        let phone = OfflineMember(Self.project, trust: .publishers([Self.owner.publisher]))
        var times: [Double] = []
        for seed in 1...Trials.count(1, many: 5) {
            for signer in [Self.owner, Self.stranger] {
                var room = boxAndPhone(
                    seed: seed, box: OfflineMember(Self.project, signer: signer), phone: phone)
                try room.publish(message, strategy: Self.broadcast, on: 0)
                try room.subscribe(strategy: Self.scan, on: 1)
                room.run(seconds: 60)
                let found = room.timeline.secondsUntilFound(message, by: 1)
                if signer.publisher == Self.owner.publisher {
                    times.append(found ?? .infinity)
                } else {
                    #expect(found == nil)
                }
            }
        }
        tell("signed, five frames", times.sorted())
        #expect(times.allSatisfy { $0 <= 55 }, "\(times)")
    }
}
