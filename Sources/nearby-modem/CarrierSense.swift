import AudioIO
import Glibc
import LiveModem
import Signal

/// Whether somebody else is sending: the band's level against the quietest of the last seconds, and against the band beside it.
///
///     ▁▁▂▁▁▁▁▇▇▇▇▇▇▇▇▇▁▁▁      busy where it stands 6 dB over the floor
///        16 ▁▁▁▁▁▇▇▇▇ 20 kHz      or 10 dB over what is below the band: the floor may be a frame's own, in the beginning
final class CarrierSense {
    private static let busyDecibels = 6.0
    private static let besideDecibels = 10.0
    /// Nothing is heard of what is softer: dB below a full-scale sine.
    private static let leastDBFS = -95.0
    /// As wide as this, and as far off, is what is compared: below the band, or above one that begins too low.
    private static let besideWidthHz = 1500.0
    /// The floor is the quietest window of so many.
    private static let windows = 128
    private static let pauseSeconds = 0.05...0.25

    private let capture: ALSACapture
    private let bandHz: ClosedRange<Double>
    private let besideHz: ClosedRange<Double>
    private var spectrum: BandSpectrum
    private var block: AudioBlock
    private var samples: [Float] = []
    private var levels: [Double] = []
    private var besideDBFS = 0.0
    private var random: SplitMix64

    /// Throws: as ``ALSACapture``.
    init(_ device: String, bandHz: ClosedRange<Double>) throws(AudioIOError) {
        capture = try ALSACapture(device)
        self.bandHz = bandHz
        let width = CarrierSense.besideWidthHz
        besideHz =
            bandHz.lowerBound >= 2 * width
            ? bandHz.lowerBound - 2 * width...bandHz.lowerBound - width
            : bandHz.upperBound + width...bandHz.upperBound + 2 * width
        spectrum = BandSpectrum(sampleRateHz: Double(capture.format.sampleRateHz))
        block = AudioBlock(channelCount: capture.format.channelCount, capacity: 4096)
        random = SplitMix64(seed: UInt64(bitPattern: Int64(WallClock.now * 1e6)))
    }

    /// Whether the band is in use, as far as has come in by now; before anything has, it may be. Throws: when nothing more can come in.
    func isBusy() throws(AudioIOError) -> Bool {
        try update()
        guard let now = levels.last, let floor = levels.min() else { return true }
        guard now > CarrierSense.leastDBFS else { return false }
        return now > floor + CarrierSense.busyDecibels || now > besideDBFS + CarrierSense.besideDecibels
    }

    /// How long to wait before looking again: drawn, so that two who wait do not begin together.
    func pause() -> Double {
        let range = CarrierSense.pauseSeconds
        return range.lowerBound + random.nextUnit() * (range.upperBound - range.lowerBound)
    }

    private func update() throws(AudioIOError) {
        // What comes meanwhile is for the next time: a device without a clock has no end.
        var waiting = capture.waitingFrames
        while waiting > 0, try capture.read(into: &block) {
            waiting -= block.frameCount
            block.withChannel(0) { samples += $0 }
            while samples.count >= BandSpectrum.window {
                let powers = spectrum.powers(samples[..<BandSpectrum.window])
                samples.removeFirst(BandSpectrum.window)
                levels.append(BandSpectrum.dBFS(spectrum.power(powers, of: bandHz)))
                besideDBFS = BandSpectrum.dBFS(spectrum.power(powers, of: besideHz))
            }
        }
        levels.removeFirst(max(0, levels.count - CarrierSense.windows))
    }
}
