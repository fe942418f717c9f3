import AcousticModem

/// Is told of a frame, of the channel that heard it, and of its level there; 0 is a full-scale sine.
typealias FrameListener = (_ report: DecodeReport, _ channel: Int, _ levelDBFS: Float) -> Void

/// The receiver of one channel, and the last sound of it.
struct HeardChannel {
    private let channel: Int
    private var receiver: ChannelReceiver
    private var sound: HeardSound

    init(_ settings: ReceiverSettings) {
        channel = settings.channels.lowerBound
        receiver = ChannelReceiver(profiles: settings.profiles, sampleRateHz: settings.sampleRateHz)
        sound = HeardSound(sampleRateHz: Double(settings.sampleRateHz))
    }

    /// Takes the next frames of sound.
    ///
    /// - Parameter samples: returns a channel's samples of these frames, valid until the next call.
    mutating func process(
        _ samples: (_ channel: Int) -> UnsafeBufferPointer<Float>, _ listener: FrameListener
    ) {
        let part = samples(channel)
        sound.add(part)
        tell(receiver.process(part), listener)
    }

    /// Moves the clock on by lost frames of sound.
    mutating func skip(_ count: Int64, _ listener: FrameListener) {
        tell(receiver.skip(frames: count), listener)
        sound.skip(count)
    }

    /// Ends the sound: nothing may follow.
    mutating func finish(_ listener: FrameListener) { tell(receiver.finish(), listener) }

    private mutating func tell(_ reports: [DecodeReport], _ listener: FrameListener) {
        for report in reports { listener(report, channel, sound.levelDBFS(of: report)) }
    }
}
