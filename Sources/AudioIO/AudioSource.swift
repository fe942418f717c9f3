/// Where frames come from: a file, a pipe, a microphone. One reader at a time.
public protocol AudioSource: AnyObject {
    /// Rate and channels of what comes; ``AudioFormat/frameCount`` is nil where nobody knows the end, as of a device.
    var format: AudioFormat { get }
    /// Samples so far that were not finite numbers and were read as 0.
    var replacedSampleCount: Int { get }

    /// Fills `block`, whose channel count is the source's, with the next frames. `block.frameCount` is how many
    /// came: of a file less than its capacity only at the end, of a device what there is by now, even none. False, and no
    /// frames, after the end. ``AudioBlock/missingFrames`` is set by a source that may lose some.
    ///
    /// Throws: `.inputOutput` when reading fails, `.badData` when the sound is damaged from here on.
    func read(into block: inout AudioBlock) throws(AudioIOError) -> Bool
}

extension AudioSource {
    /// Room for a good chunk of this source: 4096 frames, fewer when there are very many channels.
    public func makeBlock() -> AudioBlock {
        AudioBlock(
            channelCount: format.channelCount, capacity: max(256, min(4096, 65536 / format.channelCount)))
    }
}
