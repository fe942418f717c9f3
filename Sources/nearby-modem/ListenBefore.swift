import AudioIO
import LiveModem
import Signal

/// A microphone that tells when the band is free.
final class ListenBefore {
    /// Longer than the gap between the repeats of another sender, which is no invitation.
    private static let pauseSeconds = 0.25...0.45

    private let capture: ALSACapture
    private var sense: CarrierSense
    private var block: AudioBlock
    private var random: SplitMix64

    /// Throws: as ``ALSACapture``.
    init(_ device: String, bandHz: ClosedRange<Double>) throws(AudioIOError) {
        capture = try ALSACapture(device)
        sense = CarrierSense(bandHz: bandHz, sampleRateHz: Double(capture.format.sampleRateHz))
        block = AudioBlock(channelCount: capture.format.channelCount, capacity: 4096)
        random = SplitMix64(seed: UInt64(bitPattern: Int64(WallClock.now * 1e6)))
    }

    /// Whether the band is in use, as far as has come in by now. Throws: when nothing more can come in.
    func isBusy() throws(AudioIOError) -> Bool {
        // What comes meanwhile is for the next time: a device without a clock has no end.
        var waiting = capture.waitingFrames
        while waiting > 0, try capture.read(into: &block) {
            waiting -= block.frameCount
            block.withChannel(0) { sense.hear($0) }
        }
        return sense.isBusy
    }

    /// How long to wait before looking again: drawn, so that two who wait do not begin together.
    func pause() -> Double {
        let range = ListenBefore.pauseSeconds
        return range.lowerBound + random.nextUnit() * (range.upperBound - range.lowerBound)
    }
}
