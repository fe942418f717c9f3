import Signal

/// The test that tells tones from noise in a stretch of a power spectrum: a tone stands far over the median
/// of its neighbours, even if many of them are tones, too.
enum ToneBound {
    /// The number of bins in a stretch.
    static let stretch = Kernels.stretch
    /// The median of exponentially distributed powers over their mean.
    private static let medianOfMean: Float = 0.693
    private static let medianRatio = Thresholds.guards.toneRatio / medianOfMean

    /// Returns the stretches that may hold a tone; most hold none. powers `[count]`
    static func suspects(_ powers: UnsafePointer<Float>, _ count: Int) -> Kernels.Stretches {
        Kernels.stretches(powers, count, above: Thresholds.guards.suspectRatio / Float(stretch))
    }

    /// Returns the power over which a bin of a suspect stretch is a tone, or `nil` if none is. powers
    /// `[stretch]`
    static func bound(_ powers: UnsafePointer<Float>) -> Float? {
        // Most often the greatest is too little over most of the others to need a median.
        let greatest = Kernels.maximum(powers, stretch)
        guard Kernels.count(powers, stretch, by: medianRatio, below: greatest) > stretch / 2 else {
            return nil
        }
        let bound = medianRatio * Selection.median(powers, stretch)
        return bound > 0 ? bound : nil
    }
}
