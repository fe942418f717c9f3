/// The choice between the kernel's interfaces when the user names none, with the reasons. A value.
package struct TransportChoice: Sendable, Hashable {
    package struct Facts: Sendable, Hashable {
        /// The first adapter; `nil` if there is none.
        package var adapter: Int?
        /// `nil` if the state could not be read.
        package var isPowered: Bool?
        package var hasBluetooth: Bool
        /// True if the program has CAP_NET_ADMIN.
        package var mayAdminister: Bool
        /// True if the system's Bluetooth service runs.
        package var hasService: Bool

        package init(
            adapter: Int?, isPowered: Bool?, hasBluetooth: Bool, mayAdminister: Bool, hasService: Bool
        ) {
            (self.adapter, self.isPowered, self.hasBluetooth) = (adapter, isPowered, hasBluetooth)
            (self.mayAdminister, self.hasService) = (mayAdminister, hasService)
        }
    }

    private let facts: Facts

    package init(_ facts: Facts) { self.facts = facts }

    /// Returns the chosen radio. Throws: ``BLEError``, which says what is missing.
    package func name() throws(BLEError) -> TransportName {
        guard facts.hasBluetooth else {
            throw BLEError(
                .unavailable,
                "this kernel has no Bluetooth: load its module 'bluetooth', or name a controller, as tcp-client:HOST:PORT"
            )
        }
        guard let adapter = facts.adapter else {
            throw BLEError(.unavailable, "there is no Bluetooth adapter: plug one in")
        }
        guard facts.mayAdminister else {
            throw BLEError(
                .noPermission,
                "hci\(adapter) needs CAP_NET_ADMIN: grant it, as with setcap cap_net_admin+ep PROGRAM")
        }
        if facts.isPowered == true { return .management(adapter) }
        guard !facts.hasService else {
            throw BLEError(
                .poweredOff, "hci\(adapter) is powered off: power it on, as with bluetoothctl power on")
        }
        // No other program uses the adapter.
        return .userChannel(adapter)
    }
}
