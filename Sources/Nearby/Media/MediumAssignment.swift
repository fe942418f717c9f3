/// What a medium is to do from now on: all of it, whatever it did before.
public struct MediumAssignment: Sendable, Hashable {
    /// What is sent; nil: nothing.
    public var broadcast: Broadcast?
    /// For tokens, and what else devices broadcast.
    public var isScanning: Bool
    /// Beacons that are looked for besides; nil: none. Only BLE has any.
    public var beacons: BeaconScan?
    /// The app is in the background: what it scans for may be found later, if that costs less. Never of ``idle``.
    public var isInBackground: Bool

    /// What is not given is not done.
    public init(
        broadcast: Broadcast? = nil, isScanning: Bool = false, beacons: BeaconScan? = nil,
        isInBackground: Bool = false
    ) {
        (self.broadcast, self.isScanning, self.beacons) = (broadcast, isScanning, beacons)
        self.isInBackground = isInBackground
    }

    /// Nothing is sent, nothing listened for: what a medium does that nobody claims.
    public static let idle = MediumAssignment()

    /// What is sent, when, and in which frames.
    public struct Broadcast: Sendable, Hashable {
        /// Sent in turn.
        public var payloads: [Sighting.Payload]
        /// How one frame follows the other, whichever payload it carries.
        public var cadence: Cadence
        /// In which frames; ``MediumCondition/profiles`` says which the medium has.
        public var profile: Profile

        /// One frame each, again and again.
        ///
        /// - Parameter payloads: at least one; who has none has no broadcast.
        public init(_ payloads: [Sighting.Payload], cadence: Cadence, profile: Profile = .standard) {
            (self.payloads, self.cadence, self.profile) = (payloads, cadence, profile)
        }

        /// From one frame of a payload to its next, about.
        public var period: Duration { cadence.period(profile) * payloads.count }

        /// The first token among the payloads; nil when there is none, as for bytes that go by themselves.
        public var token: Token? {
            for case .token(let token) in payloads { return token }
            return nil
        }
    }

    /// What frames are made of, as far as the engine minds; the medium says which it has.
    public enum Profile: String, Sendable, Hashable, CaseIterable {
        /// Every device that scans hears it.
        case standard
        /// Shorter and less far: leaves the band to others, and the next room out.
        case near

        /// On audio, with the gap after it.
        var frame: Duration { self == .standard ? .milliseconds(1350) : .milliseconds(600) }
    }

    /// When frames are sent.
    public enum Cadence: Sendable, Hashable {
        /// One after the other.
        case continuous
        /// One at a time, and so long to listen between, drawn anew each time; begun only when nobody else sends.
        ///
        ///     | frame | listens …… | frame | listens … |
        case bursts(listening: ClosedRange<Duration>)

        /// From one frame to the next, about.
        public func period(_ profile: Profile) -> Duration {
            switch self {
            case .continuous: profile.frame
            case .bursts(let listening): profile.frame + (listening.lowerBound + listening.upperBound) / 2
            }
        }
    }
}
