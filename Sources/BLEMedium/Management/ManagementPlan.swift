import Nearby

/// The state of one adapter in the kernel: the settings that it has been given and has accepted.
struct ManagementState: Sendable, Hashable {
    /// `nil` until it is known.
    var settings: ManagementSettings?
    /// The number of advertisements that it holds at a time; `nil` until it is known.
    var instanceLimit: Int?
    var instances: [UInt8: Instance] = [:]
    /// The kernel's handle of the running pattern monitor; `nil` if none runs.
    var monitor: UInt16?
    /// The patterns that were given for ``monitor``.
    var watched: [RadioOrder.Pattern] = []
    var isDiscovering = false
    /// True if the kernel has pattern monitors; `nil` until it is tried.
    var hasMonitor: Bool?
    /// True if scanning must pause to add an advertisement. A controller with the old commands has one
    /// address for everything, which stays as long as it scans, and kernel 6.1 does not stop scanning to draw
    /// a new one.
    var mustPauseScan = false

    var isScanning: Bool { monitor != nil || isDiscovering }

    struct Instance: Sendable, Hashable {
        /// `nil` if the instance is left over from before, or its state is unknown; it is then removed.
        var epoch: UInt64?
        var data: [UInt8]
        var since: Instant
    }
}

/// One change of a ``ManagementState``, and its command.
enum ManagementStep: Sendable, Hashable {
    case readInfo, enableLowEnergy, readFeatures
    case remove(instance: UInt8)
    case add(instance: UInt8, ManagementState.Instance)
    case watch([RadioOrder.Pattern])
    case unwatch(UInt16)
    case discover(Bool)

    /// The address types of Low Energy, public and random.
    private static let lowEnergy: UInt8 = 6

    var role: Role? {
        switch self {
        case .readFeatures, .remove, .add: .broadcast
        case .watch, .unwatch, .discover: .scan
        case .readInfo, .enableLowEnergy: nil
        }
    }

    func command(_ adapter: UInt16) -> ManagementCommand {
        switch self {
        case .readInfo: return ManagementCommand(.readInfo, adapter: adapter)
        case .enableLowEnergy: return ManagementCommand(.setLowEnergy, adapter: adapter, [1])
        case .readFeatures: return ManagementCommand(.readAdvertisingFeatures, adapter: adapter)
        case .remove(let instance): return ManagementCommand(.removeAdvertising, adapter: adapter, [instance])
        case .add(let instance, let one):
            // Without flags nobody may connect, so the kernel draws an address that nobody can trace. The
            // turn keeps its default length. The advertisement ends by itself if nobody ends it. There is no
            // scan response.
            let longest = [UInt8](UInt16(RadioOrder.Advertising.longest.inSeconds))
            let lengths = [UInt8(one.data.count), 0]
            return ManagementCommand(
                .addAdvertising, adapter: adapter,
                [instance, 0, 0, 0, 0, 0, 0] as [UInt8] + longest + lengths + one.data)
        case .watch(let patterns):
            var parameters = [UInt8(patterns.count)]
            for pattern in patterns {
                parameters += [pattern.type, pattern.offset, UInt8(pattern.bytes.count)] + pattern.bytes
                parameters += [UInt8](repeating: 0, count: 31 - pattern.bytes.count)
            }
            return ManagementCommand(.addPatternMonitor, adapter: adapter, parameters)
        case .unwatch(let handle):
            return ManagementCommand(.removeMonitor, adapter: adapter, [UInt8](handle))
        case .discover(let isOn):
            return ManagementCommand(
                isOn ? .startDiscovery : .stopDiscovery, adapter: adapter, [ManagementStep.lowEnergy])
        }
    }
}

/// The state that an adapter in the kernel is to reach, and the next step on the way there. A value.
///
///     remove all that is to go ─→ (stop watching) ─→ add ─→ watch, or discover where it cannot watch
///
/// An advertisement is removed and added, not replaced: otherwise it would send its new data from its old
/// address for a moment.
struct ManagementPlan: Sendable, Hashable {
    var epoch: UInt64?
    var contents: [[UInt8]] = []
    var patterns: [RadioOrder.Pattern]?
    var now: Instant
    /// The directions that wait before they are tried again.
    var resting: Set<Role> = []

    /// Returns the next step; `nil` if the kernel does everything, or nothing can be done now.
    func nextStep(from state: ManagementState) -> ManagementStep? {
        guard let settings = state.settings else { return .readInfo }
        guard settings.isPowered else { return nil }
        guard settings.hasLowEnergy else { return .enableLowEnergy }
        return (resting.contains(.broadcast) ? nil : advertisingStep(state))
            ?? (resting.contains(.scan) ? nil : scanStep(state))
    }

    private func advertisingStep(_ state: ManagementState) -> ManagementStep? {
        guard let limit = state.instanceLimit else { return contents.isEmpty ? nil : .readFeatures }
        let wanted = self.wanted(limit)
        for (instance, one) in state.instances.sorted(by: { $0.key < $1.key }) {
            if one.epoch == nil || wanted[instance] != one.data || one.epoch != epoch
                || one.since + RadioOrder.Advertising.renewal <= now
            {
                return .remove(instance: instance)
            }
        }
        guard let missing = wanted.filter({ state.instances[$0.key] == nil }).min(by: { $0.key < $1.key })
        else {
            return nil
        }
        if state.mustPauseScan, state.isScanning {
            return state.monitor.map { .unwatch($0) } ?? .discover(false)
        }
        return .add(instance: missing.key, .init(epoch: epoch, data: missing.value, since: now))
    }

    /// Returns the contents by instance number, from the last number down: other programs begin with the
    /// first. One instance is left to them.
    private func wanted(_ limit: Int) -> [UInt8: [UInt8]] {
        let count = min(contents.count, max(1, limit - 1))
        return Dictionary(
            uniqueKeysWithValues: (0..<count).map { (UInt8(max(1, limit - $0)), contents[$0]) })
    }

    private func scanStep(_ state: ManagementState) -> ManagementStep? {
        let canWatch = state.hasMonitor != false && patterns != []
        if let monitor = state.monitor, patterns != state.watched || !canWatch { return .unwatch(monitor) }
        if state.isDiscovering, patterns == nil || canWatch { return .discover(false) }
        guard let patterns else { return nil }
        if canWatch { return state.monitor == nil ? .watch(patterns) : nil }
        return state.isDiscovering ? nil : .discover(true)
    }
}
