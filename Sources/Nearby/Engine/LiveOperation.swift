/// A publication or subscription from its beginning to its end.
struct LiveOperation: Sendable {
    enum Kind: Sendable, Hashable {
        case publication(Publication)
        case subscription(Subscription)
    }

    var kind: Kind
    /// When its time to live is over.
    let end: Instant?
    /// Counts contents: which of them the registry knows.
    private(set) var version = 1
    var registeredVersion = 0
    /// A report that names it was sent: the registry may know it, whatever became of the answer.
    var wasSaid = false
    /// What was found may have been told in an answer that did not arrive.
    var mustBeSaidAgain = false
    /// Why the registry did not take it as it is now, and when it is asked again.
    private(set) var refusal: (why: String, retry: Instant)?
    var status: OperationStatus?
    /// What a subscription has found and not lost.
    var found: [PublicationID: Find] = [:]

    /// What it has found of beacons.
    var beaconFinds: [PublicationID: BeaconFind] = [:]

    struct Find: Sendable {
        var discovery: Discovery
        /// The registry has forgotten this device since; unless it tells of it again by then, it is lost.
        var confirmedBy: Instant?
        /// The registry has forgotten all since: the same publication may come back under another name.
        var mayBeRenamed = false
    }

    init(_ kind: Kind, now: Instant) {
        self.kind = kind
        end = kind.strategy.timeToLive.map { now + $0 }
    }

    var strategy: Strategy { kind.strategy }
    func isOver(at now: Instant) -> Bool { end.map { $0 <= now } ?? false }
    /// When it, or something it has found, ends by itself.
    var deadline: Instant? { ([end] + found.values.map { $0.confirmedBy }).compactMap { $0 }.min() }
    var isRegistered: Bool { registeredVersion == version || !kind.needsRegistry }

    /// The registry knows what a report has said of it, or has said why it did not take that.
    mutating func settle(refusal why: String?, retry: Instant) {
        (registeredVersion, mustBeSaidAgain) = (version, false)
        refusal = why.map { ($0, retry) }
    }

    /// Whether a report has to name it.
    func mustBeSaid(at now: Instant) -> Bool {
        !isRegistered || mustBeSaidAgain || refusal.map { $0.retry <= now } ?? false
    }

    mutating func replaceContent(with message: Message) {
        guard case .publication(var publication) = kind else { return }
        publication.content = .message(message)
        kind = .publication(publication)
        version += 1
    }

    /// The registry has forgotten it; what was found is to be told of again by `end`.
    mutating func forgetRegistration(_ end: Instant) {
        (registeredVersion, wasSaid) = (0, false)
        confirmFinds(by: end)
        for publication in Array(found.keys) { found[publication]?.mayBeRenamed = true }
    }

    /// A find that a new one with this message takes the place of: its name was forgotten with all others.
    func formerName(of message: Message) -> PublicationID? {
        found.filter { $0.value.mayBeRenamed && $0.value.discovery.message == message }.keys.min()
    }

    /// An answer did not arrive: what it told is to be told again by `end`.
    mutating func missAnswer(_ end: Instant) {
        guard case .subscription = kind, kind.needsRegistry, wasSaid else { return }
        mustBeSaidAgain = true
        confirmFinds(by: end)
    }

    /// For so long nothing could be heard, and no registry asked.
    mutating func extendFinds(by duration: Duration) {
        for name in Array(found.keys) {
            guard let end = found[name]?.confirmedBy else { continue }
            found[name]?.confirmedBy = end + duration
        }
        for name in Array(beaconFinds.keys) {
            beaconFinds[name]!.lastSeen = beaconFinds[name]!.lastSeen + duration
        }
    }

    private mutating func confirmFinds(by end: Instant) {
        for publication in Array(found.keys) { found[publication]?.confirmedBy = end }
    }
}

extension LiveOperation.Kind {
    var strategy: Strategy {
        switch self {
        case .publication(let publication): publication.strategy
        case .subscription(let subscription): subscription.strategy
        }
    }

    /// Bytes by sound need nobody between.
    var needsRegistry: Bool {
        switch self {
        case .publication(let publication): publication.message != nil
        case .subscription(let subscription):
            subscription.looksForDevices && subscription.filter.wantsMessages
        }
    }

    var looksForDevices: Bool {
        if case .subscription(let subscription) = self { subscription.looksForDevices } else { true }
    }

    var beacons: BeaconStrategy? {
        if case .subscription(let subscription) = self { subscription.beacons } else { nil }
    }
}

extension Publication {
    /// Nil when it is bytes that go by sound alone.
    public var message: Message? {
        if case .message(let message) = content { message } else { nil }
    }

    var audioBytes: AudioBytes? {
        if case .audioBytes(let bytes) = content { bytes } else { nil }
    }
}
