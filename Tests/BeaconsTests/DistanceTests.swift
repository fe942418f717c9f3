import ChannelSim
import Glibc
import Testing

@testable import Beacons

@Suite struct DistanceTests {
    private let reference = ReferencePower(atOneMeterDBm: -59)

    @Test func powerFallsWithDistance() {
        let model = PathLossModel(exponent: 2)
        #expect(model.meters(rssiDBm: -59, reference: reference) == 1)
        #expect(abs(model.meters(rssiDBm: -79, reference: reference) - 10) < 1e-9)
        #expect(abs(model.meters(rssiDBm: -39, reference: reference) - 0.1) < 1e-9)
        let walls = PathLossModel(exponent: 3)
        for meters in [0.1, 1, 2.5, 40] {
            #expect(
                abs(
                    walls.meters(
                        rssiDBm: walls.rssiDBm(meters: meters, reference: reference), reference: reference)
                        / meters - 1) < 1e-9)
        }
    }

    @Test func theMedianDoesNotMindTwoOfFive() {
        var filter = DistanceFilter()
        for (index, rssi) in [-79, -20, -79, -110, -79].enumerated() {
            filter.add(rssiDBm: Int8(rssi), at: .milliseconds(100 * index))
        }
        #expect(filter.rssiDBm(at: .seconds(1)) == -79)
        #expect(filter.estimate(at: .seconds(1), reference: reference)?.sightingCount == 5)
    }

    @Test func whatIsUnknownIsLeftOut() {
        var filter = DistanceFilter()
        for rssi in [127, 21, -128] { filter.add(rssiDBm: Int8(rssi), at: .zero) }
        #expect(filter.estimate(at: .zero, reference: reference) == nil)
        filter.add(rssiDBm: 20, at: .zero)
        filter.add(rssiDBm: -127, at: .zero)
        #expect(filter.rssiDBm(at: .zero) == -53.5)
    }

    /// After five seconds there is no estimate any more. Of a hundred sightings sixteen are kept.
    @Test func sightingsGrowOld() {
        var filter = DistanceFilter()
        for index in 0..<100 { filter.add(rssiDBm: index < 90 ? -40 : -80, at: .milliseconds(10 * index)) }
        #expect(filter.estimate(at: .seconds(1), reference: reference)?.sightingCount == 16)
        #expect(filter.rssiDBm(at: .seconds(1)) == -80)
        #expect(filter.estimate(at: .milliseconds(5990), reference: reference) == nil)
    }

    @Test func proximities() {
        func proximity(_ meters: Double) -> DistanceEstimate.Proximity {
            DistanceEstimate(meters: meters, accuracyFactor: 2, sightingCount: 1).proximity
        }
        #expect([0.1, 0.5, 0.6, 4, 4.1].map(proximity) == [.immediate, .immediate, .near, .near, .far])
    }

    /// If the world agrees with the model, 68.3 % of estimates are within their range. With 4000 trials for
    /// each number of sightings, the standard deviation is 0.74 %. The bound is three of these, and 1 %
    /// because a median of few is not normal.
    @Test(arguments: [1, 2, 5, 16])
    func accuracyIsWhatItSays(count: Int) throws {
        let model = PathLossModel()
        var noise = NoiseSource(seed: UInt64(count))
        var within = 0
        for _ in 0..<4000 {
            var filter = DistanceFilter()
            let normal = noise.samples(count + 1, sigma: 1).map(Double.init)
            let shadow = normal[count] * model.shadowingDecibels
            for index in 0..<count {
                let rssi =
                    model.rssiDBm(meters: 3, reference: reference) + shadow + normal[index]
                    * model.fadingDecibels
                filter.add(rssiDBm: Int8(rssi.rounded()), at: .zero)
            }
            let estimate = try #require(filter.estimate(at: .zero, reference: reference))
            within += estimate.range.contains(3) ? 1 : 0
        }
        #expect(abs(Double(within) / 4000 - 0.6827) < 0.0322, "\(within) of 4000")
    }
}
