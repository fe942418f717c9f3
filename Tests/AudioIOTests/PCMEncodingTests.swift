import Signal
import Testing

@testable import AudioIO

@Suite struct PCMEncodingTests {
    private func encoded(_ encoding: PCMEncoding, _ samples: [Float]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xAA, count: samples.count * encoding.bytesPerSample)
        bytes.withUnsafeMutableBytes { encoding.encode(samples, count: samples.count, into: $0.baseAddress!) }
        return bytes
    }

    private func decoded(_ encoding: PCMEncoding, _ bytes: [UInt8]) -> [Float] {
        let count = bytes.count / encoding.bytesPerSample
        var samples = [Float](repeating: 9, count: count)
        bytes.withUnsafeBytes { encoding.decode($0.baseAddress!, count: count, into: &samples) }
        return samples
    }

    /// Samples on the 16-bit grid come back unchanged from every encoding.
    @Test(arguments: PCMEncoding.allCases) func sixteenBitsComeBack(encoding: PCMEncoding) {
        let samples = stride(from: -32768, through: 32767, by: 37).map { Float($0) / 32768 }
        #expect(decoded(encoding, encoded(encoding, samples)) == samples)
    }

    /// Written by hand: half of full scale, the least and the greatest number, little-endian.
    @Test(arguments: [
        (PCMEncoding.s16, [0, 0x40, 0, 0x80, 0xFF, 0x7F] as [UInt8]),
        (.s24packed, [0, 0, 0x40, 0, 0, 0x80, 0xFF, 0xFF, 0x7F]),
        (.s24, [0, 0, 0x40, 0, 0, 0, 0x80, 0xFF, 0xFF, 0xFF, 0x7F, 0]),
        (.s32, [0, 0, 0, 0x40, 0, 0, 0, 0x80, 0xFF, 0xFF, 0xFF, 0x7F]),
        (.f32, [0, 0, 0, 0x3F, 0, 0, 0xC0, 0xBF, 0, 0, 0xC0, 0x3F]),
    ]) func layout(encoding: PCMEncoding, bytes: [UInt8]) {
        #expect(encoded(encoding, [0.5, -1.5, 1.5]) == bytes)
    }

    /// Samples are rounded to the nearest, as the standard library does.
    @Test func roundsToTheNearest() {
        var random = SplitMix64(seed: 1)
        let samples = (0..<4096).map { _ in Float.random(in: -1.1...1.1, using: &random) }
        for (encoding, scale) in [(PCMEncoding.s16, 0x1p15), (.s24, 0x1p23), (.s32, 0x1p31)] {
            let expected = samples.map { sample in
                let nearest = (Double(sample) * scale).rounded(.toNearestOrEven)
                return Float(Int64(max(-scale, min(scale - 1, nearest)))) / Float(scale)
            }
            #expect(decoded(encoding, encoded(encoding, samples)) == expected)
        }
        #expect(encoded(.s16, [0.5 / 32768, 1.5 / 32768, -1.5 / 32768]) == [0, 0, 2, 0, 0xFE, 0xFF])
    }

    @Test(arguments: PCMEncoding.allCases) func whatIsNoNumberIsSilence(encoding: PCMEncoding) {
        #expect(decoded(encoding, encoded(encoding, [.nan, 0.25])) == [0, 0.25])
        if encoding == .f32 { #expect(decoded(.f32, [0, 0, 0x80, 0x7F]) == [0]) }
    }
}
