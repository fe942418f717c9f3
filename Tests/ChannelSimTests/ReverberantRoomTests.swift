import ChannelSim
import Glibc
import Signal
import Testing

@Suite struct ReverberantRoomTests {
    /// The mean of 20 rooms is within 4 % of the requested time.
    @Test(arguments: [0.3, 0.6, 1.2]) func decaysAsAsked(rt60: Double) {
        let measured = (0..<20).map { seed in
            let room = ReverberantRoom(
                rt60Seconds: rt60, drrDecibels: -30, sampleRateHz: 48_000, seed: UInt64(seed))
            return Decay.rt60Seconds(room.impulseResponse.dropFirst().map { Double($0) * Double($0) })
        }
        let mean = measured.reduce(0, +) / 20
        #expect(abs(mean / rt60 - 1) < 0.04)
    }

    /// In the mean over 400 rooms, direct over reverberant energy is as requested, and both together are 1.
    /// The reverberant energy of one room spreads by √(2 / (rt60 · fs / 13.8)) ≈ 4 %, so the mean's error is
    /// 0.2 %; the bound is five of them.
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
}
