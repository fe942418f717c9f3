import AcousticModem
import ChannelSim
import Glibc
import Signal

/// The sound for measurements of a receiver, a second at a time.
struct BenchSound {
    enum Kind: String, CaseIterable {
        case noise
        /// White noise with a strong `dsss` frame every 10 s.
        case frames
        /// Noise in the band near 19.2 kHz whose level keeps changing, over a little white noise.
        case unsteady

        /// The kind's name in a table.
        var words: String {
            switch self {
            case .noise: "noise"
            case .frames: "a strong `dsss` frame every 10 s"
            case .unsteady: "never steady"
            }
        }
    }

    private let kind: Kind
    private var noise: NoiseSource
    private var random: SplitMix64
    private var second = 0
    /// The waveform of a frame; empty if there are no frames.
    private let waveform: [Float]
    /// The sample at which the level changes next, and the level until then.
    private var jump = 0
    private var level: Float = 0
    /// The white noise that the band's filter still needs.
    private var white: [Float] = []

    private static let rate = Int(Receiver.sampleRateHz)
    private static let noiseSigma: Float = 0.05
    private static let frameLevel: Float = 0.2
    /// The greatest fall of unsteady noise, and the time for which it keeps a level.
    private static let greatestFallDecibels: Float = 30
    private static let levelSeconds = 0.05...1.5
    private static let unsteadySigma: Float = 0.1
    private static let floorSigma: Float = 0.0005
    private static let carrierHz = 19_200.0
    private static let halfBandHz = 1400.0
    /// A windowed sinc, shifted to the carrier, of unit noise power.
    private static let filter: [Float] = {
        let half = 128
        let taps = (-half...half).map { n -> Double in
            let t = Double(n)
            let x = 2 * Double.pi * halfBandHz / Receiver.sampleRateHz * t
            let window = 0.5 + 0.5 * cos(.pi * t / Double(half + 1))
            return (n == 0 ? 1 : sin(x) / x) * window * cos(2 * .pi * carrierHz / Receiver.sampleRateHz * t)
        }
        let norm = taps.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return taps.map { Float($0 / norm) }
    }()

    init(_ kind: Kind, seed: UInt64) throws {
        self.kind = kind
        noise = NoiseSource(seed: seed)
        random = SplitMix64(seed: seed)
        waveform = kind == .frames ? try Transmitter(profile: .dsss).waveform(of: Array(1...8)) : []
    }

    mutating func nextSecond() -> [Float] {
        defer { second += 1 }
        switch kind {
        case .noise: return noise.samples(BenchSound.rate, sigma: BenchSound.noiseSigma)
        case .frames: return withFrame(noise.samples(BenchSound.rate, sigma: BenchSound.noiseSigma))
        case .unsteady: return unsteady()
        }
    }

    private func withFrame(_ noise: [Float]) -> [Float] {
        var sound = noise
        let position = second % 10 * BenchSound.rate
        for i in sound.indices where position + i < waveform.count {
            sound[i] += BenchSound.frameLevel * waveform[position + i]
        }
        return sound
    }

    private mutating func unsteady() -> [Float] {
        let filter = BenchSound.filter
        white += noise.samples(BenchSound.rate + filter.count - white.count, sigma: BenchSound.unsteadySigma)
        var sound = noise.samples(BenchSound.rate, sigma: BenchSound.floorSigma)
        white.withUnsafeBufferPointer { white in
            for i in sound.indices {
                if second * BenchSound.rate + i >= jump { drawLevel() }
                sound[i] += level * Kernels.dot(white.baseAddress! + i, filter, filter.count)
            }
        }
        white.removeFirst(BenchSound.rate)
        return sound
    }

    private mutating func drawLevel() {
        let span = BenchSound.levelSeconds
        let seconds = span.lowerBound + random.nextUnit() * (span.upperBound - span.lowerBound)
        jump += Int(seconds * Receiver.sampleRateHz)
        level = pow(10, -BenchSound.greatestFallDecibels * Float(random.nextUnit()) / 20)
    }
}
