/// A receiver for the waveforms of one family, behind ``Receiver``.
///
/// Chunks of any size give the same reports as one long chunk; memory does not grow. Listening to noise
/// allocates nothing (`AllocationTests`), except in the FSK family, whose field and candidates still do.
protocol FamilyReceiver: Sendable {
    /// Takes the next sound and adds the frames settled by now.
    mutating func process(_ sound: FreshSound, into reports: inout [DecodeReport])
    /// The samples of silence at ``Receiver/sampleRateHz`` after which nothing is under way any more.
    var flushSamples: Int { get }
    /// Moves the clock on by samples that were lost. Before the call the receiver has heard ``flushSamples``
    /// of silence.
    mutating func skip(samples: Int64)
    /// Ends the recording: adds the frames that silence after it would bring out.
    mutating func finish(into reports: inout [DecodeReport])
    /// Exchanges scratch: working memory, and tables that are made when they are first needed, none of which
    /// holds state from one call to the next. `other` listens for the same profiles; see
    /// ``Receiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout Self)
    /// The counters of each stage, except for the samples taken.
    var statistics: ReceiverStatistics { get }
}
