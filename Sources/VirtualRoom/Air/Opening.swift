/// A part of a wall that lets through more sound than the wall: a door, shut or open, or a window.
package struct Opening: Sendable, Hashable {
    package var from: SIMD2<Double>
    package var to: SIMD2<Double>
    package var heightMeters: Double
    /// The opening's loss of sound at 19 kHz.
    package var lossDecibels: Double

    package init(
        from: SIMD2<Double>, to: SIMD2<Double>, heightMeters: Double = 2, lossDecibels: Double = 0
    ) {
        (self.from, self.to) = (from, to)
        (self.heightMeters, self.lossDecibels) = (heightMeters, lossDecibels)
    }

    /// The loss of a shut inner door, which leaks through its gaps.
    package static let shutDoorDecibels = 40.0

    var segment: Segment { Segment(from, to) }
    var areaSquareMeters: Double { segment.meters * heightMeters }
    /// The share of sound power that the opening lets through.
    var transmission: Double { Decibels.power(-lossDecibels) }
}
