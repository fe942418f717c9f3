import AudioIO
import Glibc
import LiveModem
import Signal

/// Whether somebody else is sending: the band's level against the quietest of the last seconds.
///
///     ▁▁▂▁▁▁▁▇▇▇▇▇▇▇▇▇▁▁▁      busy where it stands 6 dB over the floor
final class CarrierSense {
    private static let busyDecibels = 6.0
    /// The floor is the quietest window of so many.
    private static let windows = 128
    private static let pauseSeconds = 0.05...0.25

    private let capture: ALSACapture
    private let bandHz: ClosedRange<Double>
    private var spectrum: BandSpectrum
    private var block: AudioBlock
    private var samples: [Float] = []
    private var levels: [Double] = []
    private var random: SplitMix64

    /// Throws: as ``ALSACapture``.
    init(_ device: String, bandHz: ClosedRange<Double>) throws(AudioIOError) {
        capture = try ALSACapture(device)
        self.bandHz = bandHz
        spectrum = BandSpectrum(sampleRateHz: Double(capture.format.sampleRateHz))
        block = AudioBlock(channelCount: capture.format.channelCount, capacity: 4096)
        random = SplitMix64(seed: UInt64(bitPattern: Int64(WallClock.now * 1e6)))
    }

    /// Whether the band is in use, as far as has come in by now.
    var isBusy: Bool {
        update()
        guard let now = levels.last, let floor = levels.min() else { return false }
        return now > floor + CarrierSense.busyDecibels
    }

    /// How long to wait before looking again: drawn, so that two who wait do not begin together.
    func pause() -> Double {
        let range = CarrierSense.pauseSeconds
        return range.lowerBound + random.nextUnit() * (range.upperBound - range.lowerBound)
    }

    private func update() {
        while capture.waitingFrames > 0, (try? capture.read(into: &block)) == true {
            block.withChannel(0) { samples += $0 }
            while samples.count >= BandSpectrum.window {
                let level = spectrum.levelDBFS(Array(samples[..<BandSpectrum.window]), bandHz: bandHz)
                samples.removeFirst(BandSpectrum.window)
                if let level { levels.append(level) }
            }
        }
        levels.removeFirst(max(0, levels.count - CarrierSense.windows))
    }
}
