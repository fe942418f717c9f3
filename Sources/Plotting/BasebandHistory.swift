import AcousticModem
import AudioIO
import Signal

/// The last half minute of each channel at baseband, to look back at a frame once it has been decoded.
package struct BasebandHistory {
    private struct Track {
        var resampler: Resampler?
        var frontEnd = FrontEnd(band: band)
        var samples: [Complex] = []
        /// The number of `samples[0]`, counted from the first sample of all.
        var start = 0

        mutating func add(_ sound: UnsafeBufferPointer<Float>) {
            if let resampled = resampler?.process(sound) {
                resampled.withUnsafeBufferPointer { frontEnd.process($0) }
            } else {
                frontEnd.process(sound)
            }
            samples += frontEnd.baseband
            let excess = samples.count - keptSamples
            guard excess > keptSamples / 4 else { return }
            samples.removeFirst(excess)
            start += excess
        }
    }

    /// The band of the sound that is kept.
    static let band = Band.nearUltrasonic

    private let channels: [Int]
    private var tracks: [Track]
    private static let keptSamples = band.samples(seconds: 30)

    /// - Parameter channels: the numbers of the channels, from 1.
    package init(format: AudioFormat, channels: [Int]) {
        self.channels = channels
        let rateHz = Double(format.sampleRateHz)
        let isNative = rateHz == Receiver.sampleRateHz
        let resampler = isNative ? nil : Resampler(fromHz: rateHz, toHz: Receiver.sampleRateHz)
        tracks = channels.map { _ in Track(resampler: resampler) }
    }

    package mutating func add(_ block: AudioBlock) {
        for (index, channel) in channels.enumerated() {
            block.withChannel(channel - 1) { tracks[index].add($0) }
        }
    }

    /// Returns samples by their number, silence before the first and after the last; `nil` if they are no
    /// longer kept.
    func samples(_ range: Range<Int>, channel: Int) -> [Complex]? {
        guard let index = channels.firstIndex(of: channel) else { return nil }
        let track = tracks[index]
        guard range.lowerBound >= track.start || track.start == 0 else { return nil }
        return range.map { number in
            let place = number - track.start
            return track.samples.indices.contains(place) ? track.samples[place] : .zero
        }
    }
}
