import Glibc

/// Returns the deviation of white noise at which a waveform of 64 payload bits has an Eb/N0.
func noiseSigma(under waveform: [Float], ebN0Decibels: Double) -> Float {
    let energy = waveform.reduce(0.0) { $0 + Double($1 * $1) }
    return Float((energy / 64 / pow(10, ebN0Decibels / 10) / 2).squareRoot())
}
