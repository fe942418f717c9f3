import Nearby

/// The questions that change nothing.
extension ProjectState {
    func member(of secret: SecretHash) -> Member? { devices[secret].flatMap { members[$0] } }

    /// Returns the name of a device's mailbox; `nil` if there is no such device.
    func mailboxName(of secret: SecretHash) -> String? {
        devices[secret].flatMap { members[$0]?.mailbox.name }
    }

    /// Returns true if the device hears another one, or is heard by one.
    func isNearAny(_ device: RegistryState.DeviceID) -> Bool { registry.isNearAny(device) }

    /// Returns what the store must know of a device; `nil` if the device is gone.
    func stored(_ secret: SecretHash) -> StoredDevice? {
        guard let device = devices[secret], let member = members[device],
            let record = registry.record(of: device)
        else { return nil }
        return StoredDevice(secret: secret, key: member.key, label: member.label, record: record)
    }
}
