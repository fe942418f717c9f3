import Foundation
import Nearby
import Signal
import Testing
import VirtualRoom

@Suite struct SimulationTests {
    private static let room = FloorPlan(rooms: [Room(from: [0, 0], to: [6, 5], rt60Seconds: 0.4)])
    private static let sound: Set<Medium> = [.audio]

    /// A box that broadcasts, a television beside it, and a phone 3 m away that begins to scan at some time.
    private func boxAndPhone(seed: Int, route: Route? = nil, plan: FloorPlan = room) throws -> Simulation {
        var random = SplitMix64(seed: UInt64(seed))
        let box = SIMD3(1 + random.nextUnit(), 1 + random.nextUnit(), 1)
        let angle = random.nextUnit() * Double.pi / 2
        let phone = box + 3 * SIMD3(cos(angle), sin(angle), 0)
        return Simulation(
            plan,
            devices: [
                .init("box", AirDevice(route: .fixed(box), microphone: nil)),
                .init("phone", AirDevice(route: route ?? .fixed(phone), loudspeaker: nil)),
            ],
            programmes: [.television(at: [3, 4.5, 1], seed: UInt64(seed))], seed: random.next())
    }

    /// Issue's figure: at least 99 of 100 within 3 s of room time. The true share is taken for 0.997 or better: of 100 then at
    /// most one is missed in 96 of 100 campaigns; this is one campaign, of fixed seeds.
    @Test func aPhoneFindsABoxWithinThreeSeconds() throws {
        let message = try Message("channel one", type: "channel")
        var late: [Int] = []
        for seed in 1...100 {
            var room = try boxAndPhone(seed: seed)
            try room.publish(message, strategy: Strategy(media: Self.sound, mode: .broadcast), on: 0)
            room.run(seconds: 5 + 0.05 * Double(seed % 29))
            let start = room.seconds
            try room.subscribe(strategy: Strategy(media: Self.sound, mode: .scan), on: 1)
            _ = room.run(atMostSeconds: 12) { $0.secondsUntilFound(message, by: 1) != nil }
            let found = room.timeline.secondsUntilFound(message, by: 1).map { $0 - start }
            if found.map({ $0 > 3 }) ?? true { late.append(seed) }
            print("seed", seed, found ?? -1)
        }
        #expect(late.count <= 1, "\(late)")
    }
}
