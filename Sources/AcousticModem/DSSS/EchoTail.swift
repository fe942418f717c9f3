import Signal

/// A bin, fine Doppler, lane and start from which on power is raised for a while.
struct EchoTail: Sendable {
    var bin: Int
    var fine: Int
    var lane: Int
    var position: SamplePosition
    /// The statistic of the tail.
    var sum: Float
}
