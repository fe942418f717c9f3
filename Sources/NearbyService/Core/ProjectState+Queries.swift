import Nearby

/// The questions that change nothing.
extension ProjectState {
    /// Returns true if there is such a device.
    func knows(_ secret: SecretHash) -> Bool { members[secret] != nil }

    /// Returns true if the device hears another one, or is heard by one.
    func isNearAny(_ device: RegistryState.DeviceID) -> Bool { registry.isNearAny(device) }

    /// Returns what the store must know of a device; `nil` if the device is gone.
    func stored(_ secret: SecretHash) -> StoredDevice? {
        guard let member = members[secret], let record = registry.record(of: member.device) else {
            return nil
        }
        return StoredDevice(secret: secret, key: member.key, label: member.label, record: record)
    }
}
