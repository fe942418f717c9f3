import Glibc

/// A window over frequency: 1 within the band, falling as a raised cosine over `edgeHz` on both sides; 0
/// elsewhere and at negative frequencies.
struct Passband {
    let flatHz: ClosedRange<Double>
    let edgeHz: Double
    let count: Int
    let sampleRateHz: Double

    /// - Parameter bin: the bin of a transform of `count` points.
    func gain(bin: Int) -> Float {
        guard bin <= count / 2 else { return 0 }
        let hz = Double(bin) * sampleRateHz / Double(count)
        let outside = max(flatHz.lowerBound - hz, hz - flatHz.upperBound, 0) / edgeHz
        return outside < 1 ? Float(0.5 + 0.5 * cos(.pi * outside)) : 0
    }
}
