/// The settings requested of a sound device. A device that cannot meet one exactly uses its nearest value.
public struct PCMRequest: Sendable, Hashable {
    /// The acceptable rates; the first one is used that the device has without converting.
    public var sampleRatesHz: [Int]
    /// The number of samples in a frame; the nearest number that the device has is used. `nil` for all that
    /// it has, up to 8, and two of a device that mixes.
    public var channelCount: Int?
    /// The time between two turns of the audio thread.
    public var periodSeconds: Double
    /// The length of the device's buffer: a busy machine may delay the audio thread for so long.
    public var bufferSeconds: Double

    /// Creates a request, by default for one channel and a turn of 20 ms. Nothing is checked before a device
    /// is opened.
    ///
    /// - Parameter sampleRatesHz: the acceptable rates, the best first; a device that has none of them is not
    ///   opened.
    public init(
        sampleRatesHz: [Int], channelCount: Int? = 1, periodSeconds: Double = 0.02, bufferSeconds: Double
    ) {
        self.sampleRatesHz = sampleRatesHz
        self.channelCount = channelCount
        self.periodSeconds = periodSeconds
        self.bufferSeconds = bufferSeconds
    }

    /// The request for listening. A long buffer costs no delay, because arrived frames are taken at every
    /// period. Three threads wake at each turn, which costs more than listening itself; so there are fewer
    /// turns than for playing.
    public static let capture = PCMRequest(
        sampleRatesHz: usualRatesHz, periodSeconds: 0.05, bufferSeconds: 0.5)

    /// The request for listening with every microphone that the device has.
    public static let microphones = PCMRequest(
        sampleRatesHz: usualRatesHz, channelCount: nil, periodSeconds: capture.periodSeconds,
        bufferSeconds: capture.bufferSeconds)

    /// The request for playing: written frames are heard a buffer later.
    public static let playback = PCMRequest(sampleRatesHz: usualRatesHz, bufferSeconds: 0.2)

    /// The usual rates, those that tokens are made for first.
    private static let usualRatesHz = [48_000, 96_000, 44_100, 192_000, 88_200]
}
