import Signal

/// One segment of a candidate on one channel as the tracker saw it, from which soft bits are made. Looks at
/// one frame, or at repeats of it, are decoded jointly.
struct Look: RepeatedLook {
    /// The candidate that the tracker refined.
    var candidate: Candidate
    /// The number of the segment within the frame.
    var segment: Int
    /// The channel, by its place among all channels of a band.
    var channel = 0
    /// The chips that ``Tracker/chips(_:_:segment:_:)`` returns.
    var chips: [Complex]
}
