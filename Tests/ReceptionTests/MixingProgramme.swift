import ChannelSim
import Glibc
import Signal

@testable import AcousticModem

/// Programmes for mixers, at any rate: one channel, ±1.
enum MixingProgramme: CaseIterable {
    /// Tones of 220 Hz and 7 kHz.
    case steady
    /// Noise of −20 dBFS, as loud in the treble as anywhere.
    case noisy
    /// Half seconds of silence, of a loud square wave with 0.1 of full scale of room, and of noise, with a
    /// jump each time.
    case abrupt

    func samples(_ count: Int, rateHz: Double) -> [Float] {
        var noise = NoiseSource(seed: 17)
        switch self {
        case .steady:
            return (0..<count).map { n in
                let t = 2 * Double.pi * Double(n) / rateHz
                return Float(0.3 * sin(220 * t) + 0.05 * sin(7000 * t))
            }
        case .noisy: return noise.samples(count, sigma: 0.1)
        case .abrupt:
            let hiss = noise.samples(count, sigma: 0.1)
            return (0..<count).map { n in
                switch Int(Double(n) / rateHz / 0.5) % 4 {
                case 0: 0
                case 1: sin(2 * .pi * 110 * Double(n) / rateHz) >= 0 ? 0.9 : -0.9
                case 2: hiss[n]
                default: n % 4800 < 2400 ? 0.5 : -0.3
                }
            }
        }
    }
}

/// Returns the samples of one channel, on all channels of a format.
func stored(_ samples: [Float], _ format: SampleFormat, channelCount: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: samples.count * channelCount * format.bytesPerSample)
    func store<Sample: StoredSample>(_: Sample.Type) {
        bytes.withUnsafeMutableBytes { room in
            for (n, sample) in samples.enumerated() {
                for channel in 0..<channelCount {
                    // As from a player, full scale is not exceeded.
                    let value = Sample.sum(Sample.quantised(sample), Sample.quantised(0))
                    Sample.store(value, room.baseAddress! + (n * channelCount + channel) * Sample.byteCount)
                }
            }
        }
    }
    switch format {
    case .s16: store(Sample16.self)
    case .s24packed: store(Sample24Packed.self)
    case .s24: store(Sample24.self)
    case .s32: store(Sample32.self)
    case .float: store(SampleFloat.self)
    }
    return bytes
}

/// Returns one channel of the samples.
func read(_ bytes: [UInt8], _ format: SampleFormat, channel: Int, of channelCount: Int) -> [Float] {
    var samples = [Float](repeating: 0, count: bytes.count / channelCount / format.bytesPerSample)
    bytes.withUnsafeBytes { bytes in
        samples.withUnsafeMutableBufferPointer {
            format.readChannel(channel, of: channelCount, bytes.baseAddress!, into: $0)
        }
    }
    return samples
}

extension TokenMixer {
    convenience init(
        _ profile: WaveformProfile = .dsss, rateHz: Double = 48_000, _ format: SampleFormat = .float,
        channelCount: Int = 1, pauses: Pauses = Pauses()
    ) {
        self.init(
            Transmitter(profile: profile, sampleRateHz: rateHz), format: format, channelCount: channelCount,
            pauses: pauses, seed: 1)
    }

    /// Returns the programme with the token, mixed in chunks of so many frames.
    func mixed(_ programme: [UInt8], chunk: Int = 480) -> [UInt8] {
        var bytes = programme
        let frameBytes = channelCount * format.bytesPerSample
        let count = bytes.count / frameBytes
        bytes.withUnsafeMutableBytes { room in
            for start in stride(from: 0, to: count, by: chunk) {
                mix(room.baseAddress! + start * frameBytes, count: min(chunk, count - start))
            }
        }
        return bytes
    }

    /// Returns one channel of floats with the token.
    func mixed(_ programme: [Float], chunk: Int = 480) -> [Float] {
        read(mixed(stored(programme, .float, channelCount: 1), chunk: chunk), .float, channel: 0, of: 1)
    }
}
