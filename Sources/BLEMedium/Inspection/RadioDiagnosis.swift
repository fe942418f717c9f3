/// The radios of this system, whether each can be used, and the obstacle if not: one line each that says what
/// to do. A value.
package struct RadioDiagnosis: Sendable, Hashable {
    package struct Row: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable {
            /// Something that radios need of the system.
            case system
            case adapter
            /// A radio that a user can name.
            case radio
        }

        package var kind: Kind
        /// The row's name; for a radio, as a user writes it.
        package var name: String
        /// `nil` if it works, or is there.
        package var obstacle: BLEError.Kind?
        package var words: String
        /// The abilities; `nil` if they are not known.
        package var abilities: Abilities?

        package init(
            _ kind: Kind, _ name: String, _ obstacle: BLEError.Kind? = nil, _ words: String,
            abilities: Abilities? = nil
        ) {
            (self.kind, self.name, self.obstacle) = (kind, name, obstacle)
            (self.words, self.abilities) = (words, abilities)
        }
    }

    package struct Abilities: Sendable, Hashable {
        package var address: RadioAddress?
        package var version: UInt8?
        /// The version of the link manager, numbered as ``version`` is.
        package var linkManagerVersion: UInt8?
        /// The company identifier of the controller's maker.
        package var company: UInt16?
        /// The features of page 0, 8 bytes of bits.
        package var features: [UInt8]?
        /// The supported commands, 64 bytes of bits.
        package var commands: [UInt8]?
        package var isPowered: Bool?
        package var hasExtended: Bool?
        /// The number of advertisements at a time.
        package var setCount: Int?
        /// The largest number of bytes in one advertisement.
        package var byteCount: Int?

        /// The version's name, such as 5.4 (Bluetooth Assigned Numbers, section 2.1); `nil` if it is not
        /// known.
        package var bluetooth: String? {
            let names: [UInt8: String] = [
                6: "4.0", 7: "4.1", 8: "4.2", 9: "5.0", 10: "5.1", 11: "5.2", 12: "5.3", 13: "5.4", 14: "6.0",
            ]
            return version.map { names[$0] ?? ($0 < 6 ? "before 4.0" : "after 6.0") }
        }
    }

    package var rows: [Row] = []
    /// The radio that would be used; `nil` if none can be.
    package var choice: TransportName?

    /// `nil` if a radio works; otherwise the reason why none does.
    package var obstacle: BLEError.Kind? {
        let radios = rows.filter { $0.kind == .radio }
        if radios.contains(where: { $0.obstacle == nil }) { return nil }
        // The last row is that of the radio that would be chosen.
        return radios.last?.obstacle ?? .unavailable
    }

    /// - Parameter only: the only radio of the kernel to diagnose; `nil` for all of them and the choice of
    ///   `auto`.
    package init(_ kernel: KernelInspection, only: TransportName? = nil) {
        rows.append(
            Row(
                .system, "kernel", kernel.hasBluetooth ? nil : .unavailable,
                kernel.hasBluetooth
                    ? "has Bluetooth"
                    : "has no Bluetooth: load its module, as with modprobe bluetooth, or name a controller, as tcp-client:HOST:PORT"
            ))
        capability("CAP_NET_ADMIN", kernel.mayAdminister, "mgmt:N and hci-user:N")
        capability("CAP_NET_RAW", kernel.mayMonitor, "monitor:N, and a capture under mgmt:N")
        rows.append(
            Row(
                .system, "bluetoothd", nil,
                kernel.hasService
                    ? "runs: hci-user:N is not taken from it while the adapter is on"
                    : "does not run: an adapter stays off until somebody powers it on, as with btmgmt power on"
            ))
        for adapter in kernel.adapters { add(adapter, kernel, only) }
        if let only {
            choose(only, kernel)
        } else {
            chooseAutomatically(kernel)
        }
    }

    /// Diagnoses a controller that is no adapter of the kernel's.
    package init(_ name: TransportName, _ found: Result<ControllerInspection, BLEError>) {
        switch found {
        case .success(let one):
            let abilities = Abilities(
                address: one.address, version: one.version, linkManagerVersion: one.linkManagerVersion,
                company: one.company, features: one.features, commands: one.commands, isPowered: nil,
                hasExtended: one.hasExtended, setCount: one.setCount ?? 1, byteCount: one.byteCount ?? 31)
            rows = [
                Row(
                    .radio, "\(name)", nil,
                    "scans and advertises, alone: \(RadioDiagnosis.words(abilities))", abilities: abilities)
            ]
            choice = name
        case .failure(let error): rows = [Row(.radio, "\(name)", error.kind, error.description)]
        }
    }

    private mutating func capability(_ name: String, _ isHeld: Bool, _ purpose: String) {
        rows.append(
            Row(
                .system, name, isHeld ? nil : .noPermission,
                isHeld
                    ? "is here, for \(purpose)"
                    : "is missing, for \(purpose): grant it, as with setcap \(name.lowercased())+ep PROGRAM"))
    }

    private mutating func add(
        _ adapter: KernelInspection.Adapter, _ kernel: KernelInspection, _ only: TransportName?
    ) {
        let name = "hci\(adapter.index)"
        let radios: [(TransportName, BLEError.Kind?, String)] = [
            management(adapter, kernel), userChannel(adapter, kernel), monitor(adapter, kernel),
        ]
        guard only.map({ only in radios.contains { $0.0 == only } }) ?? true else { return }
        let abilities = Abilities(
            address: adapter.address, version: adapter.version, company: adapter.company,
            isPowered: adapter.settings.isPowered,
            hasExtended: adapter.advertising?.hasExtended, setCount: adapter.advertising?.limit,
            byteCount: adapter.advertising?.byteCount)
        let state =
            adapter.settings.isPowered ? "is on" : "is off: power it on, as with bluetoothctl power on"
        rows.append(
            Row(
                .adapter, name, adapter.settings.isPowered ? nil : .poweredOff,
                "\(RadioDiagnosis.words(abilities)); \(state)", abilities: abilities))
        for (radio, obstacle, words) in radios where only == nil || only == radio {
            rows.append(Row(.radio, "\(radio)", obstacle, words))
        }
    }

    private func management(
        _ adapter: KernelInspection.Adapter, _ kernel: KernelInspection
    ) -> (TransportName, BLEError.Kind?, String) {
        let (radio, name) = (TransportName.management(adapter.index), "hci\(adapter.index)")
        if !adapter.supported.hasLowEnergy { return (radio, .unavailable, "\(name) has no low energy") }
        if !kernel.mayAdminister { return (radio, .noPermission, "needs CAP_NET_ADMIN") }
        if !adapter.settings.isPowered {
            return (radio, .poweredOff, "\(name) is off: power it on, as with bluetoothctl power on")
        }
        return (radio, nil, "scans and advertises beside whoever else uses \(name)")
    }

    private func userChannel(
        _ adapter: KernelInspection.Adapter, _ kernel: KernelInspection
    ) -> (TransportName, BLEError.Kind?, String) {
        let (radio, name) = (TransportName.userChannel(adapter.index), "hci\(adapter.index)")
        if !kernel.mayAdminister { return (radio, .noPermission, "needs CAP_NET_ADMIN") }
        if kernel.hasService && adapter.settings.isPowered {
            return (
                radio, .unavailable,
                "bluetoothd has \(name): stop it, as with systemctl stop bluetooth, or take mgmt:\(adapter.index)"
            )
        }
        return (
            radio, nil,
            "takes \(name) for this program alone\(adapter.settings.isPowered ? "; it is taken down first" : "")"
        )
    }

    private func monitor(
        _ adapter: KernelInspection.Adapter, _ kernel: KernelInspection
    ) -> (TransportName, BLEError.Kind?, String) {
        let radio = TransportName.monitor(adapter.index)
        return kernel.mayMonitor
            ? (radio, nil, "hears what others on hci\(adapter.index) scan for, and sends nothing")
            : (radio, .noPermission, "needs CAP_NET_RAW")
    }

    private mutating func choose(_ radio: TransportName, _ kernel: KernelInspection) {
        if let row = rows.first(where: { $0.name == "\(radio)" }) {
            choice = row.obstacle == nil ? radio : nil
            return
        }
        let words =
            kernel.hasBluetooth
            ? "there is no such adapter: \(kernel.adapters.isEmpty ? "plug one in" : "there are \(kernel.adapters.map { "hci\($0.index)" }.joined(separator: ", "))")"
            : "this kernel has no Bluetooth"
        rows.append(Row(.radio, "\(radio)", .unavailable, words))
    }

    private mutating func chooseAutomatically(_ kernel: KernelInspection) {
        do throws(BLEError) {
            let name = try kernel.choice.name()
            choice = name
            let why =
                if case .management = name { "the adapter is on" } else {
                    "the adapter is off, and no bluetoothd runs"
                }
            rows.append(Row(.radio, "auto", nil, "takes \(name): \(why)"))
        } catch {
            rows.append(Row(.radio, "auto", error.kind, error.description))
        }
    }

    // MARK: Words

    private static func words(_ abilities: Abilities) -> String {
        var parts: [String] = []
        if let address = abilities.address { parts.append("\(address)") }
        if let bluetooth = abilities.bluetooth { parts.append("Bluetooth \(bluetooth)") }
        if let hasExtended = abilities.hasExtended {
            parts.append(hasExtended ? "legacy and extended advertising" : "legacy advertising only")
        }
        if let count = abilities.setCount, let bytes = abilities.byteCount {
            parts.append("\(count) advertisement\(count == 1 ? "" : "s") of \(bytes) bytes at a time")
        }
        return parts.isEmpty ? "says nothing of itself" : parts.joined(separator: ", ")
    }
}

extension RadioAddress: CustomStringConvertible {
    /// The address, such as 3A:0B:…, most significant byte first.
    package var description: String {
        wire.reversed().map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined(separator: ":")
    }

    /// The name of the address's kind (Core 5.4, volume 6, part B §1.3).
    package var kindName: String {
        switch kind {
        case .public, .publicIdentity: return "public"
        case .anonymous: return "anonymous"
        case .random, .randomIdentity:
            switch bits >> 46 {
            case 0: return "non-resolvable"
            case 1: return "resolvable"
            case 3: return "static"
            default: return "random"
            }
        }
    }
}
