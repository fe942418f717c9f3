/// A complete assignment for a medium: it replaces the former one.
public struct MediumAssignment: Sendable, Hashable {
    /// The broadcast, or `nil` if the medium is to send nothing.
    public var broadcast: Broadcast?
    /// True if the medium is to listen for tokens and other frames of devices.
    public var isScanning: Bool
    /// The beacons to look for besides, or `nil` if there are none. Only BLE has any.
    public var beacons: BeaconScan?
    /// True if the app is in the background, so that the medium may find things later to save power. It is
    /// never true for ``idle``.
    public var isInBackground: Bool

    /// Creates an assignment; a part that is not given is not done.
    public init(
        broadcast: Broadcast? = nil, isScanning: Bool = false, beacons: BeaconScan? = nil,
        isInBackground: Bool = false
    ) {
        (self.broadcast, self.isScanning, self.beacons) = (broadcast, isScanning, beacons)
        self.isInBackground = isInBackground
    }

    /// The assignment of a medium that nobody claims: it neither sends nor listens.
    public static let idle = MediumAssignment()

    /// A broadcast: the payloads, their cadence and the kind of frames.
    public struct Broadcast: Sendable, Hashable {
        /// The payloads, which the medium sends in turn.
        public var payloads: [Sighting.Payload]
        /// The cadence of frames, whichever payload they carry.
        public var cadence: Cadence
        /// The kind of frames; ``MediumCondition/profiles`` lists those that the medium has.
        public var profile: Profile

        /// Creates a broadcast, which sends one frame of each payload, again and again.
        ///
        /// - Parameter payloads: at least one payload; without payloads there is no broadcast.
        public init(_ payloads: [Sighting.Payload], cadence: Cadence, profile: Profile = .standard) {
            (self.payloads, self.cadence, self.profile) = (payloads, cadence, profile)
        }

        /// The approximate time from one frame of a payload to its next.
        public var period: Duration { cadence.period(profile) * payloads.count }

        /// The first token among the payloads, or `nil` if there is none, as for bytes by sound.
        public var token: Token? {
            for case .token(let token) in payloads { return token }
            return nil
        }
    }

    /// The kind of frames, as far as it matters to the engine. The medium says which ones it has.
    public enum Profile: String, Sendable, Hashable, CaseIterable {
        /// Frames that every scanning device hears.
        case standard
        /// Shorter frames with less range, which leave the band to others and are not heard in the next room.
        case near

        /// The duration of a frame on audio, with the gap after it.
        var frame: Duration { self == .standard ? .milliseconds(1350) : .milliseconds(600) }
    }

    /// The times at which frames are sent.
    public enum Cadence: Sendable, Hashable {
        /// Frames follow one another without a pause.
        case continuous
        /// Frames are sent one at a time, with a random time of listening between them. A frame starts only
        /// while nobody else sends.
        ///
        ///     | frame | listens …… | frame | listens … |
        case bursts(listening: ClosedRange<Duration>)

        /// Returns the approximate time from one frame to the next.
        public func period(_ profile: Profile) -> Duration {
            switch self {
            case .continuous: profile.frame
            case .bursts(let listening): profile.frame + (listening.lowerBound + listening.upperBound) / 2
            }
        }
    }
}
