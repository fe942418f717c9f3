import ChannelSim
import Glibc
import Signal

/// A share of a walker's reverberation. It is the sound that left one device in one direction and reaches the
/// other from one direction, so that it has one Doppler shift.
///
///     y(t) = gain(t) · (tail ∗ x)(t + (u · Δa + v · Δb) / c)      u, v uniform over the sphere
///
/// Δ is the distance from the devices' positions in the middle of the wave's life. For directions uniform in
/// space the tail's correlation is sinc(2 Δ / λ), as in ChannelSim's ``MovingRoom``. There each path has a
/// delay and a direction; here each of eight directions has a whole tail, which costs as much as eight
/// standing paths.
///
/// A wave lives for 0.8 m of walking, during which its amplitude rises and falls as a sine. Eight waves are
/// alive at a time, and their powers add up to one.
struct PlaneWave: Sendable {
    static let lifeMeters = 0.8
    static let aliveCount = 8
    /// The distance walked between the births of two successive waves.
    static let spacingMeters = lifeMeters / Double(aliveCount)
    /// The greatest shift of a wave in envelope samples: half a life and 10 ms of two walkers.
    private static let mostShift = 18.0

    /// The level at which the tail ends. Keeping the omitted ten-thousandth of its energy would cost half as
    /// much again.
    private static let depthDecibels = 40.0

    /// The wave's response; `nil` if the wave cannot be heard.
    let response: PartitionedResponse?
    private let bornMeters: Double
    private let middle: (a: SIMD3<Double>, b: SIMD3<Double>)
    private let directions: (a: SIMD3<Double>, b: SIMD3<Double>)

    /// - Parameter propagation: returns the propagation between the places in the middle of the wave's life.
    init(
        number: Int, walk: Walk, seed: UInt64, leastGain: Double, shape: BlockShape,
        propagation: (SIMD3<Double>, SIMD3<Double>) -> Propagation
    ) {
        bornMeters = Double(number) * PlaneWave.spacingMeters
        let seconds = walk.seconds(walkedMeters: bornMeters + PlaneWave.lifeMeters / 2)
        middle = walk.places(atSeconds: seconds)
        var random = SplitMix64(seed: seed &+ UInt64(bitPattern: Int64(number)) &* 0xD1B5_4A32_D192_ED03)
        directions = (PlaneWave.direction(&random), PlaneWave.direction(&random))
        let here = propagation(middle.a, middle.b)
        guard let reverberation = here.reverberation, reverberation.energy.squareRoot() >= leastGain else {
            response = nil
            return
        }
        var noise = NoiseSource(seed: random.next())
        let tail = reverberation.tail(
            envelopeRateHz: Band.envelopeRateHz, depthDecibels: PlaneWave.depthDecibels, noise: &noise)
        // The tail is so late that it never overtakes the direct sound, which may be late by as much as a
        // wave may be early.
        let onset = here.meters / TimeWarp.speedOfSoundMetersPerSecond * Band.envelopeRateHz
        response = PartitionedResponse(
            tail, after: Int(onset.rounded(.up)) + Int(PlaneWave.mostShift), shape: shape)
    }

    /// Returns the amplitude after the given distance; the powers of all living waves add up to 1.
    func gain(walkedMeters: Double) -> Double {
        let age = (walkedMeters - bornMeters) / PlaneWave.lifeMeters
        return (0...1).contains(age) ? sin(.pi * age) * (2 / Double(PlaneWave.aliveCount)).squareRoot() : 0
    }

    /// Returns the wave's delay after its response, in envelope samples, and the carrier's turns that go with
    /// it.
    func delay(a: SIMD3<Double>, b: SIMD3<Double>) -> (samples: Double, cycles: Double) {
        let meters = (directions.a * (a - middle.a)).sum() + (directions.b * (b - middle.b)).sum()
        let seconds = -meters / TimeWarp.speedOfSoundMetersPerSecond
        let samples = seconds * Band.envelopeRateHz + PlaneWave.mostShift + Double(FractionalDelay.reach)
        return (samples, -Band.carrierHz * seconds)
    }

    private static func direction(_ random: inout SplitMix64) -> SIMD3<Double> {
        let (height, angle) = (2 * random.nextUnit() - 1, 2 * Double.pi * random.nextUnit())
        let radius = (1 - height * height).squareRoot()
        return [radius * cos(angle), radius * sin(angle), height]
    }
}
