import Glibc
import Signal

/// Returns the energy under `limitHz` over all energy in dB, from a transform of the whole frame at 48 kHz.
package func energyBelow(_ limitHz: Double, _ waveform: [Float]) -> Double {
    let count = 1 << 18
    var spectrum =
        waveform.map { Complex($0) } + [Complex](repeating: .zero, count: count - waveform.count)
    FFT(count: count).forward(&spectrum)
    let powers = spectrum[..<(count / 2)].map { Double($0.power) }
    let limit = Int(limitHz / 48_000 * Double(count))
    return 10 * log10(powers[..<limit].reduce(0, +) / powers.reduce(0, +))
}
