import AudioIO
import CSndFile
import Glibc
import TestSupport
import Testing

/// Sound for tests, and the sound that a reader gets from a file.
struct Sound: Equatable, CustomTestStringConvertible {
    var sampleRateHz = 48000
    /// The samples, `[channel][frame]`.
    var channels: [[Float]]

    /// Returns another ramp for every channel, within ±0.9 and on the 16-bit grid, so that 16 bits lose
    /// nothing.
    static func ramps(channelCount: Int, frameCount: Int, sampleRateHz: Int = 48000) -> Sound {
        let channels = (0..<channelCount).map { channel in
            (0..<frameCount).map { n -> Float in
                let step = (n * (channel + 1) * 7919 + 1234 * channel) % 58982
                return Float(step - 29491) / 32768
            }
        }
        return Sound(sampleRateHz: sampleRateHz, channels: channels)
    }

    var testDescription: String { "\(frameCount) frames of \(channels.count) channels" }

    var frameCount: Int { channels[0].count }

    /// Writes the sound in blocks of uneven size.
    func write(to sink: some AudioSink) throws {
        var block = AudioBlock(channelCount: channels.count, capacity: 1000)
        var start = 0
        while start < frameCount {
            let end = min(start + 777, frameCount)
            block.resize(to: end - start)
            for (index, samples) in channels.enumerated() {
                block.withMutableChannel(index) { for n in $0.indices { $0[n] = samples[start + n] } }
            }
            try sink.write(block)
            start = end
        }
    }

    /// Reads everything from a source, in blocks of `capacity`.
    static func read(from source: some AudioSource, capacity: Int = 511) throws -> Sound {
        var sound = Sound(
            sampleRateHz: source.format.sampleRateHz,
            channels: [[Float]](repeating: [], count: source.format.channelCount))
        var block = AudioBlock(channelCount: source.format.channelCount, capacity: capacity)
        while try source.read(into: &block) {
            for index in sound.channels.indices { block.withChannel(index) { sound.channels[index] += $0 } }
        }
        return sound
    }

    /// Writes a file with libsndfile, and not with the package: `format` is its `SF_FORMAT_…` container and
    /// encoding.
    func makeFile(_ name: String, in directory: TemporaryDirectory, format: Int) -> String {
        var info = SF_INFO()
        info.samplerate = Int32(sampleRateHz)
        info.channels = Int32(channels.count)
        info.format = Int32(format)
        guard let handle = sf_open(directory.file(name), Int32(SFM_WRITE), &info) else {
            fatalError(String(cString: sf_strerror(nil)))
        }
        let interleaved = (0..<frameCount).flatMap { n in channels.map { $0[n] } }
        if format & Int(SF_FORMAT_SUBMASK) < Int(SF_FORMAT_FLOAT) {
            // The samples are integers, because libsndfile scales floats by 32767.
            let integers = interleaved.map { Int32(Double($0) * 0x1p31) }
            sf_writef_int(handle, integers, sf_count_t(frameCount))
        } else {
            sf_writef_float(handle, interleaved, sf_count_t(frameCount))
        }
        sf_close(handle)
        return directory.file(name)
    }

    func largestDifference(from other: Sound) -> Float {
        zip(channels, other.channels).flatMap { zip($0, $1).map { abs($0 - $1) } }.max() ?? 0
    }
}
