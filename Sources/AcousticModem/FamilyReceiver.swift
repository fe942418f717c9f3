/// What listens for the waveforms of one family, behind ``Receiver``.
///
/// Chunks of any size give the same reports as one long chunk; memory does not grow. Listening to noise
/// allocates nothing (`AllocationTests`), but in the FSK family, whose field and candidates still do.
protocol FamilyReceiver: Sendable {
    /// Takes what is heard next and adds the frames settled by now.
    mutating func process(_ sound: FreshSound, into reports: inout [DecodeReport])
    /// At ``Receiver/sampleRateHz``: after so much silence nothing is under way any more.
    var flushSamples: Int { get }
    /// Moves the clock on by so many samples that nobody hears; what came last was ``flushSamples`` of silence.
    mutating func skip(samples: Int64)
    /// The end of the recording: what silence after it would bring out.
    mutating func finish(into reports: inout [DecodeReport])
    /// Exchanges scratch: what holds nothing from one call to the next, memory to work in and tables that are made when they are first
    /// needed. `other` listens for the same profiles; see ``Receiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout Self)
    /// Counters of each stage, but for the samples taken.
    var statistics: ReceiverStatistics { get }
}
