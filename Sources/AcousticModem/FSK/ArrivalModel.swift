/// How a symbol's energy arrives: shares of what its own window holds on average.
struct ArrivalModel: Sendable {
    /// Of one amplitude, the direct path's; and fading from tone to tone, as echoes do.
    var steady: Float
    var scattered: Float
    /// Left in the next window, and in the one after it.
    var tail1: Float
    var tail2: Float

    var hasEchoes: Bool { tail1 > 0 }

    /// In the open, or close by.
    static let direct = ArrivalModel(steady: 1, scattered: 0, tail1: 0, tail2: 0)
    /// Direct path and room about equal.
    static let room = ArrivalModel(steady: 0.5, scattered: 0.5, tail1: 0.20, tail2: 0.05)
    /// Mostly the room.
    static let diffuse = ArrivalModel(steady: 0.1, scattered: 0.9, tail1: 0.45, tail2: 0.18)
    /// Where echoes last a second.
    static let hall = ArrivalModel(steady: 0.1, scattered: 0.9, tail1: 0.65, tail2: 0.4)

    static let all = [direct, room, diffuse, hall]
}
