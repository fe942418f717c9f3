import Signal

/// The starts that a search is to go through.
struct WantedStarts: Sendable {
    /// The starts, at most ``SearchGrid/searchedStarts`` in all, in order.
    let open: [OpenStarts]
    /// The starts at which rooms without a path that stands out are sought; `nil` if there are none.
    let roomStarts: Range<SamplePosition>?
    /// True for a few starts about a strong path. Every start over the gate is looked at: cluster offsets are
    /// rounded to samples, so the most power is not always where the phases agree. Rooms without a path that
    /// stands out are not sought.
    var isPrompt = false

    /// True if energy shows for all of them whether there may be a frame.
    var isMeasured: Bool { open.allSatisfy { $0.energy != .unmeasured && $0.energy != .covered } }

    /// True if any of the starts may have energy for a room.
    var mayBeRooms: Bool { isPrompt || roomStarts != nil }
}
