/// The facts of a stream of sound.
public struct AudioFormat: Sendable, Hashable {
    /// Frames in a second.
    public var sampleRateHz: Int
    /// Samples in a frame.
    public var channelCount: Int
    /// Frames (one sample of every channel) in the whole stream; nil when nobody knows, as for a pipe.
    public var frameCount: Int?

    /// As given; a reader or writer checks what it needs.
    public init(sampleRateHz: Int, channelCount: Int, frameCount: Int? = nil) {
        self.sampleRateHz = sampleRateHz
        self.channelCount = channelCount
        self.frameCount = frameCount
    }
}
