import AudioIO

/// Channels that have been the same to the last bit since the first frame, as a mixer makes them of a single
/// microphone. One of them is heard for all.
///
///     L   ▁▂▅▂▁▃▁▂▁▃▂▁▂▅▂▃
///     R   ▁▂▅▂▁▃▁▂▁▃▁▃▁▂▄▁         they differ: both are heard, and again what came before
///         |<─ as one ──>|
struct TwinChannels: Sendable {
    /// The time before the first difference that is heard again: longer than any frame but a long one's.
    static let keptSeconds = 4.0
    /// The frames that are given out at a time.
    private static let blockFrames = 4096

    private let channelCount: Int
    private var history: SoundHistory

    init(format: AudioFormat) {
        channelCount = format.channelCount
        history = SoundHistory(
            format: AudioFormat(sampleRateHz: format.sampleRateHz, channelCount: 1),
            seconds: TwinChannels.keptSeconds)
    }

    /// Takes the next frames if all channels have the same; otherwise takes nothing, and returns false.
    mutating func take(_ block: AudioBlock) -> Bool {
        let areSame = block.withChannel(0) { first in
            (1..<channelCount).allSatisfy { block.withChannel($0) { $0.elementsEqual(first) } }
        }
        if areSame { history.add(block) }
        return areSame
    }

    /// The frames that are kept, on all channels. The first block follows so many missing frames that its
    /// place is that of the sound.
    var past: [AudioBlock] {
        let first = max(0, history.end - history.capacity)
        return stride(from: first, to: history.end, by: TwinChannels.blockFrames).map { start in
            let samples = history.channel(0, frames: start..<start + TwinChannels.blockFrames)
            var block = AudioBlock(channelCount: channelCount, capacity: samples.count)
            block.resize(to: samples.count)
            block.withMutableChannel(0) { for n in samples.indices { $0[n] = samples[n] } }
            block.copyFirstChannel()
            block.missingFrames = start == first ? first : 0
            return block
        }
    }
}
