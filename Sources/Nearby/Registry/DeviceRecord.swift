/// What a registry must remember of a device to go on after a restart.
public struct DeviceRecord: Sendable, Hashable {
    /// A publication, and the name that others know it by.
    public struct Published: Sendable, Hashable {
        /// Drawn when it was first said; the same after a restart and for another content.
        public var name: PublicationID
        /// Its content as it was said last.
        public var message: Message
        /// As it was said last. Its time to live, if it has one, begins anew after a restart.
        public var strategy: Strategy

        /// As given; nothing is checked.
        public init(name: PublicationID, message: Message, strategy: Strategy) {
            (self.name, self.message, self.strategy) = (name, message, strategy)
        }
    }

    /// A token it may broadcast.
    public struct Held: Sendable, Hashable {
        /// The one that others hear and report.
        public var token: Token
        /// On which it was issued, and alone counts.
        public var medium: Medium
        /// When it stands for nobody any more; ``RegistrySettings/grace`` is in it.
        public var end: Instant

        /// As given; one that is over already is not taken back, and none lives longer than a new one would.
        ///
        /// - Parameter end: by the clock of the registry that takes it back.
        public init(_ token: Token, on medium: Medium, end: Instant) {
            (self.token, self.medium, self.end) = (token, medium, end)
        }
    }

    /// What it publishes, by its own names for it.
    public var published: [OperationID: Published] = [:]
    /// What it subscribes to, by its own names for it; not what it has found.
    public var subscribed: [OperationID: Subscription] = [:]
    /// Those that may be on the air: for each medium the one that it sends, then the one that it was granted last.
    public var tokens: [Held] = []

    /// Of a device that has said nothing.
    public init() {}
}

extension RegistryState {
    /// Nil when it is not known.
    public func record(of id: DeviceID) -> DeviceRecord? {
        guard let device = devices[id] else { return nil }
        var record = device.record
        record.tokens = tokens.held(by: id)
        return record
    }

    /// Takes back a device that was known before a restart; it is near nobody yet, and is told again of what it finds.
    public mutating func restore(_ record: DeviceRecord, now: Instant) -> DeviceID {
        let id = join(now: now)
        devices[id]?.take(record, now: now)
        queueEnd(of: id)
        // Whoever saved it may have had another wall clock: no token lives longer than a new one.
        let longest = now + settings.tokenLife + settings.grace
        for var held in record.tokens where held.end > now {
            held.end = min(held.end, longest)
            tokens.restore(held, of: id)
        }
        return id
    }

    /// Moves the ends of all nearness, and of devices that do not report: for a time nobody could be heard, because this registry, or
    /// the machine it runs on, stood still. Tokens and publications end when they were to.
    ///
    /// - Parameter duration: how long that was. Devices that got no answer meanwhile try again after at most as long, and after at most
    ///   ``RegistrySettings/longestRetry``; until then nobody is lost.
    public mutating func standStill(for duration: Duration, now: Instant) {
        guard duration > .zero else { return }
        proximity.extend(by: duration, atLeastUntil: now + min(duration, settings.longestRetry))
        for id in devices.keys { devices[id]!.lastReport = min(now, devices[id]!.lastReport + duration) }
    }
}
