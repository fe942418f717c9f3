import Nearby
import Testing

/// Two engines that report only changes lose one another as fast as before, and never without a reason.
@Suite struct QuietTests {
    private static func settled(_ seed: UInt64) throws -> QuietWorld {
        var world = try QuietWorld(seed: seed)
        world.pass(30 + Double(seed % 60))
        try #require(world.devices.allSatisfy { $0.found == 1 })
        return world
    }

    private static func expect(
        _ device: QuietWorld.Device, lostIn seconds: Int, since start: Instant, _ seed: UInt64
    ) throws {
        let lost = try #require(device.lost, "seed \(seed): never lost")
        let time = start.duration(to: lost)
        #expect(time <= .seconds(seconds), "seed \(seed): \(time)")
    }

    private enum Fault: CaseIterable {
        case listenersStop, connectionCloses, deviceVanishes, speakerVanishes
    }

    /// In 50 trials of each kind, whoever is left loses the other within 15 s: both stop hearing; one closes
    /// its connection; one vanishes, and the kernel gives up its connection after 14 s; one that is only
    /// heard, and does not hear, vanishes.
    @Test(arguments: Fault.allCases) private func lostInTime(_ fault: Fault) throws {
        for seed in UInt64(1)...50 {
            var world = try QuietTests.settled(seed)
            if fault == .speakerVanishes {
                // The speaker hears nothing: the listener alone keeps both near.
                world.stopListening(0)
                world.pass(20)
                try #require(world.devices.allSatisfy { $0.found == 1 })
            }
            let start = world.now
            switch fault {
            case .listenersStop:
                world.stopListening(0)
                world.stopListening(1)
            case .connectionCloses:
                world.vanish(0)
                world.endStream(0, isDead: false)
            case .deviceVanishes, .speakerVanishes: world.vanish(0)
            }
            world.pass(14)
            if fault == .deviceVanishes { world.endStream(0, isDead: true) }
            world.pass(6)
            try QuietTests.expect(world.devices[1], lostIn: 15, since: start, seed)
            #expect(world.devices[1].found == 0)
        }
    }

    /// In 50 trials one device hangs, and its kernel still answers for its connection. The other one loses it
    /// 5 s after it is not heard any more.
    @Test func aDeviceThatHangsIsLost() throws {
        for seed in UInt64(1)...50 {
            var world = try QuietTests.settled(seed)
            let start = world.now
            world.vanish(0)
            world.pass(25)
            try QuietTests.expect(world.devices[1], lostIn: 20, since: start, seed)
        }
    }

    /// In 50 trials both devices send no more, though they mean to. How long they have waited already does
    /// not keep them near: after eight intervals of 3 s, or little more, they lose one another.
    @Test func whoCannotSendIsLost() throws {
        for seed in UInt64(1)...50 {
            var world = try QuietTests.settled(seed)
            let start = world.now
            world.mute(0)
            world.mute(1)
            world.pass(40)
            for device in world.devices { try QuietTests.expect(device, lostIn: 30, since: start, seed) }
        }
    }

    /// In 50 trials a crowd comes, so that both devices send five times more rarely than when they were
    /// found, and goes after ten minutes. Neither loses the other. Ten minutes later, when all tokens have
    /// changed, what stops is lost as fast as before.
    @Test func aSlowerSpeakerIsStillHeard() throws {
        for seed in UInt64(1)...50 {
            var world = try QuietTests.settled(seed)
            world.frameSeconds = 9...12
            world.pass(600)
            #expect(
                world.devices.allSatisfy { $0.found == 1 && $0.lost == nil },
                "seed \(seed): lost at \(world.devices.map { $0.lost.map { $0.offset } as Any })")
            world.frameSeconds = 1.8...2.2
            world.pass(600)
            let start = world.now
            world.stopListening(0)
            world.stopListening(1)
            world.pass(20)
            for device in world.devices { try QuietTests.expect(device, lostIn: 15, since: start, seed) }
        }
    }

    /// In ten hours, 14 % of the frames are lost and each stream breaks and comes back 60 times. Neither
    /// device loses the other while it is heard, and both together report less than once a minute on average,
    /// the breaks included.
    @Test func nothingIsLostWithoutReason() throws {
        var world = try QuietWorld(seed: 7)
        for round in 0..<60 {
            world.pass(590)
            world.breakStream(round % 2)
            world.pass(10 * Double(round) / 60)
            world.beginStream(round % 2)
            world.pass(10 - 10 * Double(round) / 60)
        }
        #expect(world.devices.allSatisfy { $0.falselyLost.isEmpty })
        #expect(world.devices.allSatisfy { $0.found == 1 })
        let perMinute = world.devices.map { Double($0.reports) / 600 }
        print("quiet: reports a minute of two devices: \(perMinute)")
        #expect(perMinute.reduce(0, +) <= 1)
    }
}
