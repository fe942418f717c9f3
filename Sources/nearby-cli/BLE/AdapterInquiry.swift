import BLEMedium

/// The answers of a kernel's adapter to libbluetooth, for what the kernel's management does not report. The
/// questions change nothing, and need no capability.
struct AdapterInquiry: Sendable {
    var bus: String?
    var features: [UInt8]?
    var commands: [UInt8]?
    var linkManagerVersion: UInt8?

    /// Adds the answers to what is already known.
    func complete(_ abilities: inout RadioDiagnosis.Abilities) {
        abilities.features = abilities.features ?? features
        abilities.commands = abilities.commands ?? commands
        abilities.linkManagerVersion = abilities.linkManagerVersion ?? linkManagerVersion
    }
}

#if LibBluetooth
    import CBluetooth

    extension AdapterInquiry {
        /// The longest wait for an answer, in milliseconds.
        private static let patience: Int32 = 1000

        /// Asks the adapter. Fields without an answer stay `nil`: an adapter that is off, or that another
        /// program has for itself, tells neither its commands nor its link manager's version.
        init(adapter index: Int) {
            var device = hci_dev_info()
            guard hci_devinfo(Int32(index), &device) == 0 else { return }
            bus = BluetoothNames.bus(Int32(device.type & 0x0F))
            let page = withUnsafeBytes(of: device.features) { Array($0) }
            features = page.contains { $0 != 0 } ? page : nil
            let socket = hci_open_dev(Int32(index))
            guard socket >= 0 else { return }
            defer { hci_close_dev(socket) }
            var version = hci_version()
            if hci_read_local_version(socket, &version, AdapterInquiry.patience) == 0 {
                linkManagerVersion = version.lmp_ver
            }
            var bits = [UInt8](repeating: 0, count: 64)
            if hci_read_local_commands(socket, &bits, AdapterInquiry.patience) == 0 { commands = bits }
        }
    }
#else
    extension AdapterInquiry {
        /// Without libbluetooth nothing is asked.
        init(adapter index: Int) {}
    }
#endif
