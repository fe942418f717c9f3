/// A target of frames: a file, a pipe or a loudspeaker. One writer at a time.
public protocol AudioSink: AnyObject {
    /// The rate and channels of the frames; its ``AudioFormat/frameCount`` is the announced one, `nil` for a
    /// device.
    var format: AudioFormat { get }

    /// Appends the frames of `block`, whose channel count is the sink's.
    ///
    /// Throws: `.inputOutput` if the disk is full or the device fails; the sink must not be used any more.
    func write(_ block: AudioBlock) throws(AudioIOError)

    /// Completes the output. Nothing counts as written before this returns; a sink that is released without
    /// it leaves nothing behind.
    func finish() throws(AudioIOError)
}
