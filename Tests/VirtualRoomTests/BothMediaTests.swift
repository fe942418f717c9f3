import Nearby
import Signal
import Testing
import VirtualRoom

/// Tests of a box and a phone with sound and Bluetooth, or of a box with only one of them.
@Suite struct BothMediaTests {
    private static func room(seed: Int, boxHasRadio: Bool = true, hasLoudspeaker: Bool = true) -> Simulation {
        let place = SIMD3(1.5, 1.5, 1)
        return Simulation(
            FloorPlan(rooms: [Room(from: [0, 0], to: [6, 5], rt60Seconds: 0.4)]),
            devices: [
                .init(
                    "box",
                    AirDevice(
                        route: .fixed(place), loudspeaker: hasLoudspeaker ? Loudspeaker() : nil,
                        microphone: nil), hasRadio: boxHasRadio),
                .init(
                    "phone", AirDevice(route: .fixed(place + [3, 0, 0]), loudspeaker: nil), hasRadio: true),
            ], seed: UInt64(seed))
    }

    private static let both = Strategy(mode: .broadcast)
    private static let scan = Strategy(mode: .scan)

    private func find(
        _ room: inout Simulation, _ message: Message
    ) throws -> (seconds: Double, media: Set<Medium>) {
        try room.publish(message, strategy: Self.both, on: 0)
        room.run(seconds: 2)
        let start = room.seconds
        try room.subscribe(strategy: Self.scan, on: 1)
        room.run(seconds: 8)
        let media = room.timeline.entries.compactMap { entry -> Medium? in
            guard entry.device == 1, case .heard(let sighting) = entry.event else { return nil }
            return sighting.medium
        }
        let found = room.timeline.secondsUntilFound(message, by: 1) ?? .infinity
        return (found - start, Set(media))
    }

    /// In all of 20 seeds, the box is heard by both media and found once, by whichever is first. It is never
    /// lost, and no other message is found. Bluetooth's frames come every 100 ms and half of them are heard,
    /// and a frame of sound takes 1.35 s. The box is therefore found within a second.
    @Test func oneMessageByWhicheverIsFirst() throws {
        let message = try Message("channel one")
        var times: [Double] = []
        for seed in 1...20 {
            var room = Self.room(seed: seed)
            let (seconds, media) = try find(&room, message)
            times.append(seconds)
            #expect(media == [.audio, .ble])
            #expect(room.timeline.count(of: .found, message, by: 1) == 1)
            #expect(room.timeline.count(of: .updated, message, by: 1) == 0)
            #expect(room.timeline.count(of: .lost, message, by: 1) == 0)
        }
        print("both media: found after \(times.min()!) to \(times.max()!) s")
        #expect(times.allSatisfy { $0 <= 1 }, "\(times)")
    }

    /// The remaining medium is enough: sound without the box's radio, or radio without its loudspeaker.
    @Test(arguments: [(false, true, Medium.audio), (true, false, .ble)])
    func oneMediumIsEnough(boxHasRadio: Bool, hasLoudspeaker: Bool, medium: Medium) throws {
        let message = try Message("channel one")
        for seed in 1...5 {
            var room = Self.room(seed: seed, boxHasRadio: boxHasRadio, hasLoudspeaker: hasLoudspeaker)
            let (seconds, media) = try find(&room, message)
            #expect(seconds <= 4 && media == [medium])
            #expect(room.timeline.count(of: .found, message, by: 1) == 1)
        }
    }

    @Test func theSameSeedIsTheSameStory() throws {
        let message = try Message("channel one")
        let stories = try (0..<2).map { _ in
            var room = Self.room(seed: 3)
            _ = try find(&room, message)
            return room.timeline.entries
        }
        #expect(stories[0] == stories[1] && !stories[0].isEmpty)
    }
}
