import AcousticModem
import Signal

/// The last seconds of what was listened to, for the level of what was heard in them. In 16 bits: a microphone has no more.
struct HeardSound {
    /// The longest frame, and as long as its report may take.
    private static let seconds = 12.0

    private let sampleRateHz: Double
    private var samples: [Int16]
    private var end = 0
    private var spectrum: BandSpectrum

    init(sampleRateHz: Double) {
        self.sampleRateHz = sampleRateHz
        samples = [Int16](repeating: 0, count: Int(HeardSound.seconds * sampleRateHz))
        spectrum = BandSpectrum(sampleRateHz: sampleRateHz)
    }

    mutating func add(_ heard: UnsafeBufferPointer<Float>) {
        let place = end % samples.count
        end += heard.count
        samples.withUnsafeMutableBufferPointer { kept in
            // To the end of the ring, then from its beginning on.
            let first = min(heard.count, kept.count - place)
            HeardSound.round(heard[..<first], into: kept.baseAddress! + place)
            HeardSound.round(heard[first...], into: kept.baseAddress!)
        }
    }

    /// To the nearest, halves upward: a conversion that compilers make vectors of, as a call of `roundf` a sample is not.
    ///
    /// - Precondition: `sound` is no longer than the ring.
    private static func round(
        _ sound: Slice<UnsafeBufferPointer<Float>>, into out: UnsafeMutablePointer<Int16>
    ) {
        let sound = UnsafeBufferPointer(rebasing: sound)
        for n in sound.indices {
            // Positive, so that cutting off the fraction rounds down.
            let level = max(-1, min(1, sound[n])) * 32767 + 32768.5
            out[n] = Int16(truncatingIfNeeded: Int32(level) &- 32768)
        }
    }

    /// Mean over a frame's time, of what is kept of it; of its band, 0 being a full-scale sine.
    mutating func levelDBFS(of report: DecodeReport) -> Float {
        let first = Int(report.startSeconds * sampleRateHz)
        let frame = first..<first + Int(report.durationSeconds * sampleRateHz)
        let kept = frame.clamped(to: max(0, end - samples.count)..<end)
        let sound = kept.map { Float(samples[$0 % samples.count]) / 32767 }
        return Float(spectrum.levelDBFS(sound, bandHz: report.profile.bandHz) ?? -200)
    }
}
