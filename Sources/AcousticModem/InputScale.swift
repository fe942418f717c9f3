import Signal

/// Sound at any scale → sound near ±1, and without what is no sound.
///
///     floats of ±1           ───────────────▶ as they are
///     floats of ±32768       ───────────────▶ as they are: floats hold both
///     floats of ±2⁻¹⁰⁰       ─── × 2⁹⁰ ─────▶ ±2⁻¹⁰: their powers do not vanish
///     one sample of 10³⁰     ───────────────▶ 0
///
/// The first sound chooses the gain, a power of two; so does the first one after a second without any. Sound far under full scale has
/// to last for that, as any sound may begin with a filter's skirt. A sample counts as silence if it is not finite, or if it stands ``jump`` times over full scale and over everything
/// before it. Where many samples stand so high, the sound has become that loud, and they count.
///
/// Streaming: chunks of any size give the same output. A chunk that needs no change is passed on without a copy.
package struct InputScale: Sendable {
    /// How far a sample may stand over full scale, and over the largest one before it.
    private static let jump: Float = 16
    /// Samples beyond that, less one for every 64 others, after which they count: a third of a millisecond.
    private static let patience = 16
    private static let forgettingSamples = 64
    /// Magnitudes that need no gain. Filters and spectra square them, and squares of what squares leave stay finite.
    private static let unscaled: ClosedRange<Float> = 0x1p-30...0x1p20
    /// Samples under that range that choose a gain, the largest of them; until then they count as silence.
    private static let faintSamples = 1000
    /// The magnitude that the gain gives to a sample by which it is chosen.
    private static let target: Float = 0x1p-10
    /// Beyond this there is no sound, whatever scale it has.
    private static let greatest: Float = 0x1p40
    /// Samples under the range of ``unscaled`` after which the gain is chosen anew.
    private static let renewalSamples = 48_000
    /// Samples looked at together, to see whether they need a change.
    private static let partSamples = 4096

    /// A power of two.
    package private(set) var gain: Float = 1
    /// The largest magnitude that counts, before the gain.
    private var limit = jump
    /// Rises by ``forgettingSamples`` with each sample beyond the limit, and falls by one with each other.
    private var surprise = 0
    /// Samples since the last one in the range of ``unscaled``, up to ``renewalSamples``.
    private var quietCount = renewalSamples
    /// Where no gain is chosen: samples under that range so far, and the largest of them.
    private var faintCount = 0
    private var faintLargest: Float = 0
    private var scaled = ScratchBuffer<Float>(count: 0, repeating: 0)

    package init() {}

    /// Takes the next samples. Returns as many, which stay valid until the next call, and no longer than `samples`.
    package mutating func process(_ samples: UnsafeBufferPointer<Float>) -> UnsafeBufferPointer<Float> {
        let before = (limit, surprise, quietCount)
        var rest = samples[...]
        while !rest.isEmpty {
            let part = UnsafeBufferPointer(rebasing: rest.prefix(InputScale.partSamples))
            guard passes(part) else {
                (limit, surprise, quietCount) = before
                return rescaled(samples)
            }
            rest = rest.dropFirst(part.count)
        }
        return samples
    }

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    package mutating func exchangeScratch(with other: inout InputScale) { swap(&scaled, &other.scaled) }

    /// Whether samples need no change; what they teach is learned.
    private mutating func passes(_ samples: UnsafeBufferPointer<Float>) -> Bool {
        let largest = Kernels.largestMagnitude(samples)
        // NaN is not less than a limit.
        guard gain == 1, largest <= min(limit, InputScale.unscaled.upperBound),
            largest == 0 || quietCount + samples.count < InputScale.renewalSamples
        else { return false }
        limit = max(limit, InputScale.jump * largest)
        surprise = max(0, surprise - samples.count)
        let last = samples.lastIndex { $0.magnitude >= InputScale.unscaled.lowerBound }
        if let last { quietCount = -(last + 1) }
        quietCount = min(quietCount + samples.count, InputScale.renewalSamples)
        return true
    }

    private mutating func rescaled(_ samples: UnsafeBufferPointer<Float>) -> UnsafeBufferPointer<Float> {
        if scaled.count < samples.count { scaled = ScratchBuffer(count: samples.count, repeating: 0) }
        let out = scaled.claim()
        for (index, sample) in samples.enumerated() { out[index] = rescaled(sample) }
        return UnsafeBufferPointer(start: out, count: samples.count)
    }

    private mutating func rescaled(_ sample: Float) -> Float {
        let magnitude = sample.magnitude
        guard magnitude > 0, magnitude <= InputScale.greatest else {
            if magnitude == 0 { surprise = max(0, surprise - 1) }
            quietCount = min(quietCount + 1, InputScale.renewalSamples)
            return 0
        }
        if quietCount == InputScale.renewalSamples {
            guard let chosen = choice(magnitude) else { return 0 }
            adapt(to: chosen)
        }
        if magnitude <= limit {
            surprise = max(0, surprise - 1)
            limit = max(limit, InputScale.jump * magnitude)
        } else {
            surprise += InputScale.forgettingSamples
            guard surprise > InputScale.patience * InputScale.forgettingSamples else { return 0 }
            limit = InputScale.jump * magnitude
            surprise = 0
        }
        if magnitude * gain > InputScale.unscaled.upperBound { adapt(to: magnitude) }
        let isSound = magnitude * gain >= InputScale.unscaled.lowerBound
        quietCount = isSound ? 0 : min(quietCount + 1, InputScale.renewalSamples)
        return sample * gain
    }

    /// The magnitude by which the gain is chosen; nil while all is faint, but not for long enough.
    private mutating func choice(_ magnitude: Float) -> Float? {
        if magnitude >= InputScale.unscaled.lowerBound { return magnitude }
        faintCount += 1
        faintLargest = max(faintLargest, magnitude)
        return faintCount == InputScale.faintSamples ? faintLargest : nil
    }

    /// Chooses the gain for sound of a magnitude, which is then no jump.
    private mutating func adapt(to magnitude: Float) {
        var exponent = 0
        if !InputScale.unscaled.contains(magnitude) {
            // A denormal's exponent lies beyond that of the greatest power of two.
            exponent = min(Int(InputScale.target.exponent - magnitude.exponent), 126)
        }
        gain = Float(sign: .plus, exponent: exponent, significand: 1)
        limit = InputScale.jump * (gain == 1 ? max(magnitude, 1) : magnitude)
        (surprise, quietCount, faintCount, faintLargest) = (0, 0, 0, 0)
    }
}
