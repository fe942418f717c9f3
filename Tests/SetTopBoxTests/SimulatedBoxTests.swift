import Testing

@testable import stb_bench

/// Tests of a box in simulated air while a programme plays. `Tools/bench/stb` gives the complete figures.
@Suite struct SimulatedBoxTests {
    /// There are eight rooms.
    @Test func whatAnAppPublishesArrives() throws {
        let times = try (1...8).map { try FoundRun.time(seed: $0) }
        #expect(times.allSatisfy { $0 != nil }, "\(times)")
        #expect(times.compactMap { $0 }.sorted()[4] <= 4, "\(times)")
    }

    /// The first half hour of a day with many problems.
    @Test func everyMessageOnce() throws {
        var day = try SoakDay(seed: 3)
        try day.run(untilSeconds: 1800)
        let counts = day.counts
        #expect(
            counts.due >= 1 && counts.arrived == counts.due && counts.twice == 0,
            "\(counts)")
        #expect(day.playerStops + day.serverLosses + day.reloads > 0)
        #expect(day.room.rotationSeconds.count > 3)
        #expect(day.room.rotationSeconds.allSatisfy { (59...301).contains($0) })
    }
}
