/// A model of the arrival of a symbol's energy, in shares of what its own window holds on average.
struct ArrivalModel: Sendable {
    /// The share of constant amplitude, from the direct path; and the share that fades from tone to tone, as
    /// echoes do.
    var steady: Float
    var scattered: Float
    /// The shares left in the next window, and in the one after it.
    var tail1: Float
    var tail2: Float

    var hasEchoes: Bool { tail1 > 0 }

    /// The model for senders in the open, or close by.
    static let direct = ArrivalModel(steady: 1, scattered: 0, tail1: 0, tail2: 0)
    /// The model with about equal energy from the direct path and the room.
    static let room = ArrivalModel(steady: 0.5, scattered: 0.5, tail1: 0.20, tail2: 0.05)
    /// The model with energy mostly from the room.
    static let diffuse = ArrivalModel(steady: 0.1, scattered: 0.9, tail1: 0.45, tail2: 0.18)
    /// The model for halls, where echoes last a second.
    static let hall = ArrivalModel(steady: 0.1, scattered: 0.9, tail1: 0.65, tail2: 0.4)

    static let all = [direct, room, diffuse, hall]
}
