import Signal

/// Starts that are searched, and what their energy makes of a frame there.
struct OpenStarts: Sendable, Equatable {
    enum Energy: Sendable {
        /// Some of a frame's time is so quiet that only one whose level changes may be there.
        case covered
        /// There is no measure: the sound is never steady, or a frame was heard beside it.
        case unmeasured
        /// What noise often has and a faint frame seldom.
        case little
        /// As much as both have; or the measure of the noise is not known yet.
        case usual
        /// What noise seldom has.
        case likely

        /// Nats that pilots must say beyond the usual.
        var missingNats: Float {
            switch self {
            case .covered: Thresholds.dsss.coveredNats
            case .unmeasured: Thresholds.dsss.unmeasuredNats
            case .little: Thresholds.dsss.littleEnergyNats
            case .usual: 0
            case .likely: Thresholds.dsss.muchEnergyNats
            }
        }
    }

    var starts: Range<SamplePosition>
    var energy: Energy

    /// Those that a position lies in or beside; of two that are as near, the first.
    static func nearest(_ position: SamplePosition, of open: [OpenStarts]) -> OpenStarts {
        func distance(_ part: OpenStarts) -> Int {
            max(part.starts.lowerBound - position, position - part.starts.upperBound + 1, 0)
        }
        return open.min { distance($0) < distance($1) }!
    }
}
