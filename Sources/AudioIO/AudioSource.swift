/// A source of frames: a file, a pipe or a microphone. One reader at a time.
public protocol AudioSource: AnyObject {
    /// The rate and channels of the frames; ``AudioFormat/frameCount`` is `nil` if the end is unknown, as for
    /// a device.
    var format: AudioFormat { get }
    /// The number of samples so far that were not finite and were read as 0.
    var replacedSampleCount: Int { get }

    /// Fills `block`, whose channel count is the source's, with the next frames. `block.frameCount` is the
    /// number that came. A file fills the capacity except at the end; a device delivers what has arrived,
    /// even nothing. Returns false, without frames, after the end. A source that may lose frames sets
    /// ``AudioBlock/missingFrames``.
    ///
    /// Throws: `.inputOutput` if reading fails, `.badData` if the sound is damaged from here on.
    func read(into block: inout AudioBlock) throws(AudioIOError) -> Bool
}

extension AudioSource {
    /// Creates a block of a suitable size for this source: 4096 frames, fewer if there are very many
    /// channels.
    public func makeBlock() -> AudioBlock {
        AudioBlock(
            channelCount: format.channelCount, capacity: max(256, min(4096, 65536 / format.channelCount)))
    }
}
