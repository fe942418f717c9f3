import ChannelSim
import Testing

@Suite struct NoiseLevelTests {
    /// A token of 64 bits in one second has SNR(24 kHz) = Eb/N0 − 25.74 dB, SNR(1.5 kHz) = Eb/N0 − 13.70 dB.
    @Test func definitionsAgree() {
        let level = NoiseLevel(
            ebN0Decibels: 3, energy: 500, bitCount: 64, durationSeconds: 1, sampleRateHz: 48_000)
        #expect(abs(level.fullBandSNRDecibels - (3 + 18.062 - 43.802)) < 0.01)
        #expect(abs(level.inBandSNRDecibels - (3 + 18.062 - 31.761)) < 0.01)
        let same = NoiseLevel(
            inBandSNRDecibels: level.inBandSNRDecibels, energy: 500, bitCount: 64, durationSeconds: 1,
            sampleRateHz: 48_000)
        #expect(abs(same.ebN0Decibels - 3) < 1e-9)
        #expect(abs(same.density / level.density - 1) < 1e-9)
    }
}
