import Signal

/// A detector of senders. It compares the band's level with that of the quietest window of the last seconds,
/// and with that of the band beside it.
///
///     ▁▁▂▁▁▁▁▇▇▇▇▇▇▇▇▇▁▁▁      busy where it stands 6 dB over the floor
///        16 ▁▁▁▁▁▇▇▇▇ 20 kHz      or 10 dB over what is below the band: at first the floor may be a frame's
///
/// A value: it takes samples and has no device and no clock. A frame that is received without rising above
/// the noise goes unnoticed.
public struct CarrierSense: Sendable {
    private static let busyDecibels = 6.0
    private static let besideDecibels = 10.0
    /// The level below which the band never counts as busy, in dB below a full-scale sine.
    private static let leastDBFS = -95.0
    /// The width of the band for comparison, and its distance: it lies below the band, or above one that
    /// begins too low.
    private static let besideWidthHz = 1500.0
    /// The number of windows of which the quietest is the floor.
    private static let windows = 128

    private let bandHz: ClosedRange<Double>
    private let besideHz: ClosedRange<Double>
    private var spectrum: BandSpectrum
    private var samples: [Float] = []
    private var levels: [Double] = []
    private var besideDBFS = 0.0

    /// - Parameters:
    ///   - bandHz: the band in which others send.
    ///   - sampleRateHz: the rate of the samples; it must hold the band.
    public init(bandHz: ClosedRange<Double>, sampleRateHz: Double) {
        self.bandHz = bandHz
        let width = CarrierSense.besideWidthHz
        besideHz =
            bandHz.lowerBound >= 2 * width
            ? bandHz.lowerBound - 2 * width...bandHz.lowerBound - width
            : bandHz.upperBound + width...bandHz.upperBound + 2 * width
        spectrum = BandSpectrum(sampleRateHz: sampleRateHz)
    }

    /// Takes the next samples of a microphone.
    public mutating func hear(_ heard: UnsafeBufferPointer<Float>) {
        samples += heard
        var first = 0
        while samples.count - first >= BandSpectrum.window {
            let powers = spectrum.powers(samples[first..<first + BandSpectrum.window])
            first += BandSpectrum.window
            levels.append(BandSpectrum.dBFS(spectrum.power(powers, of: bandHz)))
            besideDBFS = BandSpectrum.dBFS(spectrum.power(powers, of: besideHz))
        }
        samples.removeFirst(first)
        levels.removeFirst(max(0, levels.count - CarrierSense.windows))
    }

    /// True if somebody is sending, as far as the samples until now show; true also before any have come.
    public var isBusy: Bool {
        guard let now = levels.last, let floor = levels.min() else { return true }
        guard now > CarrierSense.leastDBFS else { return false }
        return now > floor + CarrierSense.busyDecibels || now > besideDBFS + CarrierSense.besideDecibels
    }
}
