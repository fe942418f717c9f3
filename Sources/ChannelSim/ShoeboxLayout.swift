import Glibc
import Signal

/// The places of things in a rectangular room, in metres from one of its corners.
public struct ShoeboxLayout: Sendable, Hashable {
    /// The length, width and height.
    public var size: SIMD3<Double>
    /// The place of the speaker, within ``size``.
    public var source: SIMD3<Double>
    /// The place of the microphone, within ``size``; not the speaker's place.
    public var microphone: SIMD3<Double>
    /// The direction of the speaker's front; any length but 0.
    public var facing = SIMD3<Double>(1, 0, 0)
    /// The radius of the speaker's piston; 0 for a speaker that radiates alike everywhere.
    public var pistonRadiusMeters = 0.0

    /// The distance of the direct sound, straight from speaker to microphone.
    public var distanceMeters: Double { (microphone - source).length }

    /// The absorption of floor and ceiling over the walls': carpet and furniture below, bare above.
    private static let floorOverWall = 1.5
    private static let ceilingOverWall = 0.7
    /// The standard deviation of a reflection's displacement, to be multiplied by the root of its order.
    private static let displacementMeters = 0.05
    private static let leastDistanceMeters = 0.5
    private static let leastGapMeters = 0.3

    /// Creates a layout with a speaker that radiates alike everywhere. The places are not checked.
    public init(size: SIMD3<Double>, source: SIMD3<Double>, microphone: SIMD3<Double>) {
        self.size = size
        self.source = source
        self.microphone = microphone
    }

    /// Draws a living room of 3.5 to 7 by 3 to 6 by 2.4 to 3 m, with places anywhere 0.3 m from its walls and
    /// 0.5 m apart.
    init(drawnFrom random: inout SplitMix64, pistonRadiusMeters: Double) {
        func draw(_ low: SIMD3<Double>, _ high: SIMD3<Double>) -> SIMD3<Double> {
            low + (high - low) * SIMD3(random.nextUnit(), random.nextUnit(), random.nextUnit())
        }
        let size = draw([3.5, 3, 2.4], [7, 6, 3])
        let gap = SIMD3(repeating: ShoeboxLayout.leastGapMeters)
        self.init(size: size, source: draw(gap, size - gap), microphone: draw(gap, size - gap))
        while distanceMeters < ShoeboxLayout.leastDistanceMeters { microphone = draw(gap, size - gap) }
        let (height, angle) = (2 * random.nextUnit() - 1, 2 * .pi * random.nextUnit())
        let radius = (1 - height * height).squareRoot()
        facing = [radius * cos(angle), radius * sin(angle), height]
        self.pistonRadiusMeters = pistonRadiusMeters
    }

    /// Returns all images of the source up to that distance, nearest first: the first is the source itself.
    func images(withinMeters reach: Double, seed: UInt64) -> [ImageSource] {
        var noise = NoiseSource(seed: seed)
        let counts = (0..<3).map { Int(reach / size[$0]) + 1 }
        var images: [ImageSource] = []
        for x in -counts[0]...counts[0] {
            for y in -counts[1]...counts[1] {
                for z in -counts[2]...counts[2] {
                    guard let image = image([x, y, z], withinMeters: reach, &noise) else { continue }
                    images.append(image)
                }
            }
        }
        return images.sorted { $0.meters < $1.meters }
    }

    /// Returns an image, or `nil` if it lies too far away. Image n of an axis lies at n · size + source,
    /// mirrored if n is odd, and was reflected |n| times: by the near wall and the far one in turn.
    private func image(
        _ n: SIMD3<Int>, withinMeters reach: Double, _ noise: inout NoiseSource
    ) -> ImageSource? {
        var (place, mirror) = (SIMD3<Double>.zero, SIMD3<Double>(repeating: 1))
        for axis in 0..<3 {
            let isMirrored = n[axis] & 1 != 0
            mirror[axis] = isMirrored ? -1 : 1
            place[axis] =
                Double(n[axis]) * size[axis] + (isMirrored ? size[axis] - source[axis] : source[axis])
        }
        let way = microphone - place
        guard way.length <= reach else { return nil }
        let order = abs(n.x) + abs(n.y) + abs(n.z)
        let displacement = order == 0 ? 0 : Double(noise.next()) * Double(order).squareRoot()
        // No echo comes before the direct sound.
        let meters = max(way.length + ShoeboxLayout.displacementMeters * displacement, distanceMeters)
        // Half of |z| hits are on the floor; of an odd number the first is on the side where the image lies.
        let floorHits = n.z < 0 ? (abs(n.z) + 1) / 2 : n.z / 2
        let hits =
            Double(abs(n.x) + abs(n.y)) + Double(floorHits) * ShoeboxLayout.floorOverWall
            + Double(abs(n.z) - floorHits) * ShoeboxLayout.ceilingOverWall
        // Hard walls keep the sign at normal incidence; furniture may change it.
        return ImageSource(
            meters: order == 0 ? distanceMeters : meters, wallHits: hits,
            sign: order == 0 || noise.next() > 0 ? 1 : -1, pattern: pattern(towards: way * mirror))
    }

    /// Returns a piston's 2 J₁(ka sin θ) / (ka sin θ), times the front's (1 + cos θ) / 2. Reference: Kinsler
    /// et al., *Fundamentals of Acoustics*, §7.4.
    private func pattern(towards way: SIMD3<Double>) -> Double {
        guard pistonRadiusMeters > 0, way.length > 0 else { return 1 }
        let cosine = (way * facing).sum() / (way.length * facing.length)
        let waveNumber = 2 * .pi * SoundPath.usualCentreHz / TimeWarp.speedOfSoundMetersPerSecond
        let x = waveNumber * pistonRadiusMeters * max(0, 1 - cosine * cosine).squareRoot()
        return (x < 1e-6 ? 1 : abs(2 * j1(x) / x)) * (1 + cosine) / 2
    }
}

/// One mirror image of the speaker, as the microphone hears it.
struct ImageSource: Sendable, Hashable {
    var meters: Double
    /// The number of hits on walls, each weighted by that wall's absorption.
    var wallHits: Double
    var sign: Double
    /// The speaker's pattern in the direction in which the sound left it.
    var pattern: Double

    var seconds: Double { meters / TimeWarp.speedOfSoundMetersPerSecond }

    func amplitude(wallNepers: Double, airNepers: Double) -> Double {
        pattern * exp(-wallNepers * wallHits - airNepers * meters) / meters
    }
}

extension SIMD3<Double> {
    var length: Double { (self * self).sum().squareRoot() }
}
