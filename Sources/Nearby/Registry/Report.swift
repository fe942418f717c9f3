/// A report of a device to the registry that matches tokens. Each part stands for itself: a token that is not
/// judged, or a publication that is refused, does not affect the rest.
///
/// A repeated report means the same: publications and subscriptions are identified by their names,
/// observations by their age. If a report names a subscription again, the registry notifies it again of what
/// it has found.
public struct Report: Sendable, Hashable {
    /// The publications that are new or changed, by the device's own names; in a complete report, all
    /// publications.
    public var published: [OperationID: Publication] = [:]
    /// The subscriptions that are new or to be notified again, by the device's own names; in a complete
    /// report, all subscriptions.
    public var subscribed: [OperationID: Subscription] = [:]
    /// The publications and subscriptions that have ended: a device that found such a publication loses it at
    /// once.
    public var ended: Set<OperationID> = []
    /// The tokens that the device hears now, the likeliest first: a registry may leave out the last ones.
    public var observations: [TokenObservation] = []
    /// True if ``observations`` are all that the device hears, so that whatever they leave out is not heard
    /// any more. Such a device reports only changes, and as often as ``Answer/keepAlive`` asks.
    public var observationsAreComplete = false
    /// The sealed frames that were heard, oldest first, for a registry that takes them
    /// (``TokenRegistry/takesFrames``).
    public var heard: [FrameObservation] = []
    /// The tokens that the device broadcasts now.
    public var playing: [PlayingToken] = []
    /// The media on which the device needs a token to broadcast, in place of the one that it has.
    public var wantsTokens: Set<Medium> = []
    /// True if the device keeps tokens for later, each until its time comes (``Answer/Grant/startsIn``).
    /// Otherwise the registry gives it one at a time.
    public var takesTokensAhead = false
    /// True if the report is complete, because the device or the registry knows nothing of earlier reports.
    public var isComplete = false
    /// True if the device leaves: the registry removes all of it.
    public var unregisters = false

    /// Creates a report that only says that the device is still there.
    public init() {}

}

/// An observation of another device's token.
public struct TokenObservation: Sendable, Hashable {
    /// The token that was heard.
    public var token: Token
    /// The medium on which the token was heard. The observation counts only if the token was issued for that
    /// medium.
    public var medium: Medium
    /// The time from the last hearing to the report.
    public var age: Duration
    /// The signal quality of the last hearing.
    public var signal: Sighting.Signal

    /// - Parameter age: the registry does not judge an observation whose age is negative or too large.
    public init(_ token: Token, on medium: Medium, age: Duration, signal: Sighting.Signal = Sighting.Signal())
    {
        (self.token, self.medium, self.age, self.signal) = (token, medium, age, signal)
    }

    /// The key of its verdict in ``Answer/verdicts``.
    public var heard: HeardToken { HeardToken(token, on: medium) }
}

/// An observation of another device's sealed frame.
public struct FrameObservation: Sendable, Hashable {
    /// The frame that was heard: only a holder of its key can read it.
    public var frame: SealedFrame
    /// The medium on which the frame was heard. The frame may belong to another project.
    public var medium: Medium
    /// The time from the last hearing to the report.
    public var age: Duration
    /// The signal quality of the last hearing.
    public var signal: Sighting.Signal

    /// - Parameter age: the time from the last hearing to the report.
    public init(
        _ frame: SealedFrame, on medium: Medium, age: Duration, signal: Sighting.Signal = Sighting.Signal()
    ) {
        (self.frame, self.medium, self.age, self.signal) = (frame, medium, age, signal)
    }
}

/// A token that this device broadcasts.
public struct PlayingToken: Sendable, Hashable {
    /// The token, which was granted to this device. The registry ignores another device's token here.
    public var token: Token
    /// The medium on which the token is sent.
    public var medium: Medium
    /// The approximate time from one frame to the next: a device that misses several frames in a row has lost
    /// this one.
    public var period: Duration

    /// - Parameter period: the real time between frames, including the time spent waiting for other devices.
    public init(_ token: Token, on medium: Medium, period: Duration) {
        (self.token, self.medium, self.period) = (token, medium, period)
    }
}

/// The registry's answer to a report, or an unsolicited notification.
public struct Answer: Sendable, Hashable {
    /// A token to broadcast in place of the former one, at once or later.
    public struct Grant: Sendable, Hashable {
        /// The token. A registry that is asked twice may give the same one twice.
        public var token: Token
        /// The only medium on which the token may be broadcast and counts.
        public var medium: Medium
        /// The time after which the token replaces the one before.
        public var startsIn: Duration
        /// The time after which nobody may broadcast the token.
        public var timeToLive: Duration

        /// - Parameters:
        ///   - startsIn: the time counted from the answer on.
        ///   - timeToLive: the time counted from the answer on.
        public init(
            _ token: Token, on medium: Medium, startsIn: Duration = .zero, timeToLive: Duration
        ) {
            (self.token, self.medium, self.startsIn) = (token, medium, startsIn)
            self.timeToLive = timeToLive
        }
    }

    /// The kind of change of a publication, for one subscription.
    public enum Change: String, Sendable, Hashable {
        /// Found: it is near. Updated: it is near with another content. Lost: it is out of reach or no longer
        /// published.
        case found, updated, lost
    }

    /// A change of one publication, for one subscription.
    public struct Delivery: Sendable, Hashable {
        /// The kind of change.
        public var change: Change
        /// The subscription to notify, by the device's own name for it.
        public var subscription: OperationID
        /// The publication as it is now; for one that is lost, as it was last delivered.
        public var discovery: Discovery

        /// Creates a delivery from its parts, unchecked.
        public init(_ change: Change, _ discovery: Discovery, to subscription: OperationID) {
            (self.change, self.discovery, self.subscription) = (change, discovery, subscription)
        }
    }

    /// The tokens to broadcast from now on, in the order of their times. They replace all that a medium has
    /// for now and later; a medium that is not listed keeps what it has.
    public var grants: [Grant] = []
    /// The frames to broadcast beside the tokens, for as long as there are publications. They replace all
    /// former frames. `nil` if nothing changes.
    public var broadcasts: [Medium: [SealedFrame]]?
    /// One verdict for each token that the report named. A token without a verdict did not arrive: the
    /// registry left it out.
    public var verdicts: [HeardToken: TokenVerdict] = [:]
    /// The longest time to the next report, from now on; `nil` if it stays as it was. A registry that knows
    /// by other means that a device is there needs no reports from it.
    public var keepAlive: Duration?
    /// The value of ``keepAlive`` in a notification that asks whether the device is there: it reports at
    /// once.
    static let atOnce = Duration.seconds(1)
    /// The time after which a valid token that is no longer heard counts as lost, for registries that take
    /// complete observations. Zero: another token of the same device has replaced this one, so nobody need
    /// report its end.
    public var patience: [HeardToken: Duration] = [:]
    /// The publications and subscriptions of the report that the registry refused, with the reason in one
    /// line each. The registry took all others.
    public var refused: [OperationID: String] = [:]
    /// The changes to what subscriptions have found, in order. An engine drops those that it knows already.
    public var deliveries: [Delivery] = []

    /// Creates an answer that grants, judges and delivers nothing.
    public init() {}

    /// Returns the tokens with this verdict, on any medium.
    public func tokens(_ verdict: TokenVerdict) -> Set<Token> {
        Set(verdicts.lazy.filter { $0.value == verdict }.map { $0.key.token })
    }
}
