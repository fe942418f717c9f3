/// The rate, channels and length of a stream of sound.
public struct AudioFormat: Sendable, Hashable {
    /// The number of frames in a second.
    public var sampleRateHz: Int
    /// The number of samples in a frame.
    public var channelCount: Int
    /// The number of frames (one sample of every channel) in the whole stream; `nil` if it is unknown, as for
    /// a pipe.
    public var frameCount: Int?

    /// Creates a format; a reader or writer checks the values that it needs.
    public init(sampleRateHz: Int, channelCount: Int, frameCount: Int? = nil) {
        self.sampleRateHz = sampleRateHz
        self.channelCount = channelCount
        self.frameCount = frameCount
    }
}
