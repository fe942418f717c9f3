/// The frequency steps that a report distinguishes.
public enum SoundingBand {
    /// The steps of ``stepHz`` from 16 to 22 kHz.
    public static let all: [Range<Double>] = (0..<24).map { index in
        let low = 16_000 + Double(index) * stepHz
        return low..<low + stepHz
    }
    /// The width of each of ``all``.
    public static let stepHz = 250.0
    /// The band of the near-ultrasonic waveforms.
    package static let tokensHz = 18_500.0..<20_000.0
    /// The reference for the token band: most speakers and microphones still do well there.
    package static let referenceHz = 16_000.0..<17_000.0

    /// Returns the mean over the steps within `bandHz` of one value a step.
    static func mean(_ values: [Double], within bandHz: Range<Double>) -> Double {
        let chosen = zip(all, values).filter { bandHz.contains($0.0.lowerBound) }
        return chosen.reduce(0) { $0 + $1.1 } / Double(chosen.count)
    }
}
