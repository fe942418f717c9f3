/// The thresholds by which the guards take sound for neither a frame nor noise, in the order in which sound
/// meets them.
struct GuardThresholds: Sendable {
    // MARK: Bangs (``PulseLimiter``)

    /// The power of 2 ms over the median of the 0.4 s about them that makes them a bang. Noise, whose blocks
    /// have ten degrees of freedom, reaches it in one block a day.
    let bangRatio: Float = 6
    /// The most of these 0.4 s that have about the power of a bang. A jingle of 80 ms has less; what AAC
    /// leaves of a frame has 88 ms and more.
    let bangSeconds = 0.084
    /// The ratio, either way, within which powers are about the same: the pieces of a frame stay within 2 dB.
    let alikeRatio: Float = 1.6

    // MARK: Tones (``ToneBound``, ``StandingLines``, ``SteadyToneFinder``)

    /// The power of a bin over the mean of its neighbours that makes it a tone; the mean is computed from the
    /// median. No noise and no frame of chips reaches it.
    let toneRatio: Float = 20
    /// The same over the mean of all others in its stretch, tones beside it included, that earns a median. It
    /// saves medians alone.
    let suspectRatio: Float = 6
    /// The median over time of a bin over the lower quartile of the bins about it that makes it a line: five
    /// times as far as the median of noise strays.
    let lineRatio: Float = 3
    /// The same over the mean of all others in its stretch, that earns a quartile. It saves quartiles alone.
    let suspectLineRatio: Float = 2
    /// The share of a line's energy in the parts of a block that one sinusoid explains. A symbol that comes
    /// again is in half of them.
    let sinusoidShare: Float = 0.6

    // MARK: A foreign sender (``EnvelopeCanceller``)

    /// The steadiness (Σ power)² / (n Σ power²) with which a foreign sender begins: 1 for a constant
    /// envelope, 1/2 for noise, 0.62 for MSK that is 4 dB over noise and 6 dB over a frame.
    let foreignSteadiness: Float = 0.6
    /// The same with which it ends.
    let keptSteadiness: Float = 0.55
    /// The share of the mean power below which a foreign sender never falls for 4 ms. A frame's ramps do, for
    /// longer.
    let dipShare: Float = 0.1
    /// The seconds for which a foreign sender must have been steady. No frame lasts as long.
    let patienceSeconds = 10.0
    /// The rise over the recent amplitude that shows that something louder has begun.
    let greatestRise: Float = 1.2
    /// The in-band SNR from which a heard frame is a good part of all that sounds, and so no foreign sender.
    /// Chosen, not measured.
    let loudDecibels: Float = -4
}
