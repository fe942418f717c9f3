import Signal

/// A reader of stretches of the history: it scores markers, and decodes chunks. It holds the working memory.
struct GGWaveChunkReader: Sendable {
    private var reader = GGWaveToneReader()
    /// The powers of tones, `[chunks][looks][bins]`.
    private var powers: [Float] = []
    private var starts: [SamplePosition] = []

    /// The number of frames that are summed coherently: 64 ms, which allows for 5 Hz of error.
    static let coherentFrames = 3

    mutating func markerScore(
        at start: SamplePosition, firstBin: Int, _ history: SampleHistory
    ) -> GGWaveMarkerScore {
        GGWaveMarkerScore(at: start, firstBin: firstBin, history, &reader, &powers)
    }

    /// Returns the place near `start` where a start marker fits best, and its agreement.
    mutating func locateMarker(near start: SamplePosition, firstBin: Int, _ history: SampleHistory) -> (
        start: SamplePosition, agreement: Float
    ) {
        var best = (start: start, agreement: Float(-16), excess: -Float.infinity)
        for (reach, step) in [(2048, 512), (384, 128)] {
            let centre = best.start
            for offset in stride(from: -reach, through: reach, by: step) {
                let score = markerScore(at: centre + offset, firstBin: firstBin, history)
                if score.excess > best.excess { best = (centre + offset, score.agreement, score.excess) }
            }
        }
        return (best.start, best.agreement)
    }

    /// Returns the start near by at which the strongest tones are strongest: an error of a tenth of a chunk
    /// costs as much of them.
    mutating func align(
        _ start: SamplePosition, _ layout: GGWaveLayout, _ history: SampleHistory
    ) -> SamplePosition {
        let step = max(1, layout.chunkCount / 20)
        let chunks = stride(from: 0, to: layout.chunkCount, by: step)
        var best = (start: start, strength: Float(0))
        for (reach, step) in [(1280, 256), (192, 64)] {
            let centre = best.start
            for offset in stride(from: -reach, through: reach, by: step) {
                readChunks(layout.waveform, from: centre + offset + layout.dataOffset, Array(chunks), history)
                let strength = strongestTones(layout.waveform)
                if strength > best.strength { best = (centre + offset, strength) }
            }
        }
        return best.start
    }

    /// Returns Σ over all nibbles in ``powers`` of the amplitude of the strongest of sixteen tones.
    /// Amplitudes, unlike powers, keep a loud moment from deciding.
    private func strongestTones(_ waveform: GGWaveProtocol) -> Float {
        let (width, looks) = (waveform.binCount, GGWaveChunkReader.looks(waveform))
        var strength: Float = 0
        for first in stride(from: 0, to: powers.count, by: looks * width) {
            for tone in stride(from: first, to: first + width, by: 16) {
                var sums = SIMD16<Float>.zero
                for look in 0..<looks {
                    for value in 0..<16 { sums[value] += powers[tone + look * width + value] }
                }
                strength += sums.max().squareRoot()
            }
        }
        return strength
    }

    static func looks(_ waveform: GGWaveProtocol) -> Int { waveform.framesPerChunk / coherentFrames }

    mutating func likelihoods(
        _ waveform: GGWaveProtocol, from start: SamplePosition, chunks: Range<Int>, _ history: SampleHistory
    ) -> GGWaveLikelihoods {
        readChunks(waveform, from: start, Array(chunks), history)
        return GGWaveLikelihoods(
            powers: powers, looks: GGWaveChunkReader.looks(waveform), tones: waveform.nibblesPerChunk)
    }

    /// Reads chunks into ``powers``, `[chunks][looks][bins]`.
    private mutating func readChunks(
        _ waveform: GGWaveProtocol, from start: SamplePosition, _ chunks: [Int], _ history: SampleHistory
    ) {
        starts.removeAll(keepingCapacity: true)
        let frames = GGWaveChunkReader.coherentFrames
        for chunk in chunks {
            for look in 0..<GGWaveChunkReader.looks(waveform) {
                starts.append(
                    start + chunk * waveform.samplesPerChunk + look * frames * GGWaveProtocol.frameSamples)
            }
        }
        let bins = waveform.firstBin..<waveform.firstBin + waveform.binCount
        reader.read(history, starts: starts, frames: frames, bins: bins, into: &powers)
    }
}
