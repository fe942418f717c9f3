import Signal

/// Whether somebody is sending: the band's level against the quietest of the last seconds, and against the band beside it.
///
///     ▁▁▂▁▁▁▁▇▇▇▇▇▇▇▇▇▁▁▁      busy where it stands 6 dB over the floor
///        16 ▁▁▁▁▁▇▇▇▇ 20 kHz      or 10 dB over what is below the band: the floor may be a frame's own, in the beginning
///
/// A value: samples come in, no device, no clock. A frame that is heard without standing out of the noise goes unnoticed.
public struct CarrierSense: Sendable {
    private static let busyDecibels = 6.0
    private static let besideDecibels = 10.0
    /// Nothing is heard of what is softer: dB below a full-scale sine.
    private static let leastDBFS = -95.0
    /// As wide as this, and as far off, is what is compared: below the band, or above one that begins too low.
    private static let besideWidthHz = 1500.0
    /// The floor is the quietest window of so many.
    private static let windows = 128

    private let bandHz: ClosedRange<Double>
    private let besideHz: ClosedRange<Double>
    private var spectrum: BandSpectrum
    private var samples: [Float] = []
    private var levels: [Double] = []
    private var besideDBFS = 0.0

    /// - Parameters:
    ///   - bandHz: where others send.
    ///   - sampleRateHz: of what it will hear; it must hold the band.
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

    /// As far as has come in by now; before anything has, it may be.
    public var isBusy: Bool {
        guard let now = levels.last, let floor = levels.min() else { return true }
        guard now > CarrierSense.leastDBFS else { return false }
        return now > floor + CarrierSense.busyDecibels || now > besideDBFS + CarrierSense.besideDecibels
    }
}
