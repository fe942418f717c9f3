/// The status of one operation.
public enum OperationStatus: Sendable, Hashable {
    /// The operation does nothing on any medium, for these reasons, medium by medium.
    case inactive([Medium: StrategySelection.Refusal])
    /// The operation's media run, but the registry does not know it yet.
    case starting
    /// At least one direction of one medium runs for the operation; if it needs a registry, the registry
    /// knows it.
    case active
    /// The operation's time to live has ended.
    case expired
}

/// The status of the device.
public struct EngineStatus: Sendable, Hashable {
    /// The status of one medium, with the obstacles to it.
    public struct OnMedium: Sendable, Hashable {
        /// The condition that the medium's driver reported last.
        public var condition: MediumCondition
        /// True if the medium is assigned to send. It does so unless ``condition`` names an obstacle.
        public var isBroadcasting: Bool
        /// True if the medium is assigned to listen for tokens. It does so unless ``condition`` names an
        /// obstacle. Beacons do not count.
        public var isScanning: Bool
        /// True if the device broadcasts and listens, but does not hear itself: the loudspeaker may be off,
        /// or too soft.
        public var isUnheard: Bool
        /// The number of devices that were heard recently.
        public var neighbours: Int
    }

    /// The user's last decision. Unless the permission is granted, no medium does anything.
    public var permission: Permission
    /// True if the app is in the background.
    public var isInBackground: Bool
    /// The status of each medium whose driver has reported a condition.
    public var media: [Medium: OnMedium]
    /// The last error of a registry, or `nil` if there is none.
    public var registryError: RegistryError?
}
