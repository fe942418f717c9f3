/// The adapters that the kernel reports, and what this program may do with them. A value.
package struct KernelInspection: Sendable, Hashable {
    package struct Adapter: Sendable, Hashable {
        package var index: Int
        package var address: RadioAddress
        /// The Bluetooth version as the specification numbers it: 13 is 5.4.
        package var version: UInt8
        /// The company identifier of the controller's maker.
        package var company: UInt16
        package var supported: ManagementSettings
        package var settings: ManagementSettings
        /// `nil` if this program may not administer the adapter: the kernel then does not report it.
        package var advertising: Advertising?

        package init(
            index: Int, address: RadioAddress, version: UInt8, company: UInt16, supported: ManagementSettings,
            settings: ManagementSettings, advertising: Advertising? = nil
        ) {
            (self.index, self.address, self.version, self.company) = (index, address, version, company)
            (self.supported, self.settings, self.advertising) = (supported, settings, advertising)
        }
    }

    package struct Advertising: Sendable, Hashable {
        /// The number of advertisements at a time.
        package var limit: Int
        package var byteCount: Int
        package var hasExtended: Bool

        package init(limit: Int, byteCount: Int, hasExtended: Bool) {
            (self.limit, self.byteCount, self.hasExtended) = (limit, byteCount, hasExtended)
        }
    }

    package var hasBluetooth: Bool
    package var adapters: [Adapter]
    /// True if the program has CAP_NET_ADMIN.
    package var mayAdminister: Bool
    /// True if the program has CAP_NET_RAW.
    package var mayMonitor: Bool
    /// True if bluetoothd runs.
    package var hasService: Bool

    package init(
        hasBluetooth: Bool, adapters: [Adapter] = [], mayAdminister: Bool, mayMonitor: Bool, hasService: Bool
    ) {
        (self.hasBluetooth, self.adapters) = (hasBluetooth, adapters)
        (self.mayAdminister, self.mayMonitor) = (mayAdminister, mayMonitor)
        self.hasService = hasService
    }

    /// The choice that `auto` makes.
    package var choice: TransportChoice {
        let first = adapters.first
        return TransportChoice(
            .init(
                adapter: first?.index, isPowered: first?.settings.isPowered, hasBluetooth: hasBluetooth,
                mayAdminister: mayAdminister, hasService: hasService))
    }
}

extension KernelInspection.Adapter {
    /// Parses the answer to ``ManagementCommand/Code/readInfo``: address 6, version 1, maker 2, supported
    /// settings 4, current settings 4 bytes. `nil` if the answer is cut short.
    init?(index: Int, info: [UInt8]) {
        var reader = ByteReader(info[...])
        guard let address = reader.bytes(6), let version = reader.byte(), let company = reader.uint16(),
            let supported = reader.uint32(), let settings = reader.uint32()
        else { return nil }
        self.init(
            index: index, address: RadioAddress(.public, wire: address), version: version,
            company: company, supported: ManagementSettings(bits: supported),
            settings: ManagementSettings(bits: settings))
    }
}

extension KernelInspection.Advertising {
    /// The flag of an adapter that can send on a secondary channel.
    private static let extendedFlag: UInt32 = 1 << 7

    /// Parses the answer to ``ManagementCommand/Code/readAdvertisingFeatures``: flags 4, lengths 1 + 1, limit
    /// 1 bytes.
    init?(features: [UInt8]) {
        var reader = ByteReader(features[...])
        guard let flags = reader.uint32(), let count = reader.byte(), reader.byte() != nil,
            let limit = reader.byte()
        else { return nil }
        self.init(
            limit: Int(limit), byteCount: Int(count),
            hasExtended: flags & KernelInspection.Advertising.extendedFlag != 0)
    }
}
