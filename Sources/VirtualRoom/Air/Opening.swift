/// A part of a wall that lets through more than the wall: a door, shut or open, a window.
public struct Opening: Sendable, Hashable {
    public var from: SIMD2<Double>
    public var to: SIMD2<Double>
    public var heightMeters: Double
    /// What it takes from sound at 19 kHz.
    public var lossDecibels: Double

    public init(
        from: SIMD2<Double>, to: SIMD2<Double>, heightMeters: Double = 2, lossDecibels: Double = 0
    ) {
        (self.from, self.to) = (from, to)
        (self.heightMeters, self.lossDecibels) = (heightMeters, lossDecibels)
    }

    /// A shut inner door leaks by its gaps.
    public static let shutDoorDecibels = 40.0

    var segment: Segment { Segment(from, to) }
    var areaSquareMeters: Double { segment.meters * heightMeters }
    /// The share of power it lets through.
    var transmission: Double { Decibels.power(-lossDecibels) }
}
