import ChannelSim
import Glibc
import Signal
import Testing

@Suite struct MeasuredRoomTests {
    private let noise: [Float] = {
        var source = NoiseSource(seed: 7)
        return source.samples(4800, sigma: 0.3)
    }()

    /// A response of one sample delays sound and changes nothing else, however loud it was measured.
    @Test func oneSampleIsADelay() throws {
        let room = try #require(MeasuredRoom(impulseResponses: [[0, 0, 0.02]], sampleRateHz: 48_000))
        let heard = room.apply(to: noise, sampleRateHz: 48_000, seed: 1)
        #expect(heard.count == noise.count + 2)
        for (a, b) in zip(noise, heard.dropFirst(2)) { #expect(abs(a - b) < 1e-4) }
    }

    /// There are two echoes, and two rates.
    @Test(arguments: [48_000.0, 44_100]) func keepsTheEnergy(rateHz: Double) throws {
        let room = try #require(
            MeasuredRoom(impulseResponses: [[1, 0, 0, -0.7, 0, 0.4]], sampleRateHz: 48_000))
        let heard = room.apply(to: noise, sampleRateHz: rateHz, seed: 1)
        #expect(abs(energy(heard) / energy(noise) - 1) < 1e-4)
    }

    /// A response measured at another rate delays by as many seconds.
    @Test func responseIsResampled() throws {
        var response = [Float](repeating: 0, count: 1000)
        response[480] = 1
        let room = try #require(MeasuredRoom(impulseResponses: [response], sampleRateHz: 96_000))
        var click = [Float](repeating: 0, count: 100)
        click[10] = 1
        let heard = room.apply(to: click, sampleRateHz: 48_000, seed: 1)
        let loudest = heard.indices.max { abs(heard[$0]) < abs(heard[$1]) }
        #expect(loudest == 250)
    }

    /// With 200 seeds and 4 places, each place is drawn 50 times on average, with a standard deviation of
    /// 6.1. The bound is four of them.
    @Test func everyPlaceIsDrawn() throws {
        let places = (0..<4).map { place in (0..<4).map { Float($0 == place ? 1 : 0) } }
        let room = try #require(MeasuredRoom(impulseResponses: places, sampleRateHz: 48_000))
        var counts = [0, 0, 0, 0]
        for seed in 0..<200 {
            let heard = room.apply(to: [1], sampleRateHz: 48_000, seed: UInt64(seed))
            counts[heard.firstIndex { $0 > 0.5 }!] += 1
        }
        #expect(counts.allSatisfy { (26...74).contains($0) }, "\(counts)")
    }

    @Test func silenceIsNoRoom() {
        #expect(MeasuredRoom(impulseResponses: [], sampleRateHz: 48_000) == nil)
        #expect(MeasuredRoom(impulseResponses: [[1], [0, 0]], sampleRateHz: 48_000) == nil)
        #expect(MeasuredRoom(impulseResponses: [[]], sampleRateHz: 48_000) == nil)
    }

    private func energy(_ samples: [Float]) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) }
    }
}
