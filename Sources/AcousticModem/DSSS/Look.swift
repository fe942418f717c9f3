import Signal

/// One segment of a candidate as the tracker saw it: what soft bits are made of. Looks at one frame, or at repeats of
/// it, are decoded as one.
struct Look: RepeatedLook {
    /// Refined.
    var candidate: Candidate
    /// Which of the frame's segments.
    var segment: Int
    /// As ``Tracker/chips(_:_:segment:_:)`` gives them.
    var chips: [Complex]
}
