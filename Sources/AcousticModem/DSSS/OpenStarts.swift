/// Starts that are searched, and what their energy makes of a frame there.
struct OpenStarts: Sendable, Equatable {
    enum Energy: Sendable {
        /// What noise often has and a faint frame seldom.
        case little
        /// What both have, or not known.
        case usual
        /// What noise seldom has.
        case likely

        /// Nats that pilots must say beyond the usual.
        var missingNats: Float {
            switch self {
            case .little: 2
            case .usual: 0
            case .likely: -3
            }
        }
    }

    var starts: Range<Int>
    var energy: Energy
}
