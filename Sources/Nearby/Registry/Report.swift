/// A device's words to whoever matches tokens. Each part stands for itself: a token that is not judged, or a publication that is
/// refused, costs nothing else.
///
/// Said twice it means the same: publications and subscriptions are known by their names, observations by their age. What a
/// subscription has found is told again when it is said again.
public struct Report: Sendable, Hashable {
    /// Those that are new or changed, by the device's own names; in a complete report, all.
    public var published: [OperationID: Publication] = [:]
    /// Those that are new or to be told again, by the device's own names; in a complete report, all.
    public var subscribed: [OperationID: Subscription] = [:]
    /// Publications and subscriptions that are no more: whoever found them loses them at once.
    public var ended: Set<OperationID> = []
    /// Tokens that were heard since they were last told of, the likeliest first: a registry may leave the last ones out.
    public var observations: [TokenObservation] = []
    /// Sealed frames that were heard, the longest ago first; for a registry that takes them
    /// (``TokenRegistry/takesFrames``).
    public var heard: [FrameObservation] = []
    /// What it broadcasts now.
    public var playing: [PlayingToken] = []
    /// Media on which it needs a token to broadcast, in place of the one it has.
    public var wantsTokens: Set<Medium> = []
    /// The device knows nothing of earlier reports, or the registry does not: this one says everything.
    public var isComplete = false
    /// The device leaves: nothing of it is left.
    public var isFarewell = false

    /// Says nothing but that the device is still there.
    public init() {}

}

/// A token of another device that was heard.
public struct TokenObservation: Sendable, Hashable {
    /// As it was heard.
    public var token: Token
    /// On which it was heard; it counts only if that is the one it was issued for.
    public var medium: Medium
    /// How long before the report it was last heard.
    public var age: Duration
    /// How well it was heard, the last time.
    public var signal: Sighting.Signal

    /// - Parameter age: a negative one, or one that is too old, is not judged.
    public init(_ token: Token, on medium: Medium, age: Duration, signal: Sighting.Signal = Sighting.Signal())
    {
        (self.token, self.medium, self.age, self.signal) = (token, medium, age, signal)
    }

    /// The key of its verdict in ``Answer/verdicts``.
    public var heard: HeardToken { HeardToken(token, on: medium) }
}

/// A sealed frame of another device that was heard.
public struct FrameObservation: Sendable, Hashable {
    /// As it was heard: only who has its key reads it.
    public var frame: SealedFrame
    /// On which it was heard, perhaps also of another project.
    public var medium: Medium
    /// How long before the report it was last heard.
    public var age: Duration
    /// How well it was heard, the last time.
    public var signal: Sighting.Signal

    /// - Parameter age: how long before the report it was heard last.
    public init(
        _ frame: SealedFrame, on medium: Medium, age: Duration, signal: Sighting.Signal = Sighting.Signal()
    ) {
        (self.frame, self.medium, self.age, self.signal) = (frame, medium, age, signal)
    }
}

/// A token this device broadcasts.
public struct PlayingToken: Sendable, Hashable {
    /// Granted to this device; said of another's it counts for nothing.
    public var token: Token
    /// On which it is sent.
    public var medium: Medium
    /// From one frame to the next, about: who misses several in a row has lost it.
    public var period: Duration

    /// - Parameter period: as frames really follow one another, waiting for others included.
    public init(_ token: Token, on medium: Medium, period: Duration) {
        (self.token, self.medium, self.period) = (token, medium, period)
    }
}

/// What the registry answers, or tells unasked.
public struct Answer: Sendable, Hashable {
    /// A token to broadcast in place of the one before.
    public struct Grant: Sendable, Hashable {
        /// New with each grant.
        public var token: Token
        /// The only one on which it may be broadcast, and counts.
        public var medium: Medium
        /// After which nobody may broadcast it any more.
        public var timeToLive: Duration

        /// - Parameter timeToLive: from the answer on.
        public init(_ token: Token, on medium: Medium, timeToLive: Duration) {
            (self.token, self.medium, self.timeToLive) = (token, medium, timeToLive)
        }
    }

    /// What became of a publication, for one subscription.
    public enum Change: String, Sendable, Hashable {
        /// It is near; it is near, with another content; it is out of reach, or not published any more.
        case found, updated, lost
    }

    /// What became of one publication, for one subscription.
    public struct Delivery: Sendable, Hashable {
        /// What became of it.
        public var change: Change
        /// Who is told, by the device's own name for it.
        public var subscription: OperationID
        /// The publication as it is now; of one that is lost, as it was told last.
        public var discovery: Discovery

        /// As given; nothing is checked.
        public init(_ change: Change, _ discovery: Discovery, to subscription: OperationID) {
            (self.change, self.discovery, self.subscription) = (change, discovery, subscription)
        }
    }

    /// Tokens to broadcast from now on; media that are not here keep the one they have, if any.
    public var grants: [Grant] = []
    /// What to broadcast beside the tokens, as long as publications are: all of it, in place of what there was. Nil: as before.
    public var broadcasts: [Medium: [SealedFrame]]?
    /// One for each token that the report named. A token without one did not arrive: the registry left it out.
    public var verdicts: [HeardToken: TokenVerdict] = [:]
    /// Publications and subscriptions of the report that were not taken, and why, in a line. All else was.
    public var refused: [OperationID: String] = [:]
    /// News of what subscriptions have found, in order. What an engine knows already it drops.
    public var deliveries: [Delivery] = []

    /// Nothing granted, nothing judged, nothing found.
    public init() {}

    /// The tokens with that verdict, on whatever medium.
    public func tokens(_ verdict: TokenVerdict) -> Set<Token> {
        Set(verdicts.lazy.filter { $0.value == verdict }.map { $0.key.token })
    }
}
