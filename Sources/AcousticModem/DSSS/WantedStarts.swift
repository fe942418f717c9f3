import Signal

/// Starts that a search is to go through.
struct WantedStarts: Sendable {
    /// At most ``SearchGrid/searchedStarts`` in all, in order.
    let open: [OpenStarts]
    /// Where rooms are sought of which no path stands out; nil: nowhere.
    let roomStarts: Range<SamplePosition>?
    /// A few starts about a strong path. Every one over the gate is looked at: clusters rounded to samples, most power is
    /// not always where their phases agree. Rooms of which no path stands out are not sought.
    var isPrompt = false

    /// Whether energy tells of all of them where there may be a frame.
    var isMeasured: Bool { open.allSatisfy { $0.energy != .unmeasured && $0.energy != .covered } }

    /// Whether any of the starts may have energy for a room.
    var mayBeRooms: Bool { isPrompt || roomStarts != nil }
}
