/// A publication or subscription from its beginning to its end.
struct LiveOperation: Sendable {
    enum Kind: Sendable, Hashable {
        case publication(Publication)
        case subscription(Subscription)
    }

    var kind: Kind
    /// The time at which the operation's time to live ends, or `nil` if it has none.
    let end: Instant?
    /// The version of the content. Comparing it with ``registeredVersion`` shows whether the registry knows
    /// the content.
    private(set) var version = 1
    var registeredVersion = 0
    /// True if a report that names the operation was sent, so that the registry may know it even if no answer
    /// arrived.
    var wasSaid = false
    /// True if an answer that may have delivered finds did not arrive.
    var mustBeSaidAgain = false
    /// The reason why the registry refused the present version, and the time for another try.
    private(set) var refusal: (why: String, retry: Instant)?
    var status: OperationStatus?
    /// The publications that a subscription has found and not lost.
    var found: [PublicationID: Find] = [:]

    /// The publications of beacons that a subscription has found and not lost.
    var beaconFinds: [PublicationID: BeaconFind] = [:]

    struct Find: Sendable {
        var discovery: Discovery
        /// The time at which the find is lost unless the registry delivers it again: the registry has
        /// forgotten this device, or an answer did not arrive.
        var confirmedBy: Instant?
        /// True if the registry has forgotten everything since, so that the same publication may come back
        /// under another name.
        var mayBeRenamed = false
    }

    init(_ kind: Kind, now: Instant) {
        self.kind = kind
        end = kind.strategy.timeToLive.map { now + $0 }
    }

    var strategy: Strategy { kind.strategy }
    func isOver(at now: Instant) -> Bool { end.map { $0 <= now } ?? false }
    /// The time at which the operation, or something that it has found, ends by itself.
    var deadline: Instant? { ([end] + found.values.map { $0.confirmedBy }).compactMap { $0 }.min() }
    var isRegistered: Bool { registeredVersion == version || !kind.needsRegistry }

    /// Notes that the registry has taken the present version, or has refused it for a reason.
    mutating func settle(refusal why: String?, retry: Instant) {
        (registeredVersion, mustBeSaidAgain) = (version, false)
        refusal = why.map { ($0, retry) }
    }

    /// Returns true if a report has to name the operation.
    func mustBeSaid(at now: Instant) -> Bool {
        !isRegistered || mustBeSaidAgain || refusal.map { $0.retry <= now } ?? false
    }

    mutating func replaceContent(with message: Message) {
        guard case .publication(var publication) = kind else { return }
        publication.content = .message(message)
        kind = .publication(publication)
        version += 1
    }

    /// Notes that the registry has forgotten the operation. The registry must deliver the finds again by
    /// `end`.
    mutating func forgetRegistration(_ end: Instant) {
        (registeredVersion, wasSaid) = (0, false)
        confirmFinds(by: end)
        for publication in Array(found.keys) { found[publication]?.mayBeRenamed = true }
    }

    /// Returns the former name of a find with this message, which a new find replaces: the registry has
    /// forgotten all former names.
    func formerName(of message: Message) -> PublicationID? {
        found.filter { $0.value.mayBeRenamed && $0.value.discovery.message == message }.keys.min()
    }

    /// Notes that an answer did not arrive. The registry must deliver the finds again by `end`.
    mutating func missAnswer(_ end: Instant) {
        guard case .subscription = kind, kind.needsRegistry, wasSaid else { return }
        mustBeSaidAgain = true
        confirmFinds(by: end)
    }

    /// Extends the finds by a time during which nothing could be heard and no registry could be asked.
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

    /// True if the operation needs a registry; bytes by sound need none.
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
    /// The message, or `nil` if the publication is bytes by sound.
    public var message: Message? {
        if case .message(let message) = content { message } else { nil }
    }

    var audioBytes: AudioBytes? {
        if case .audioBytes(let bytes) = content { bytes } else { nil }
    }
}
