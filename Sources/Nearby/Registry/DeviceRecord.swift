/// The state of one device that a registry must keep to continue after a restart.
public struct DeviceRecord: Sendable, Hashable {
    /// A publication, with the name by which other devices know it.
    public struct Published: Sendable, Hashable {
        /// The name, drawn when the publication was first reported. It stays the same after a restart and
        /// when the content changes.
        public var name: PublicationID
        /// The content that the device reported last.
        public var message: Message
        /// The strategy that the device reported last. Its time to live, if it has one, starts anew after a
        /// restart.
        public var strategy: Strategy

        /// Creates a publication from its parts, unchecked.
        public init(name: PublicationID, message: Message, strategy: Strategy) {
            (self.name, self.message, self.strategy) = (name, message, strategy)
        }
    }

    /// The device's publications, by the device's own names for them.
    public var published: [OperationID: Published] = [:]
    /// The device's subscriptions, by the device's own names for them, without the publications that they
    /// have found.
    public var subscribed: [OperationID: Subscription] = [:]
    /// The number by which the device's tokens name it, so that they are valid after a restart; `nil` if it
    /// has had none.
    public var handle: TokenHandle?

    /// Creates the record of a device that has reported nothing.
    public init() {}
}

extension RegistryState {
    /// Returns the record of a device, or `nil` if the registry does not know the device.
    public func record(of id: DeviceID) -> DeviceRecord? {
        guard let device = devices[id] else { return nil }
        var record = device.record
        record.handle = device.handle
        return record
    }

    /// Restores a device that was known before a restart. The device starts near nobody, and is notified
    /// again of what it finds.
    public mutating func restore(_ record: DeviceRecord, now: Instant) -> DeviceID {
        let id = join(now: now)
        devices[id]?.take(record, now: now)
        queueEnd(of: id)
        restoreTokens(of: id, record.handle, now: now)
        return id
    }

    /// Postpones the ends of all proximity and of devices that do not report, because this registry or its
    /// machine stood still and nobody could be heard meanwhile. Tokens and publications keep their ends.
    ///
    /// - Parameter duration: the length of the standstill. Devices that got no answer meanwhile try again
    ///   after at most this time, and after at most ``RegistrySettings/longestRetry``; until then no device
    ///   is lost.
    public mutating func standStill(for duration: Duration, now: Instant) {
        guard duration > .zero else { return }
        proximity.extend(by: duration, atLeastUntil: now + min(duration, settings.longestRetry))
        for id in devices.ids { devices[id]!.lastReport = min(now, devices[id]!.lastReport + duration) }
    }
}
