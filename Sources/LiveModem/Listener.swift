import AcousticModem
import AudioIO
import Synchronization

/// A stream of tokens as they are received, for callers that would rather wait than poll:
///
///     let listener = try Listener(ALSACapture("default"), profiles: [.dsss])
///     for try await sighting in listener.sightings { … }
///
/// A program with an audio loop of its own gives its samples to ``Receiver/process(_:)`` or
/// ``MultichannelReceiver``.
public final class Listener: Sendable {
    /// The sightings, for one reader. The stream ends after ``stop()``, at the end of the sound, or when
    /// nobody waits any more. It throws ``AudioIOError`` if the sound cannot be read on.
    public let sightings: AsyncThrowingStream<ChannelSighting, any Error>
    private let isStopped: StopFlag
    private let thread: AudioThread

    /// The largest number of sightings that wait for a busy reader; beyond it the oldest are dropped.
    private static let mostWaiting = 1024

    private final class StopFlag: Sendable {
        let value = Atomic(false)
    }

    /// The source, as it is handed over to the thread.
    private struct Handover: @unchecked Sendable {
        let source: any AudioSource
    }

    /// Begins to listen. The listener owns the source from now on.
    ///
    /// - Parameters:
    ///   - channel: as for ``MultichannelReceiver``.
    ///   - options: as for ``ChannelReceiver``.
    ///
    /// Throws: `.unavailable` if the system has no thread for the listener.
    public init(
        _ source: sending any AudioSource, profiles: [WaveformProfile], channel: Int? = nil,
        options: ReceiverOptions = ReceiverOptions(), observer: (any ReceiverObserver)? = nil
    ) throws(AudioIOError) {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: ChannelSighting.self, bufferingPolicy: .bufferingNewest(Listener.mostWaiting))
        let flag = StopFlag()
        continuation.onTermination = { _ in flag.value.store(true, ordering: .relaxed) }
        let handover = Handover(source: source)
        thread = try AudioThread(.standardStream, isFirst: false) {
            // The receiver has one holder: with a second one all of it would be copied.
            Listener.run(
                handover.source,
                MultichannelReceiver(
                    profiles: profiles, format: handover.source.format, channel: channel, options: options,
                    observer: observer),
                flag, continuation)
        }
        (sightings, isStopped) = (stream, flag)
    }

    deinit { stop() }

    /// Ends the stream; sightings that are still to be settled come out first.
    public func stop() { isStopped.value.store(true, ordering: .relaxed) }

    private static func run(
        _ source: any AudioSource, _ receiver: consuming MultichannelReceiver, _ flag: StopFlag,
        _ continuation: AsyncThrowingStream<ChannelSighting, any Error>.Continuation
    ) {
        var block = source.makeBlock()
        var clock = SoundClock(sampleRateHz: source.format.sampleRateHz)
        let zero = ContinuousClock.now
        func tell(_ sightings: [ChannelSighting]) {
            for var sighting in sightings {
                let frame = sighting.report.startSeconds * Double(source.format.sampleRateHz)
                sighting.start = clock.instant(ofFrame: frame).map { zero + .seconds($0) }
                continuation.yield(sighting)
            }
        }
        do {
            while !flag.value.load(ordering: .relaxed), try source.read(into: &block) {
                clock.add(
                    frame: receiver.frameCount + block.missingFrames + block.frameCount,
                    instant: zero.duration(to: .now) / .seconds(1), missing: block.missingFrames)
                tell(receiver.process(block))
            }
            tell(receiver.finish())
            continuation.finish()
        } catch {
            continuation.finish(throwing: error)
        }
    }
}
