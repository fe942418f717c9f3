/// What one operation is doing.
public enum OperationStatus: Sendable, Hashable {
    /// It does nothing, on no medium; why, medium by medium.
    case inactive([Medium: StrategySelection.Refusal])
    /// Its media run; the registry does not know of it yet.
    case starting
    case active
    /// Its time to live is over.
    case expired
}

/// What the device is doing.
public struct EngineStatus: Sendable, Hashable {
    public struct OnMedium: Sendable, Hashable {
        public var condition: MediumCondition
        public var isBroadcasting: Bool
        public var isScanning: Bool
        /// It broadcasts and listens, and does not hear itself: the loudspeaker may be off, or too soft.
        public var isUnheard: Bool
        /// Devices heard of late.
        public var neighbours: Int
    }

    public var permission: Permission
    public var isInBackground: Bool
    public var media: [Medium: OnMedium]
    /// What the registry last said, if that was no.
    public var registryError: RegistryError?
}
