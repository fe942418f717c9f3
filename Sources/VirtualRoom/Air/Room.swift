import ChannelSim
import Glibc

/// A rectangular room whose sound field is diffuse. Reference: Kuttruff, *Room Acoustics*, §5.1.
package struct Room: Sendable, Hashable {
    /// The corners with the least and the greatest x and y, in metres.
    package var from: SIMD2<Double>
    package var to: SIMD2<Double>
    package var heightMeters: Double
    /// The reverberation time at 19 kHz, including the absorption by air, with all doors shut.
    package var rt60Seconds: Double

    /// - Precondition: the room has an extent in each direction, and a positive RT60.
    package init(
        from: SIMD2<Double>, to: SIMD2<Double>, heightMeters: Double = 2.5, rt60Seconds: Double = 0.4
    ) {
        precondition(from.x < to.x && from.y < to.y && heightMeters > 0, "a room has an extent")
        precondition(rt60Seconds > 0, "a room reverberates; for the open there is no room")
        (self.from, self.to, self.heightMeters) = (from, to, heightMeters)
        self.rt60Seconds = rt60Seconds
    }

    package var volumeCubicMeters: Double { (to.x - from.x) * (to.y - from.y) * heightMeters }

    /// The absorption by Sabine's formula, A = 24 ln 10 V / (c T), in m².
    package var absorptionSquareMeters: Double {
        24 * log(10) * volumeCubicMeters / (TimeWarp.speedOfSoundMetersPerSecond * rt60Seconds)
    }

    /// The distance at which direct and reverberant sound of an omnidirectional speaker are equally strong:
    /// √(A / 16π).
    package var criticalDistanceMeters: Double { (absorptionSquareMeters / (16 * .pi)).squareRoot() }

    func contains(_ place: SIMD3<Double>) -> Bool {
        (from.x...to.x).contains(place.x) && (from.y...to.y).contains(place.y)
    }

    /// The four sides of the room's outline.
    var sides: [Segment] {
        let (a, b) = (SIMD2(to.x, from.y), SIMD2(from.x, to.y))
        return [Segment(from, a), Segment(a, to), Segment(to, b), Segment(b, from)]
    }
}
