import AudioIO

/// The last seconds of sound on all channels. It gives the level of a sighting, and the sound that led to it.
public struct SoundHistory: Sendable {
    /// The format of the sound.
    public let format: AudioFormat
    /// The number of frames that are kept.
    public let capacity: Int
    /// The number of frames taken so far; the oldest that is kept is `max(0, end − capacity)`.
    public private(set) var end = 0
    /// `[channels][capacity]`
    private var samples: [Float]

    /// - Parameter seconds: the time that is kept, at least one frame.
    public init(format: AudioFormat, seconds: Double) {
        self.format = format
        capacity = max(1, Int(seconds * Double(format.sampleRateHz)))
        samples = [Float](repeating: 0, count: capacity * format.channelCount)
    }

    /// Takes the next frames, and silence for those that are missing before them; the oldest are dropped.
    ///
    /// Precondition: `block` has the channels of ``format``, and no more than ``capacity`` frames.
    public mutating func add(_ block: AudioBlock) {
        precondition(block.frameCount <= capacity, "a block fits into what is kept")
        addSilence(block.missingFrames)
        let place = end % capacity
        let first = min(block.frameCount, capacity - place)
        samples.withUnsafeMutableBufferPointer { samples in
            for channel in 0..<format.channelCount {
                let row = samples.baseAddress! + channel * capacity
                block.withChannel(channel) { fresh in
                    guard let from = fresh.baseAddress else { return }
                    (row + place).update(from: from, count: first)
                    row.update(from: from + first, count: fresh.count - first)
                }
            }
        }
        end += block.frameCount
    }

    private mutating func addSilence(_ frames: Int) {
        guard frames > 0 else { return }
        for channel in 0..<format.channelCount {
            for position in max(end, end + frames - capacity)..<end + frames {
                samples[channel * capacity + position % capacity] = 0
            }
        }
        end += frames
    }

    /// Returns the kept samples of `frames` on a channel, 0-based.
    public func channel(_ channel: Int, frames: Range<Int>) -> [Float] {
        kept(frames).map { samples[channel * capacity + $0 % capacity] }
    }

    /// Returns the kept samples of `frames` on all channels.
    public func block(_ frames: Range<Int>) -> AudioBlock {
        let kept = kept(frames)
        var block = AudioBlock(channelCount: format.channelCount, capacity: max(1, kept.count))
        block.resize(to: kept.count)
        for index in 0..<format.channelCount {
            let samples = channel(index, frames: kept)
            block.withMutableChannel(index) { for n in samples.indices { $0[n] = samples[n] } }
        }
        return block
    }

    private func kept(_ frames: Range<Int>) -> Range<Int> {
        frames.clamped(to: max(0, end - capacity)..<end)
    }
}
