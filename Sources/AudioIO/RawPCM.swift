import CSndFile

/// The description of samples without a header, little-endian and interleaved.
public struct RawPCM: Sendable, Hashable {
    /// The encoding of one stored sample.
    public enum Encoding: String, Sendable, Hashable, CaseIterable {
        /// Integers of 16, 24 (in three bytes) and 32 bits, and floats of 32 bits whose full scale is ±1.
        case s16, s24, s32, f32
    }

    /// The encoding of each sample.
    public var encoding: Encoding
    /// The number of frames in a second, which the recording does not state.
    public var sampleRateHz: Int
    /// The number of samples in a frame, 1 to 1024.
    public var channelCount: Int

    /// Precondition: a positive rate, 1 to 1024 channels.
    public init(encoding: Encoding, sampleRateHz: Int, channelCount: Int = 1) {
        precondition(sampleRateHz > 0, "a sample rate is positive")
        precondition((1...1024).contains(channelCount), "1 to 1024 channels")
        self.encoding = encoding
        self.sampleRateHz = sampleRateHz
        self.channelCount = channelCount
    }

    /// The description by which libsndfile opens it.
    var info: SF_INFO {
        let subtype =
            switch encoding {
            case .s16: SF_FORMAT_PCM_16
            case .s24: SF_FORMAT_PCM_24
            case .s32: SF_FORMAT_PCM_32
            case .f32: SF_FORMAT_FLOAT
            }
        var info = SF_INFO()
        info.format = Int32(SF_FORMAT_RAW) | Int32(subtype) | Int32(SF_ENDIAN_LITTLE)
        info.samplerate = Int32(sampleRateHz)
        info.channels = Int32(channelCount)
        return info
    }
}
