/// What is asked of a sound device. Where it cannot give exactly that, it gives what is nearest.
public struct PCMRequest: Sendable, Hashable {
    /// Any of these, the first one that the device has without converting.
    public var sampleRatesHz: [Int]
    /// Samples in a frame; the nearest number that the device has is taken.
    public var channelCount: Int
    /// Between two turns of the audio thread.
    public var periodSeconds: Double
    /// What the device holds: as long as this, a busy machine may keep the audio thread waiting.
    public var bufferSeconds: Double

    /// One channel, and a turn of 20 ms, unless asked otherwise. Nothing is checked before a device is opened.
    ///
    /// - Parameter sampleRatesHz: the best first; a device that has none of them is not opened.
    public init(
        sampleRatesHz: [Int], channelCount: Int = 1, periodSeconds: Double = 0.02, bufferSeconds: Double
    ) {
        self.sampleRatesHz = sampleRatesHz
        self.channelCount = channelCount
        self.periodSeconds = periodSeconds
        self.bufferSeconds = bufferSeconds
    }

    /// For listening: a long buffer costs no delay, as what has come is taken at every period. Three threads wake at each, which
    /// costs more than listening: fewer turns than a player has.
    public static let capture = PCMRequest(
        sampleRatesHz: usualRatesHz, periodSeconds: 0.05, bufferSeconds: 0.5)

    /// For playing: what is written is heard a buffer later.
    public static let playback = PCMRequest(sampleRatesHz: usualRatesHz, bufferSeconds: 0.2)

    /// Those that tokens are made for first.
    private static let usualRatesHz = [48_000, 96_000, 44_100, 192_000, 88_200]
}
