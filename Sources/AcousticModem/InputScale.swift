import Signal

/// A stage that brings sound of an extreme scale into the range that needs no gain, and silences samples that
/// cannot be sound.
///
///     floats of ±1           ───────────────▶ as they are
///     floats of ±32768       ───────────────▶ as they are: floats hold both
///     floats of ±2⁻¹⁰⁰       ─── × 2⁹⁰ ─────▶ ±2⁻¹⁰: their powers do not vanish
///     one sample of 10³⁰     ───────────────▶ 0
///
/// The first sound chooses the gain, a power of two; so does the first sound after a second without any.
/// Sound far under full scale has to last before it chooses, since any sound may begin with a filter's skirt.
/// A sample counts as silence if it is not finite, or if it stands ``jump`` times over full scale and over
/// everything before it. If many samples stand so high, the sound has become that loud, and they count.
///
/// Streaming: chunks of any size give the same output. A chunk that needs no change is passed on without a
/// copy.
package struct InputScale: Sendable {
    /// The factor by which a sample may exceed full scale and the largest sample before it.
    private static let jump: Float = 16
    /// The number of samples beyond that limit, less one for every 64 others, after which they count: a third
    /// of a millisecond.
    private static let patience = 16
    private static let forgettingSamples = 64
    /// Magnitudes that need no gain. Filters and spectra square them, and the squares of those squares stay
    /// finite.
    private static let unscaled: ClosedRange<Float> = 0x1p-30...0x1p20
    /// The number of samples under that range after which the largest of them chooses the gain; until then
    /// they count as silence.
    private static let faintSamples = 1000
    /// The magnitude that the gain gives to the sample that chose it.
    private static let target: Float = 0x1p-10
    /// The magnitude beyond which a sample cannot be sound, whatever its scale.
    private static let greatest: Float = 0x1p40
    /// The number of samples under the range of ``unscaled`` after which the gain is chosen anew.
    private static let renewalSamples = 48_000
    /// The number of samples that are checked together for whether they need a change.
    private static let partSamples = 4096

    /// The gain, a power of two.
    package private(set) var gain: Float = 1
    /// The largest magnitude that counts, before the gain.
    private var limit = jump
    /// A count that rises by ``forgettingSamples`` with each sample beyond the limit, and falls by one with
    /// each other sample.
    private var surprise = 0
    /// The number of samples since the last one in the range of ``unscaled``, up to ``renewalSamples``.
    private var quietCount = renewalSamples
    /// While no gain is chosen: the number of samples under that range so far, and the largest of them.
    private var faintCount = 0
    private var faintLargest: Float = 0
    private var scaled = ScratchBuffer<Float>(count: 0, repeating: 0)

    package init() {}

    /// Takes the next samples. Returns as many, which stay valid until the next call, and no longer than
    /// `samples`.
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

    /// Returns true if the samples need no change; the limits then adapt to them.
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

    /// Returns the magnitude that chooses the gain; `nil` while all samples are faint, but not for long
    /// enough.
    private mutating func choice(_ magnitude: Float) -> Float? {
        if magnitude >= InputScale.unscaled.lowerBound { return magnitude }
        faintCount += 1
        faintLargest = max(faintLargest, magnitude)
        return faintCount == InputScale.faintSamples ? faintLargest : nil
    }

    /// Chooses the gain for sound of a magnitude, which no longer counts as a jump.
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
