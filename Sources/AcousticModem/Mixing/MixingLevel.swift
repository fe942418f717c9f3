import Glibc

/// The loudness that a token may have within a programme. Each frame has one level, decided as it begins.
///
///     level dBFS
///      ceiling ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄╭──────      what a listener may be exposed to, whatever plays
///                             ╱              treble + relative: what the programme's treble masks
///        floor ┄┄┄┄─────────╯┄┄┄┄┄┄┄┄┄      under the threshold of hearing at 18.5 kHz
///                                programme's treble →
///
/// Only sound that is near in frequency masks: excitation spreads upwards by some 10 dB less for each
/// critical band, and the token, from 15.5 kHz up, has only the sound from 12 kHz up below it. So the level
/// follows the programme's power over 12 kHz, not its loudness. `−12 dB`: noise hides noise of its own band
/// down to −5 dB, and 7 dB are lost on the way up.
///
/// Where there is no treble the floor holds: with 0 dBFS at 88 dB SPL (a programme of −23 LUFS heard at 65)
/// it is 47 dB SPL of mean power, over 20 dB below the median threshold of young ears, some 70 dB SPL at 18
/// kHz; the ceiling is 59.
public struct MixingLevel: Sendable, Hashable {
    /// The token's mean power over that of the programme's treble.
    public var relativeDecibels: Double
    /// The least peak of a token.
    public var floorDBFS: Double
    /// The greatest peak of a token.
    public var ceilingDBFS: Double

    /// The allowed range of ``relativeDecibels``, both ends included.
    public static let relativeRange = -60.0...20.0
    /// The allowed range of ``floorDBFS`` and ``ceilingDBFS``, both ends included: up to full scale.
    public static let peakRange = -90.0...0.0

    /// Precondition: the values are within ``relativeRange`` and ``peakRange``; the floor is not over the
    /// ceiling.
    public init(relativeDecibels: Double = -12, floorDBFS: Double = -38, ceilingDBFS: Double = -26) {
        precondition(
            MixingLevel.relativeRange.contains(relativeDecibels)
                && MixingLevel.peakRange.contains(floorDBFS) && MixingLevel.peakRange.contains(ceilingDBFS)
                && floorDBFS <= ceilingDBFS, "levels within their ranges")
        (self.relativeDecibels, self.floorDBFS, self.ceilingDBFS) = (relativeDecibels, floorDBFS, ceilingDBFS)
    }

    /// Returns a level that always has this peak.
    public static func fixed(_ peakDBFS: Double) -> MixingLevel {
        MixingLevel(floorDBFS: peakDBFS, ceilingDBFS: peakDBFS)
    }
}

/// A ``MixingLevel`` in amplitudes, for an audio thread.
struct MixingAmplitude {
    let relative: Float
    let floor: Float
    let ceiling: Float

    init(_ level: MixingLevel) {
        func amplitude(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }
        relative = amplitude(level.relativeDecibels)
        (floor, ceiling) = (amplitude(level.floorDBFS), amplitude(level.ceilingDBFS))
    }

    /// Returns the peak of a frame that begins now.
    ///
    /// - Parameter frameRMS: the RMS value of its waveform, whose peak is 1.
    func peak(under programme: ProgrammeMeter, frameRMS: Float) -> Float {
        let hidden = relative * programme.treblePower.squareRoot() / frameRMS
        return room(max(floor, min(ceiling, hidden)), under: programme.heldPeak)
    }

    /// Returns as much of an amplitude as there is room for over a peak, but never less than the floor.
    func room(_ amplitude: Float, under peak: Float) -> Float { max(floor, min(amplitude, 1 - peak)) }
}
