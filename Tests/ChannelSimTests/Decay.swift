import Glibc

/// A measurement of the reverberation time of a response sampled at 48 kHz. It is Schroeder's backward
/// integration of the energy, with a straight line between −5 and −25 dB. Reference: Schroeder, *New Method
/// of Measuring Reverberation Time*, JASA 37, 1965.
enum Decay {
    /// - Parameter power: the squared response.
    static func rt60Seconds(_ power: some Sequence<Double>) -> Double {
        var decay = Array(power)
        for i in decay.indices.reversed().dropFirst() { decay[i] += decay[i + 1] }
        let start = decay.firstIndex { $0 < decay[0] * pow(10, -0.5) }!
        let end = decay.firstIndex { $0 < decay[0] * pow(10, -2.5) }!
        return Double(end - start) / 48_000 * 3
    }
}
