/// What a device tells whoever matches tokens: all or nothing of it is taken.
///
/// Said twice it means the same: publications and subscriptions are known by their names, observations by their age. What a
/// subscription has found is told again when it is said again.
public struct Report: Sendable, Hashable {
    public var published: [OperationID: Publication] = [:]
    public var subscribed: [OperationID: Subscription] = [:]
    /// Publications and subscriptions that are no more: whoever found them loses them at once.
    public var ended: Set<OperationID> = []
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

    public init() {}

}

/// A token of another device that was heard.
public struct TokenObservation: Sendable, Hashable {
    public var token: Token
    public var medium: Medium
    /// How long before the report it was last heard.
    public var age: Duration
    public var signal: Sighting.Signal

    public init(_ token: Token, on medium: Medium, age: Duration, signal: Sighting.Signal = Sighting.Signal())
    {
        (self.token, self.medium, self.age, self.signal) = (token, medium, age, signal)
    }
}

/// A sealed frame of another device that was heard.
public struct FrameObservation: Sendable, Hashable {
    public var frame: SealedFrame
    public var medium: Medium
    /// How long before the report it was last heard.
    public var age: Duration
    public var signal: Sighting.Signal

    public init(
        _ frame: SealedFrame, on medium: Medium, age: Duration, signal: Sighting.Signal = Sighting.Signal()
    ) {
        (self.frame, self.medium, self.age, self.signal) = (frame, medium, age, signal)
    }
}

/// A token this device broadcasts.
public struct PlayingToken: Sendable, Hashable {
    public var token: Token
    public var medium: Medium
    /// From one frame to the next, about: who misses several in a row has lost it.
    public var period: Duration

    public init(_ token: Token, on medium: Medium, period: Duration) {
        (self.token, self.medium, self.period) = (token, medium, period)
    }
}

/// What the registry answers, or tells unasked.
public struct Answer: Sendable, Hashable {
    /// A token to broadcast in place of the one before.
    public struct Grant: Sendable, Hashable {
        public var token: Token
        public var medium: Medium
        /// After which nobody may broadcast it any more.
        public var timeToLive: Duration

        public init(_ token: Token, on medium: Medium, timeToLive: Duration) {
            (self.token, self.medium, self.timeToLive) = (token, medium, timeToLive)
        }
    }

    public enum Change: String, Sendable, Hashable {
        case found, updated, lost
    }

    public struct Delivery: Sendable, Hashable {
        public var change: Change
        public var subscription: OperationID
        public var discovery: Discovery

        public init(_ change: Change, _ discovery: Discovery, to subscription: OperationID) {
            (self.change, self.discovery, self.subscription) = (change, discovery, subscription)
        }
    }

    public var grants: [Grant] = []
    /// What to broadcast beside the tokens, as long as publications are: all of it, in place of what there was. Nil: as before.
    public var broadcasts: [Medium: [SealedFrame]]?
    /// Of the tokens observed, those that stand for a device nearby, and those that do not; why is not told.
    public var valid: Set<Token> = []
    public var invalid: Set<Token> = []
    public var deliveries: [Delivery] = []

    public init() {}

}
