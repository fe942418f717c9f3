import AcousticModem
import Glibc
import Signal

/// The last seconds of received sound, for the levels of the frames heard in them. Samples have 16 bits,
/// since a microphone has no more. Their full scale doubles whenever sound exceeds it.
struct HeardSound {
    /// The seconds that are kept: the longest frame, and as long as its report may take.
    private static let seconds = 12.0

    private let sampleRateHz: Double
    private var samples: [Int16]
    private var end: SamplePosition = 0
    /// The scale of the sound as a receiver takes it, and the magnitude that the greatest 16-bit value stands
    /// for.
    private var scale = InputScale()
    private var fullScale: Float = 1
    private var spectrum: BandSpectrum

    init(sampleRateHz: Double) {
        self.sampleRateHz = sampleRateHz
        samples = [Int16](repeating: 0, count: Int(HeardSound.seconds * sampleRateHz))
        spectrum = BandSpectrum(sampleRateHz: sampleRateHz)
    }

    /// - Precondition: `heard` is no longer than the ring.
    mutating func add(_ heard: UnsafeBufferPointer<Float>) {
        let heard = scale.process(heard)
        let largest = Kernels.largestMagnitude(heard)
        // Few recordings exceed it, and those do so early.
        while largest <= Kernels.saneMagnitudes.upperBound, largest > fullScale { doubleFullScale() }
        let unit = 1 / fullScale
        let place = end % samples.count
        end += heard.count
        samples.withUnsafeMutableBufferPointer { kept in
            // First to the end of the ring, then from its beginning on.
            let count = heard.count
            let first = min(count, kept.count - place)
            guard let heard = heard.baseAddress else { return }
            Kernels.quantize(heard, by: unit, first, into: kept.baseAddress! + place)
            Kernels.quantize(heard + first, by: unit, count - first, into: kept.baseAddress!)
        }
    }

    /// Counts lost samples as silence.
    mutating func skip(_ count: Int64) {
        for n in 0..<Int(min(count, Int64(samples.count))) { samples[(end + n) % samples.count] = 0 }
        end = SamplePosition(count).after(end)
    }

    private mutating func doubleFullScale() {
        fullScale *= 2
        for n in samples.indices { samples[n] /= 2 }
    }

    /// Returns the mean level over a frame's time, of the part that is kept and of its band; 0 is a
    /// full-scale sine.
    mutating func levelDBFS(of report: DecodeReport) -> Float {
        let first = SamplePosition(report.startSeconds * sampleRateHz)
        let frame = first..<first + Int(report.durationSeconds * sampleRateHz)
        let kept = frame.clamped(to: max(0, end - samples.count)..<end)
        // First to the end of the ring, then from its beginning on.
        let place = kept.lowerBound % samples.count
        let unit: Float = 1 / 32767
        let head = min(kept.count, samples.count - place)
        let sound = [Float](unsafeUninitializedCapacity: kept.count) { sound, count in
            for n in 0..<head { sound.initializeElement(at: n, to: Float(samples[place + n]) * unit) }
            for n in head..<kept.count { sound.initializeElement(at: n, to: Float(samples[n - head]) * unit) }
            count = kept.count
        }
        guard let level = spectrum.levelDBFS(sound, bandHz: report.profile.bandHz) else { return -200 }
        return Float(level) + 20 * log10(fullScale / scale.gain)
    }
}
