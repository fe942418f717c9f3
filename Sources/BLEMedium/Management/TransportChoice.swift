/// Which of the kernel's ways is taken when none is named, and why. A value.
package struct TransportChoice: Sendable, Hashable {
    package struct Facts: Sendable, Hashable {
        /// The first adapter; nil: there is none.
        package var adapter: Int?
        /// nil: nobody could be asked.
        package var isPowered: Bool?
        package var hasBluetooth: Bool
        /// CAP_NET_ADMIN.
        package var mayAdminister: Bool
        /// The system's Bluetooth service.
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

    /// Throws: ``BLEError``, which says what is missing.
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
        // Nobody else wants it.
        return .userChannel(adapter)
    }
}
