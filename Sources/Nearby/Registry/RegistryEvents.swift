extension RegistryState {
    /// What follows from a step for others than the device that took it.
    public struct RegistryEvents: Sendable {
        /// What is to be told unasked, device by device.
        public internal(set) var answers: [DeviceID: Answer] = [:]
        /// Devices that have left, by farewell or by silence.
        public internal(set) var departed: [DeviceID] = []

        /// What that device is to be told unasked; nil: nothing.
        public subscript(device: DeviceID) -> Answer? { answers[device] }
    }
}
