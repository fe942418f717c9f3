import Glibc
import Signal

/// A rectangular furnished room at the waveform's carrier: image sources, walls that absorb, air that absorbs
/// more.
///
///     h(t) = Σ images  (1 / r) · e^{−hits} · e^{−air r} · pattern(angle) · ± δ(t − r / 343 m/s)
///
/// Absorption is that of 19.2 kHz, the same across the band. Floor and ceiling differ from the walls, and
/// furniture displaces every reflection by some wavelengths, so that no two paths stay in step. A search sets
/// the walls' absorption so that the decay of the images' energy is as asked: Eyring's formula errs by 20 %
/// in rooms that are not diffuse. Each room is normalised by itself: its whole energy is 1; the fading of its
/// band remains.
/// References: Allen, Berkley, *Image Method for Efficiently Simulating Small-Room Acoustics*, JASA 65, 1979;
/// Kuttruff, *Room Acoustics*, §4.1.
public struct ShoeboxRoom: Sendable {
    /// The response from the speaker's instant on: ``directDelaySeconds`` of silence, then every image. Its
    /// energy is 1. `[n]`
    public let impulseResponse: [Float]
    /// The delay r / 343 m/s of the direct sound.
    public let directDelaySeconds: Double
    /// The direct over the reverberant energy.
    public let drrDecibels: Double

    /// The longest reverberation at 19 kHz in air of 20 °C and 50 % humidity, however hard the walls; the
    /// air's own limit, 13.8 / (343 m/s · its nepers a metre), is 0.36 s.
    public static let longestRT60Seconds = 0.33
    /// The shortest reverberation: below it the walls would not reflect.
    public static let shortestRT60Seconds = 0.08

    /// The loudest part of the images that are 60 dB down: images beyond are left out.
    private static let reachOverRT60 = 1.1
    private static let airNepersPerMeter =
        AirAbsorption().decibelsPerMeter(frequencyHz: SoundPath.usualCentreHz) / (20 * log10(M_E))

    /// Draws a room, a speaker and a microphone at random.
    ///
    /// - Parameter pistonRadiusMeters: the speaker's radius, 0 for one that radiates alike everywhere; it
    ///   faces a random direction.
    public init(rt60Seconds: Double, pistonRadiusMeters: Double = 0, sampleRateHz: Double, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let layout = ShoeboxLayout(drawnFrom: &random, pistonRadiusMeters: pistonRadiusMeters)
        self.init(layout, rt60Seconds: rt60Seconds, sampleRateHz: sampleRateHz, seed: random.next())
    }

    /// - Precondition: `rt60Seconds` within ``shortestRT60Seconds`` and ``longestRT60Seconds``.
    public init(_ layout: ShoeboxLayout, rt60Seconds: Double, sampleRateHz: Double, seed: UInt64) {
        precondition(
            (ShoeboxRoom.shortestRT60Seconds...ShoeboxRoom.longestRT60Seconds).contains(rt60Seconds),
            "air and walls set the limits of reverberation")
        let reach = ShoeboxRoom.reachOverRT60 * rt60Seconds * TimeWarp.speedOfSoundMetersPerSecond
        let images = layout.images(withinMeters: max(reach, 2 * layout.distanceMeters), seed: seed)
        let nepers = ShoeboxRoom.wallNepers(images, rt60Seconds: rt60Seconds)
        var response = [Float](repeating: 0, count: Int(images.last!.seconds * sampleRateHz) + 2)
        var energy = 0.0
        for image in images {
            let amplitude = image.amplitude(wallNepers: nepers, airNepers: ShoeboxRoom.airNepersPerMeter)
            response[Int((image.seconds * sampleRateHz).rounded())] += Float(image.sign * amplitude)
            energy += amplitude * amplitude
        }
        let first = images[0].amplitude(wallNepers: nepers, airNepers: ShoeboxRoom.airNepersPerMeter)
        let scale = Float(1 / response.reduce(0.0) { $0 + Double($1 * $1) }.squareRoot())
        impulseResponse = response.map { $0 * scale }
        directDelaySeconds = layout.distanceMeters / TimeWarp.speedOfSoundMetersPerSecond
        drrDecibels = 10 * log10(first * first / (energy - first * first))
    }

    /// Convolves samples with the response. Shape: `[n]` → `[n + impulseResponse.count − 1]`, with the direct
    /// sound late by its delay.
    public func apply(to samples: [Float]) -> [Float] { Convolver(impulseResponse).convolve(samples) }

    /// Returns the nepers of a hit on a wall of average absorption, by bisection over the decay of the
    /// images' energy.
    private static func wallNepers(_ images: [ImageSource], rt60Seconds: Double) -> Double {
        var (low, high) = (1e-4, 4.0)
        for _ in 0..<14 {
            let middle = (low * high).squareRoot()
            if decaySeconds(images, wallNepers: middle) > rt60Seconds { low = middle } else { high = middle }
        }
        return (low * high).squareRoot()
    }

    /// Returns Schroeder's decay of the sound after the direct sound: the line through −5 and −25 dB,
    /// extended to 60 dB.
    private static func decaySeconds(_ images: [ImageSource], wallNepers: Double) -> Double {
        var decay = images.dropFirst().map {
            let amplitude = $0.amplitude(wallNepers: wallNepers, airNepers: airNepersPerMeter)
            return amplitude * amplitude
        }
        for i in decay.indices.reversed().dropFirst() { decay[i] += decay[i + 1] }
        guard let whole = decay.first, let start = decay.firstIndex(where: { $0 < whole * pow(10, -0.5) }),
            let end = decay.firstIndex(where: { $0 < whole * pow(10, -2.5) })
        else { return .infinity }
        return 3 * (images[end + 1].seconds - images[start + 1].seconds)
    }
}
