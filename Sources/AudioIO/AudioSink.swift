/// Where frames go: a file, a pipe, a loudspeaker. One writer at a time.
public protocol AudioSink: AnyObject {
    /// Rate and channels of what is taken; its ``AudioFormat/frameCount`` is what was announced, nil for a device.
    var format: AudioFormat { get }

    /// Appends the frames of `block`, whose channel count is the sink's.
    ///
    /// Throws: `.inputOutput` when the disk is full or the device fails; the sink is then of no further use.
    func write(_ block: AudioBlock) throws(AudioIOError)

    /// Nothing counts as written before this returns; a sink let go without it leaves nothing behind.
    func finish() throws(AudioIOError)
}
