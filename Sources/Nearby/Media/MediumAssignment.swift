/// What a medium is to do from now on: all of it, whatever it did before.
public struct MediumAssignment: Sendable, Hashable {
    public var broadcast: Broadcast?
    public var isScanning: Bool

    public init(broadcast: Broadcast? = nil, isScanning: Bool = false) {
        (self.broadcast, self.isScanning) = (broadcast, isScanning)
    }

    public static let idle = MediumAssignment()

    public struct Broadcast: Sendable, Hashable {
        /// Sent in turn.
        public var payloads: [Sighting.Payload]
        public var cadence: Cadence

        public init(_ payloads: [Sighting.Payload], cadence: Cadence) {
            (self.payloads, self.cadence) = (payloads, cadence)
        }

        public var token: Token? {
            for case .token(let token) in payloads { return token }
            return nil
        }
    }

    /// When frames are sent.
    public enum Cadence: Sendable, Hashable {
        /// One after the other.
        case continuous
        /// One at a time, and so long to listen between, drawn anew each time; begun only when nobody else sends.
        ///
        ///     | frame | listens …… | frame | listens … |
        case bursts(listening: ClosedRange<Duration>)

        /// From one frame of a token to the next, about.
        public var period: Duration {
            switch self {
            case .continuous: Cadence.frame
            case .bursts(let listening): Cadence.frame + (listening.lowerBound + listening.upperBound) / 2
            }
        }

        /// A frame of the standard profile and the gap after it.
        private static let frame = Duration.milliseconds(1350)
    }
}
