extension RegistryState {
    /// The consequences of a step for devices other than the one that took it.
    public struct RegistryEvents: Sendable {
        /// The unsolicited notifications, device by device.
        public internal(set) var answers: [DeviceID: Answer] = [:]
        /// The devices that have left, by unregistering or by silence.
        public internal(set) var departed: [DeviceID] = []

        /// The unsolicited notification for a device, or `nil` if there is none.
        public subscript(device: DeviceID) -> Answer? { answers[device] }
    }
}
