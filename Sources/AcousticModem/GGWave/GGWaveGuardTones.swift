/// Faint tones beside a message that carries its length. Without them ggwave's receiver sees markers in
/// silence.
///
/// It requires two things of a marker: in every even pair of a start marker three times the power in the
/// lower tone, and in every odd pair of an end marker the same. Where a band is silent, rounding decides, so
/// that now and then it takes a message for one of another band, or ends it in its middle. One upper tone of
/// each kind prevents both:
///
///     pair     0     1     2     3
///     start   X .   . X   X .   . X
///     end     . X   X .   . X   X .
///     guard   . x   . x   . .   . .     of the other two bands, outside of the message's own, all the time
///     guard   . .   . x   . .   . .     of its own, four, while data sounds: two nibbles silence two at most
struct GGWaveGuardTones: Sendable {
    /// The bins of the other bands.
    let bins: [Int]
    /// The amplitude beside a full scale of 1. Near 19 kHz nothing audible may be added to a message that
    /// people do not hear.
    let amplitude: Float
    /// The bins under data.
    let dataBins: [Int]
    let dataAmplitude: Float = 0.002

    init(_ waveform: GGWaveProtocol) {
        let own = waveform.firstBin..<waveform.firstBin + waveform.binCount
        var bins: [Int] = []
        for tones in GGWaveProtocol.Tones.allCases where tones != waveform.tones {
            let other = GGWaveProtocol(tones: tones, speed: .normal)
            guard other.hasMarkers else { continue }
            for parity in 0..<2 {
                let uppers = stride(from: parity, to: 16, by: 2).map { other.firstBin + 2 * $0 + 1 }
                if let bin = uppers.first(where: { !own.contains($0) && !own.contains($0 - 1) }) {
                    bins.append(bin)
                }
            }
        }
        self.bins = bins
        amplitude = waveform.tones == .ultrasound ? 1e-4 : dataAmplitude
        dataBins = [1, 5, 9, 13].map { waveform.firstBin + 2 * $0 + 1 }
    }
}
