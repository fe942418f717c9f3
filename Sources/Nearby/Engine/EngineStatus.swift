/// What one operation is doing.
public enum OperationStatus: Sendable, Hashable {
    /// It does nothing, on no medium; why, medium by medium.
    case inactive([Medium: StrategySelection.Refusal])
    /// Its media run; the registry does not know of it yet.
    case starting
    /// At least one direction of one medium runs for it; if it needs a registry, that knows of it.
    case active
    /// Its time to live is over.
    case expired
}

/// What the device is doing.
public struct EngineStatus: Sendable, Hashable {
    /// What the device does on one medium, and what keeps it from doing more.
    public struct OnMedium: Sendable, Hashable {
        /// As the medium's driver told it last.
        public var condition: MediumCondition
        /// It is to send something, and does unless ``condition`` says what stands in the way.
        public var isBroadcasting: Bool
        /// It is to listen for tokens, and does unless ``condition`` says what stands in the way. Beacons do
        /// not count.
        public var isScanning: Bool
        /// It broadcasts and listens, and does not hear itself: the loudspeaker may be off, or too soft.
        public var isUnheard: Bool
        /// Devices heard of late.
        public var neighbours: Int
    }

    /// As the user last decided; unless it is granted, no medium does anything.
    public var permission: Permission
    /// As the app last said.
    public var isInBackground: Bool
    /// Those whose drivers have told a condition.
    public var media: [Medium: OnMedium]
    /// What the registry last said, if that was no.
    public var registryError: RegistryError?
}
