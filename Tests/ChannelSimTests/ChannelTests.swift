import ChannelSim
import Glibc
import Signal
import Testing

@Suite struct NoiseSourceTests {
    /// One million samples: mean within 4/√n, variance within 4·√(2/n), kurtosis 2.85 ± 0.03 (eight uniforms).
    @Test func moments() {
        var noise = NoiseSource(seed: 7)
        let n = 1_000_000.0
        let x = noise.samples(Int(n), sigma: 1).map(Double.init)
        let mean = x.reduce(0, +) / n
        let variance = x.reduce(0) { $0 + $1 * $1 } / n
        let fourth = x.reduce(0) { $0 + $1 * $1 * $1 * $1 } / n
        #expect(abs(mean) < 0.004)
        #expect(abs(variance - 1) < 0.006)
        #expect(abs(fourth / (variance * variance) - 2.85) < 0.03)
    }

    /// Neighbours are uncorrelated: within 4/√n at the first eight lags.
    @Test func whiteness() {
        var noise = NoiseSource(seed: 8)
        let x = noise.samples(250_000, sigma: 1)
        for lag in 1...8 {
            var sum = 0.0
            for i in lag..<x.count { sum += Double(x[i] * x[i - lag]) }
            #expect(abs(sum / Double(x.count)) < 0.008)
        }
    }

    @Test func sameSeedSameNoise() {
        var a = NoiseSource(seed: 3)
        var b = NoiseSource(seed: 3)
        var c = NoiseSource(seed: 4)
        let first = a.samples(100, sigma: 2)
        #expect(first == b.samples(100, sigma: 2))
        #expect(first != c.samples(100, sigma: 2))
    }
}

@Suite struct ReverberantRoomTests {
    /// Mean energy over 400 rooms is 1 within 4 standard errors; the direct share is as asked, exactly.
    @Test(arguments: [-6.0, 0, 6]) func energy(drr: Double) {
        var total = 0.0
        var squares = 0.0
        for seed in 0..<400 {
            let room = ReverberantRoom(
                rt60Seconds: 0.3, drrDecibels: drr, sampleRateHz: 48_000, seed: UInt64(seed))
            let energy = room.impulseResponse.reduce(0.0) { $0 + Double($1 * $1) }
            total += energy
            squares += energy * energy
            let direct = Double(room.impulseResponse[0] * room.impulseResponse[0])
            #expect(abs(10 * log10(direct / (1 - direct)) - drr) < 1e-3)
        }
        let mean = total / 400
        let deviation = (max(squares / 400 - mean * mean, 1e-12) / 400).squareRoot()
        #expect(abs(mean - 1) < 4 * deviation + 1e-4)
    }

    /// Schroeder's backward integration: 30 dB of decay take half the RT60, within 8 %.
    @Test(arguments: [0.2, 0.6]) func reverberationTime(rt60: Double) {
        let room = ReverberantRoom(rt60Seconds: rt60, drrDecibels: -20, sampleRateHz: 48_000, seed: 5)
        var remaining = room.impulseResponse.reduce(0.0) { $0 + Double($1 * $1) }
        let total = remaining
        var at: [Double: Double] = [:]
        for (i, h) in room.impulseResponse.enumerated() {
            remaining -= Double(h * h)
            for level in [-5.0, -35.0]
            where at[level] == nil && 10 * log10(max(remaining, 1e-30) / total) < level {
                at[level] = Double(i) / 48_000
            }
        }
        let measured = 2 * ((at[-35] ?? .nan) - (at[-5] ?? .nan))
        #expect(abs(measured / rt60 - 1) < 0.08)
    }
}

@Suite struct ConvolverTests {
    @Test(arguments: [1, 37, 300], [1, 1000, 5000]) func matchesTheDefinition(
        responseCount: Int, signalCount: Int
    ) {
        var noise = NoiseSource(seed: 2)
        let response = noise.samples(responseCount, sigma: 1)
        let signal = noise.samples(signalCount, sigma: 1)
        let output = Convolver(response).convolve(signal)
        #expect(output.count == responseCount + signalCount - 1)
        for n in stride(from: 0, to: output.count, by: max(1, output.count / 97)) {
            var sum = 0.0
            for k in 0..<responseCount where n - k >= 0 && n - k < signalCount {
                sum += Double(response[k]) * Double(signal[n - k])
            }
            #expect(abs(Double(output[n]) - sum) < 1e-3)
        }
    }
}

@Suite struct NoiseLevelTests {
    /// A token of 64 bits in one second: SNR(24 kHz) = Eb/N0 − 25.74 dB, SNR(1.5 kHz) = Eb/N0 − 13.70 dB.
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

    @Test func clippingCutsTheFractionAsked() {
        var noise = NoiseSource(seed: 6)
        var x = noise.samples(10_000, sigma: 1)
        Impairments.clip(&x, fraction: 0.1)
        let peak = x.map(\.magnitude).max()!
        let clipped = x.filter { $0.magnitude == peak }.count
        #expect((950...1050).contains(clipped))
    }
}
