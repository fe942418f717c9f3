import ChannelSim
import Glibc
import Signal
import Testing

@Suite struct ReverberantRoomTests {
    /// Schroeder's backward integration of the energy, straight line between −5 and −25 dB, mean of 20 rooms: within
    /// 4 % of what was asked. Reference: Schroeder, *New Method of Measuring Reverberation Time*, JASA 37, 1965.
    @Test(arguments: [0.3, 0.6, 1.2]) func decaysAsAsked(rt60: Double) {
        let measured = (0..<20).map { seed in
            let room = ReverberantRoom(
                rt60Seconds: rt60, drrDecibels: -30, sampleRateHz: 48_000, seed: UInt64(seed))
            return schroederRT60(room.impulseResponse.dropFirst().map { Double($0) })
        }
        let mean = measured.reduce(0, +) / 20
        #expect(abs(mean / rt60 - 1) < 0.04)
    }

    /// Mean over 400 rooms: direct over reverberant energy as asked, and both together 1. The reverberant energy of
    /// one room spreads by √(2 / (rt60 · fs / 13.8)) ≈ 4 %, so the mean's error is 0.2 %; the bound is five of them.
    @Test(arguments: [-6.0, 0, 10]) func energyIsSplitAsAsked(drr: Double) {
        var direct = 0.0
        var reverberant = 0.0
        for seed in 0..<400 {
            let response = ReverberantRoom(
                rt60Seconds: 0.3, drrDecibels: drr, sampleRateHz: 48_000, seed: UInt64(seed)
            ).impulseResponse
            direct += Double(response[0]) * Double(response[0]) / 400
            reverberant += response.dropFirst().reduce(0.0) { $0 + Double($1) * Double($1) } / 400
        }
        #expect(abs(direct + reverberant - 1) < 0.01)
        #expect(abs(10 * log10(direct / reverberant) - drr) < 0.05)
    }

    @Test func sameSeedSameRoom() {
        func room(_ seed: UInt64) -> [Float] {
            ReverberantRoom(rt60Seconds: 0.3, drrDecibels: 0, sampleRateHz: 48_000, seed: seed)
                .impulseResponse
        }
        #expect(room(1) == room(1))
        #expect(room(1) != room(2))
    }

    private func schroederRT60(_ response: [Double]) -> Double {
        var rest = 0.0
        var decay = [Double](repeating: 0, count: response.count)
        for i in response.indices.reversed() {
            rest += response[i] * response[i]
            decay[i] = rest
        }
        let start = decay.firstIndex { $0 < decay[0] * pow(10, -0.5) }!
        let end = decay.firstIndex { $0 < decay[0] * pow(10, -2.5) }!
        return Double(end - start) / 48_000 * 3
    }
}
