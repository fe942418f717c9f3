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
        var place = end % samples.count
        for sample in heard {
            samples[place] = Int16((max(-1, min(1, sample)) * 32767).rounded())
            place = place + 1 == samples.count ? 0 : place + 1
        }
        end += heard.count
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
