import Signal

/// A stretch of a band's sound with the frames of one channel taken out of that channel.
struct Residual: Sendable {
    /// The position of the residual's first sample, at which its field begins.
    let origin: SamplePosition
    /// The sound of all channels, and their noise.
    let basebands: [BasebandWindow]
    let noises: [SteadyNoise]
    /// The number of frames that were taken out since the last search.
    let freshCount: Int
}
