import AcousticModem
import AudioIO
import CommandOutput
import Signal

/// A survey of sound for faults that prevent the reception of any token: silence, clipping, or a codec or
/// filter that removes the band. It costs a look at each sample, and a short spectrum for each second of
/// sound, after four a second at the beginning.
struct SoundSurvey {
    /// The power density in steps of 500 Hz from 0 Hz up, the mean over all windows, in units of a full-scale
    /// sine's power.
    private var densities: [Double]
    private var windowCount = 0
    /// The spectrum, which is created for the first window: planning its transform takes longer than the
    /// survey of a second of sound.
    private var spectrum: BandSpectrum?
    private var framesToNext = 0
    private var peak: Float = 0
    private var sampleCount = 0
    private var clippedCount = 0
    private let format: AudioFormat
    private let bandsHz: [ClosedRange<Double>]

    private static let stepHz = 500.0
    /// The largest value of 16-bit samples.
    private static let fullScale: Float = 32_767 / 32_768
    /// The share of samples at full scale above which a recording counts as clipped. Music rarely has 0.1 %.
    private static let clippedShare = 0.01
    /// The peak in dBFS below which a microphone is off or far too quiet.
    private static let quietPeakDBFS = -60.0
    /// The peak above which there is a remark: decoders of compressed sound exceed full scale by a decibel or
    /// two.
    private static let mostPeak: Float = 1.5
    /// The fall within 1 kHz above which an edge is that of a codec or filter; rooms and microphones fall
    /// less.
    private static let edgeDecibels = 20.0
    /// The number of spectra in a second of sound at the beginning, of which a short recording needs some,
    /// and the number of these spectra.
    private static let firstWindowsASecond = 4, firstWindows = 16

    /// - Parameters:
    ///   - bandsHz: the bands of the profiles to listen for.
    ///   - spectrum: an existing spectrum at the format's rate, if there is one.
    init(format: AudioFormat, bandsHz: [ClosedRange<Double>], spectrum: BandSpectrum? = nil) {
        (self.format, self.bandsHz, self.spectrum) = (format, bandsHz, spectrum)
        densities = [Double](
            repeating: 0, count: max(1, Int(Double(format.sampleRateHz) / 2 / SoundSurvey.stepHz)))
    }

    /// Takes the next frames.
    mutating func add(_ block: AudioBlock) {
        var (loudest, loudestPeak) = (0, Float(-1))
        for channel in 0..<block.channelCount {
            block.withChannel(channel) { samples in
                let largest = SoundSurvey.largest(samples)
                if largest >= SoundSurvey.fullScale {
                    clippedCount += samples.count { abs($0) >= SoundSurvey.fullScale }
                }
                sampleCount += samples.count
                peak = max(peak, largest)
                if largest > loudestPeak { (loudest, loudestPeak) = (channel, largest) }
            }
        }
        framesToNext -= block.frameCount
        guard framesToNext <= 0, block.frameCount >= BandSpectrum.window, loudestPeak > 0 else { return }
        let windowsASecond = windowCount < SoundSurvey.firstWindows ? SoundSurvey.firstWindowsASecond : 1
        framesToNext = format.sampleRateHz / windowsASecond
        let samples = block.withChannel(loudest) { Array($0.prefix(BandSpectrum.window)) }
        var spectrum = self.spectrum ?? BandSpectrum(sampleRateHz: Double(format.sampleRateHz))
        self.spectrum = nil
        defer { self.spectrum = spectrum }
        let powers = spectrum.powers(samples[...])
        for index in densities.indices {
            let low = Double(index) * SoundSurvey.stepHz
            densities[index] += spectrum.power(powers, of: low...low + SoundSurvey.stepHz)
        }
        windowCount += 1
    }

    /// Takes the next frames once a token has been heard: nothing prevents reception then, but the peak is
    /// wanted.
    mutating func addPeak(_ block: AudioBlock) {
        for channel in 0..<block.channelCount {
            peak = max(peak, block.withChannel(channel) { SoundSurvey.largest($0) })
        }
    }

    /// Returns the largest magnitude of the finite samples; 0 if there are none.
    private static func largest(_ samples: UnsafeBufferPointer<Float>) -> Float {
        let largest = Kernels.largestMagnitude(samples)
        return largest.isFinite ? largest : samples.reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
    }

    /// The reason why no token can be heard, as far as the sound shows it; `nil` if nothing is wrong.
    var reason: String? {
        guard sampleCount > 0 else { return nil }
        guard peak > 0 else { return "all samples are zero: a muted microphone or the wrong input" }
        let peakDBFS = BandSpectrum.dBFS(Double(peak) * Double(peak))
        let peakText = FixedPoint.text(peakDBFS, places: 0)
        if peakDBFS < SoundSurvey.quietPeakDBFS {
            return "its peak is \(peakText) dBFS: nearly muted; raise the gain"
        }
        if let edgeHz {
            let edge = FixedPoint.text(edgeHz / 1000, places: 1)
            return
                "nothing above \(edge) kHz: a codec, headset, voice filter or lower sample rate removed it"
        }
        let share = Double(clippedCount) / Double(sampleCount)
        if share > SoundSurvey.clippedShare {
            return
                "\(FixedPoint.text(100 * share, places: 0)) % of its samples are at full scale: clipped; lower the gain"
        }
        return nil
    }

    /// A remark on samples that exceed full scale by more than a codec adds; `nil` if none do.
    var remarkOnPeak: String? {
        guard peak > SoundSurvey.mostPeak else { return nil }
        let decibels = FixedPoint.text(BandSpectrum.dBFS(Double(peak) * Double(peak)), places: 0)
        return "its peak is +\(decibels) dBFS, above full scale, which is ±1 for floating-point samples"
    }

    /// The frequency at which the spectrum ends below all bands; `nil` if it reaches one of them, or falls
    /// gently.
    private var edgeHz: Double? {
        guard windowCount > 0, let lowest = bandsHz.map(\.lowerBound).min() else { return nil }
        let levels = densities.map { BandSpectrum.dBFS($0 / Double(windowCount)) }
        let first = Int(lowest / SoundSurvey.stepHz)
        guard first >= 4, first < levels.count else { return nil }
        let floor = levels[first...].max() ?? 0
        // This is the highest step below the bands that rises above their level.
        guard let edge = (0..<first).last(where: { levels[$0] > floor + SoundSurvey.edgeDecibels / 2 }),
            let high = levels[max(0, edge - 2)...edge].max(), high > floor + SoundSurvey.edgeDecibels
        else { return nil }
        // A step that is only partly filled contains the end.
        let isFull = edge == 0 || levels[edge] > levels[edge - 1] - 6
        return Double(isFull ? edge + 1 : edge) * SoundSurvey.stepHz
    }
}
