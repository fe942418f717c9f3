import Signal

/// A receiver for one channel of a recording at any sample rate that holds the band.
public struct ChannelReceiver: Sendable {
    private var receiver: Receiver
    private let sampleRateHz: Int
    /// `nil` if the recording is at the receiver's rate already.
    private var resampler: Resampler?
    /// The scale is applied before the resampler, whose filter would turn one bad sample into many.
    private var scale = InputScale()

    /// - Parameters:
    ///   - profiles: what to listen for; each costs its own search.
    ///   - sampleRateHz: the rate of the recording; below ``WaveformProfile/minimumSampleRateHz`` a profile
    ///     is hardly heard.
    ///   - options: as for ``Receiver``.
    ///   - observer: hears the outcome of every candidate.
    public init(
        profiles: [WaveformProfile], sampleRateHz: Int, options: ReceiverOptions = ReceiverOptions(),
        observer: (any ReceiverObserver)? = nil
    ) {
        self.init(
            profiles: profiles, sampleRateHz: sampleRateHz, options: options, tapsDSSS: false,
            observer: observer)
    }

    /// - Parameter tapsDSSS: true to keep the sound of the DSSS bands for an ``ArrayReceiver``.
    init(
        profiles: [WaveformProfile], sampleRateHz: Int, options: ReceiverOptions, tapsDSSS: Bool,
        observer: (any ReceiverObserver)?
    ) {
        receiver = Receiver(
            profiles: profiles, options: options, tapsDSSS: tapsDSSS, observer: observer)
        self.sampleRateHz = sampleRateHz
        let fromHz = Double(sampleRateHz)
        if fromHz != Receiver.sampleRateHz {
            resampler = Resampler(fromHz: fromHz, toHz: Receiver.sampleRateHz)
        }
    }

    /// Takes the next samples at the recording's rate, mono, of any scale, in chunks of any size. Returns the
    /// frames settled by now, which may be those of some seconds ago.
    public mutating func process(_ samples: UnsafeBufferPointer<Float>) -> [DecodeReport] {
        guard resampler != nil else { return receiver.process(samples) }
        return receiver.process(resampler!.process(scale.process(samples)))
    }

    /// Moves the clock on by frames of lost sound at the recording's rate; see ``Receiver/skip(frames:)``.
    ///
    /// Precondition: not negative.
    public mutating func skip(frames: Int64) -> [DecodeReport] {
        precondition(frames >= 0, "time goes on")
        let (heard, moved) = parts(ofSkipped: frames, flushFrames: receiver.flushFrames)
        var reports: [DecodeReport] = []
        Receiver.withSilence(frames: heard) { reports += process($0) }
        move(frames: moved)
        return reports
    }

    /// Returns the part of a gap that is heard as silence, at the recording's rate, and the rest, by which
    /// the clock moves on, at 48 kHz.
    ///
    /// - Parameter flushFrames: the frames of silence, at 48 kHz, after which nothing is under way.
    func parts(ofSkipped frames: Int64, flushFrames: Int) -> (heard: Int, moved: Int64) {
        guard resampler != nil else {
            let heard = min(frames, Int64(flushFrames))
            return (Int(heard), frames - heard)
        }
        // Whole seconds hold whole samples at either rate; the receiver hears the rest as silence.
        let (rate, flush) = (Int64(sampleRateHz), Double(flushFrames) / Receiver.sampleRateHz)
        let seconds = max(0, frames / rate - (Int64(flush) + 1))
        return (Int(frames - seconds * rate), seconds * Int64(Receiver.sampleRateHz))
    }

    /// Moves the clock on by frames at 48 kHz; see ``Receiver/move(frames:)``.
    mutating func move(frames: Int64) { receiver.move(frames: frames) }

    /// The frames of silence, at 48 kHz, after which nothing is under way, and those of the filters before
    /// the receivers.
    var flushFrames: (all: Int, frontEnd: Int) { (receiver.flushFrames, receiver.frontEndFlushFrames) }

    /// See ``Receiver/drainTaps(_:)``.
    mutating func drainTaps(_ body: (_ index: Int, _ tap: BasebandTap) -> Void) { receiver.drainTaps(body) }

    /// Ends the recording and returns the frames that were still under way.
    public mutating func finish() -> [DecodeReport] {
        guard let tail = resampler?.finish() else { return receiver.finish() }
        return receiver.process(tail) + receiver.finish()
    }

    /// Exchanges scratch memory, which holds nothing from one call to the next, with a receiver of the same
    /// profiles and rate; see ``Receiver/exchangeScratch(with:)``.
    package mutating func exchangeScratch(with other: inout ChannelReceiver) {
        scale.exchangeScratch(with: &other.scale)
        receiver.exchangeScratch(with: &other.receiver)
    }

    /// Counters of each stage, over all profiles; samples are counted at 48 kHz, after resampling.
    public var statistics: ReceiverStatistics { receiver.statistics }
}
