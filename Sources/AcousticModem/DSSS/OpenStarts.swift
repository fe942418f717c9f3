import Signal

/// Starts that are searched, with the energy that a frame there would have.
struct OpenStarts: Sendable, Equatable {
    enum Energy: Sendable {
        /// Part of a frame's time is so quiet that only a frame whose level changes may be there.
        case covered
        /// There is no measure of the noise: the sound is never steady, or a frame was heard beside it.
        case unmeasured
        /// Energy that noise often has and a faint frame seldom.
        case little
        /// Energy that both noise and frames have; or the measure of the noise is not known yet.
        case usual
        /// Energy that noise seldom has.
        case likely

        /// The nats that the pilots need beyond the usual.
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

    /// Returns the starts that a position lies in or beside; of two at the same distance, the first.
    static func nearest(_ position: SamplePosition, of open: [OpenStarts]) -> OpenStarts {
        func distance(_ part: OpenStarts) -> Int {
            max(part.starts.lowerBound - position, position - part.starts.upperBound + 1, 0)
        }
        return open.min { distance($0) < distance($1) }!
    }
}
