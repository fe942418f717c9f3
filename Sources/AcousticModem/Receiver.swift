import Signal

/// Samples → tokens. Opposite: ``Transmitter``.
///
///     FrontEnd → Acquisition → Tracker → FrameDecoder → DecodeReport
///
/// Streaming: chunks of any size give the same reports as one long chunk; memory does not grow. A value: a copy made
/// midstream goes on by itself.
public struct Receiver: Sendable {
    /// What ``process(_:)`` expects.
    public static let sampleRateHz = BandDecimator.inputRateHz

    private var frontEnd = FrontEnd()
    private var baseband = BasebandWindow()
    private var receivers: [DSSSReceiver]
    private var samplesProcessed = 0
    /// Baseband not yet searched, less than a quantum.
    private var waiting: [Complex] = []

    /// Baseband samples searched at a time, counted from the first: decisions fall at the same samples whatever the
    /// chunks.
    private static let quantum = 240

    /// - Parameters:
    ///   - profiles: what to listen for; each costs its own search.
    ///   - observer: is told what becomes of every candidate.
    public init(
        profiles: [WaveformProfile] = WaveformProfile.all, observer: (any ReceiverObserver)? = nil
    ) {
        receivers = profiles.map { DSSSReceiver(profile: $0, observer: observer) }
    }

    /// Takes the next 48 kHz mono samples, nominally within ±1. Returns the frames settled by now, a second or so
    /// after each ended.
    public mutating func process(_ samples: UnsafeBufferPointer<Float>) -> [DecodeReport] {
        samplesProcessed += samples.count
        frontEnd.process(samples, into: &waiting)
        return search()
    }

    public mutating func process(_ samples: [Float]) -> [DecodeReport] {
        samples.withUnsafeBufferPointer { process($0) }
    }

    /// The end of the recording: what silence after it would bring out.
    public mutating func finish() -> [DecodeReport] {
        frontEnd.finish(into: &waiting)
        let silence = (receivers.map(\.flushSamples).max() ?? 0) + Receiver.quantum
        waiting += repeatElement(.zero, count: silence)
        return search()
    }

    private mutating func search() -> [DecodeReport] {
        var reports: [DecodeReport] = []
        var used = 0
        while waiting.count - used >= Receiver.quantum {
            let part = waiting[used..<used + Receiver.quantum]
            baseband.append(part)
            for index in receivers.indices {
                let settled = receivers[index].process(part, baseband)
                if !settled.isEmpty { reports += settled }
            }
            used += Receiver.quantum
            if let oldest = receivers.lazy.map(\.oldestNeeded).min(), oldest - baseband.start > 4800 {
                baseband.drop(before: oldest)
            }
        }
        waiting.removeFirst(used)
        return reports
    }

    /// Counters of each stage, over all profiles.
    public var statistics: ReceiverStatistics {
        var total = ReceiverStatistics()
        for receiver in receivers { total.add(receiver.statistics) }
        total.samples = samplesProcessed
        return total
    }
}
