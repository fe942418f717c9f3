import AudioIO
import LiveModem
import Signal

/// A microphone that detects when the band is free.
final class ListenBefore {
    /// The range of pauses: longer than the gap between another sender's repeats, in which nobody else must
    /// begin.
    private static let pauseSeconds = 0.25...0.45

    private let capture: ALSACapture
    private var sense: CarrierSense
    private var block: AudioBlock
    private var random: SplitMix64

    /// Throws: the errors of ``ALSACapture``.
    init(_ device: String, bandHz: ClosedRange<Double>) throws(AudioIOError) {
        capture = try ALSACapture(device)
        sense = CarrierSense(bandHz: bandHz, sampleRateHz: Double(capture.format.sampleRateHz))
        block = AudioBlock(channelCount: capture.format.channelCount, capacity: 4096)
        random = SplitMix64(seed: UInt64(bitPattern: Int64(WallClock.now * 1e6)))
    }

    /// Returns true if the band is in use, as far as the samples until now show. Throws: an error if no more
    /// samples can come.
    func isBusy() throws(AudioIOError) -> Bool {
        // Samples that come meanwhile are for the next call, because a device without a clock has no end.
        var waiting = capture.waitingFrames
        while waiting > 0, try capture.read(into: &block) {
            waiting -= block.frameCount
            block.withChannel(0) { sense.hear($0) }
        }
        return sense.isBusy
    }

    /// Returns the wait before the next check; it is drawn, so that two waiting devices do not begin
    /// together.
    func pause() -> Double {
        let range = ListenBefore.pauseSeconds
        return range.lowerBound + random.nextUnit() * (range.upperBound - range.lowerBound)
    }
}
