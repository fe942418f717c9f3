import Glibc
import Signal

/// A room through which a sender walks: direct sound from ahead, and a diffuse tail in which every path has
/// its own Doppler, so that it is another tail half a wavelength later.
///
///     y(t) = Σ a[k] x(c[k] t − d[k]),   c[k] = clock · (1 + v cos θ[k] / 343 m/s)
///     direct:   cos θ = 1,  d = 0,  a² = drr / (1 + drr)
///     paths:    cos θ uniform in ±1 (uniform over the sphere),  d exponential, down 60 dB at RT60,
///               a² = 1 / (1 + drr) / count, sign random
///
/// Directions uniform in three dimensions give the tail the correlation sinc(2 v f τ / 343 m/s) over a lag τ,
/// the 3-D equivalent of Jakes' J₀. The mean energy over rooms is 1, as for ``ReverberantRoom``.
/// References: Jakes, *Microwave Mobile Communications*, 1974, §1.1; Cook et al., *Measurement of Correlation
/// Coefficients in Reverberant Sound Fields*, JASA 27, 1955 (the sinc); Kuttruff, *Room Acoustics*, §5.1.
///
/// Only the band of 1.8 kHz on either side of a centre passes (`BandEnvelope`). The model holds for a walk
/// of some seconds: after that, paths would have left the room.
public struct MovingRoom: Sendable {
    /// One path from sender to microphone.
    struct Path: Sendable, Hashable {
        var amplitude: Float
        /// The delay when it is shortest against the direct sound: at the start of an approach, at the end of
        /// a retreat.
        var delaySeconds: Double
        /// The speed of the sender towards the microphone along this path, m/s.
        var speedMetersPerSecond: Double
    }

    /// Returns the least sample rate that holds the band about a centre.
    public static func minimumSampleRateHz(centreHz: Double) -> Double {
        BandEnvelope.minimumSampleRateHz(centreHz: centreHz)
    }

    /// Returns the band about a centre that passes whole.
    public static func bandHz(centreHz: Double) -> ClosedRange<Double> {
        centreHz - BandEnvelope.halfWidthHz...centreHz + BandEnvelope.halfWidthHz
    }

    let paths: [Path]
    private let centreHz: Double
    private let speedMetersPerSecond: Double
    private let rt60Seconds: Double
    private let clock: Double

    /// The number of paths: ten and more in each resolvable delay of the band (0.67 ms) over the time
    /// constant of RT60 0.6 s.
    static let pathCount = 512

    /// - Parameters:
    ///   - speedMetersPerSecond: the speed of the sender; positive approaches.
    ///   - rt60Seconds: the time for reverberation to fall 60 dB.
    ///   - drrDecibels: the direct over the reverberant energy.
    ///   - centreHz: the middle of the band that passes, 4 kHz or more.
    public init(
        rt60Seconds: Double, drrDecibels: Double, speedMetersPerSecond: Double, clockSkewPPM: Double = 0,
        centreHz: Double = SoundPath.usualCentreHz, seed: UInt64
    ) {
        self.centreHz = centreHz
        var random = SplitMix64(seed: seed)
        let ratio = pow(10, drrDecibels / 10)
        let direct = Path(
            amplitude: Float((ratio / (1 + ratio)).squareRoot()), delaySeconds: 0,
            speedMetersPerSecond: speedMetersPerSecond)
        let amplitude = Float((1 / (1 + ratio) / Double(MovingRoom.pathCount)).squareRoot())
        let energyTimeConstant = rt60Seconds / (6 * log(10.0))
        let diffuse = (0..<MovingRoom.pathCount).map { _ in
            Path(
                amplitude: random.next() & 1 == 0 ? amplitude : -amplitude,
                delaySeconds: -energyTimeConstant * log(random.nextUnit()),
                speedMetersPerSecond: speedMetersPerSecond * (2 * random.nextUnit() - 1))
        }
        paths = [direct] + diffuse
        self.speedMetersPerSecond = speedMetersPerSecond
        self.rt60Seconds = rt60Seconds
        clock = 1 + clockSkewPPM * 1e-6
    }

    /// Shape: `[n]` → `[≈ n + the longest path]`, both at `sampleRateHz`.
    public func apply(to samples: [Float], sampleRateHz: Double) -> [Float] {
        let band = BandEnvelope(centreHz: centreHz, sampleRateHz: sampleRateHz)
        let sent = band.envelope(of: samples)
        let durationSeconds = Double(samples.count) / sampleRateHz
        let rendered = paths.map { renderedPath($0, durationSeconds: durationSeconds) }
        let lastSeconds = rendered.map { ($0.delaySeconds + durationSeconds) / $0.compression }.max() ?? 0
        var heard = [Complex](repeating: .zero, count: Int(lastSeconds * band.envelopeRateHz) + 1)
        for path in rendered { path.add(sent, to: &heard, centreHz: centreHz, rateHz: band.envelopeRateHz) }
        return band.samples(of: heard)
    }

    /// Returns the path y(t) = a x(c t − d). In a retreat every path's lead over the direct sound is taken
    /// back to the end, where it is least, so that echoes do not overtake the direct sound.
    private func renderedPath(_ path: Path, durationSeconds: Double) -> WarpedPath {
        let closing = path.speedMetersPerSecond - speedMetersPerSecond
        let retreat = speedMetersPerSecond < 0 ? closing * durationSeconds : 0
        let speedOfSound = TimeWarp.speedOfSoundMetersPerSecond
        return WarpedPath(
            amplitude: path.amplitude, compression: clock * (1 + path.speedMetersPerSecond / speedOfSound),
            delaySeconds: path.delaySeconds + retreat / speedOfSound)
    }
}

/// A path y(t) = amplitude · x(compression · t − delay) on an envelope about a centre.
struct WarpedPath {
    var amplitude: Float
    var compression: Double
    var delaySeconds: Double

    /// The number of samples between two exact carrier phases; between them a phasor is turned on.
    private static let blockCount = 256

    /// Adds the path. It reads the envelope by cubic interpolation, within −50 dB; `MovingRoomTests` checks
    /// that.
    func add(_ sent: [Complex], to heard: inout [Complex], centreHz: Double, rateHz: Double) {
        let delay = delaySeconds * rateHz
        // It reads sent[i − 1 … i + 2], so sent's ends are left out by a sample: there is a ramp of silence.
        let first = max(0, Int(((delay + 1) / compression).rounded(.up)))
        let last = min(heard.count - 1, Int((delay + Double(sent.count) - 3) / compression))
        let turn = Complex(unitPhasor: centreHz / rateHz * (compression - 1))
        for start in stride(from: first, through: max(first, last), by: WarpedPath.blockCount) {
            var phasor =
                Complex(
                    unitPhasor: centreHz / rateHz * (Double(start) * (compression - 1) - delay))
                * amplitude
            for n in start..<max(start, min(start + WarpedPath.blockCount, last + 1)) {
                let place = Double(n) * compression - delay
                let i = Int(place)
                heard[n] += phasor * cubic(sent, i, Float(place - Double(i)))
                phasor *= turn
            }
        }
    }

    /// Returns Lagrange's interpolation through four samples, `x` of the way from `i` to `i + 1`.
    @inline(__always)
    private func cubic(_ z: [Complex], _ i: Int, _ x: Float) -> Complex {
        let (a, b, c) = (x + 1, x - 1, x - 2)
        return z[i - 1] * (-x * b * c / 6) + z[i] * (a * b * c / 2) + z[i + 1] * (-a * x * c / 2)
            + z[i + 2] * (a * x * b / 6)
    }
}
