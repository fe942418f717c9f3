import Nearby
import Testing

@testable import NearbyService

/// Tests of tokens that strangers play beside a box: an app that looks for the box finds it all the same.
@Suite struct StrayTests {
    /// There are 50 seeds for each rate. An app that begins up to 10 minutes after the strays finds the box
    /// within 1.5 times the time without them, in 50 of 50 runs. Nothing of its reports is refused.
    @Test(arguments: [1.0, 10, 100]) func aFreshAppFindsTheBox(perSecond: Double) throws {
        for seed in UInt64(1)...50 {
            let start = Duration.seconds(Double(seed * 37 % 600))
            func time(_ strays: StrayWorld.Strays) throws -> Duration {
                var world = try StrayWorld(seed: seed, strays)
                try world.run(for: start)
                let begun = world.now
                try world.beginScanning()
                try world.run(for: .seconds(60), untilFound: true)
                #expect(world.refusals == [])
                #expect(world.isPublished)
                let found = try #require(world.found)
                return begun.duration(to: found)
            }
            let alone = try time(.init())
            let beside = try time(.init(perSecond: perSecond, isLoud: seed % 2 == 0))
            #expect(beside <= alone * 1.5, "seed \(seed): \(beside) instead of \(alone)")
        }
    }

    /// The same holds by sound alone, where the box is heard once in 1.3 s and each stray is played twice,
    /// louder than the box.
    @Test func repeatedAndLouderStraysDoNotHideIt() throws {
        for seed in UInt64(1)...50 {
            func time(_ strays: StrayWorld.Strays) throws -> Duration {
                var world = try StrayWorld(seed: seed, strays, media: [.audio])
                try world.beginScanning(media: [.audio])
                try world.run(for: .seconds(60), untilFound: true)
                let found = try #require(world.found)
                return Instant.start.duration(to: found)
            }
            let alone = try time(.init())
            let beside = try time(.init(perSecond: 100, repeats: 2, isLoud: true))
            #expect(beside <= alone * 1.5, "seed \(seed): \(beside) instead of \(alone)")
        }
    }

    /// An app that has listened to strays for ten minutes goes on: it never loses the box, the server refuses
    /// nothing, and its reports stay within a device's limit.
    @Test func whoHasListenedForLongGoesOn() throws {
        var world = try StrayWorld(seed: 9, .init(perSecond: 100))
        try world.beginScanning()
        try world.run(for: .seconds(600))
        #expect(world.refusals == [])
        #expect(world.found != nil && world.isPublished)
        #expect(world.counts.invalidTokens > 50_000)
        // These are two devices' heartbeats, and four reports of new tokens a second.
        #expect(world.reportCount < 5 * 600)
    }
}
