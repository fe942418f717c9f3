import Nearby

/// What the kernel has been told of one adapter, and has taken.
struct ManagementState: Sendable, Hashable {
    /// nil: not known.
    var settings: ManagementSettings?
    /// How many advertisements it holds at a time; nil: not known.
    var instanceLimit: Int?
    var instances: [UInt8: Instance] = [:]
    /// Its number of the pattern that is looked for; nil: none is.
    var monitor: UInt16?
    /// What it was given for ``monitor``.
    var watched: [RadioOrder.Pattern] = []
    var isDiscovering = false
    /// nil: not tried yet.
    var hasMonitor: Bool?
    /// A controller with the old commands has one address for all, which stays as long as it scans; and kernel 6.1 does not stop
    /// scanning to draw a new one.
    var mustPauseScan = false

    var isScanning: Bool { monitor != nil || isDiscovering }

    struct Instance: Sendable, Hashable {
        /// nil: somebody's, of before.
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

    /// Both kinds of addresses of low energy.
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
            // No flags: nobody may connect, so the kernel draws an address that nobody can trace. Its turn as usual. It ends by
            // itself, should nobody end it. No answer to a scan.
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

/// What the kernel is to do with an adapter, and the next step on the way there. A value.
///
///     remove all that is to go ─→ (stop watching) ─→ add ─→ watch, or discover where it cannot watch
///
/// One that is replaced instead would for a moment send its new data from its old address.
struct ManagementPlan: Sendable, Hashable {
    var epoch: UInt64?
    var contents: [[UInt8]] = []
    var patterns: [RadioOrder.Pattern]?
    var now: Instant
    /// Directions that wait before they are tried again.
    var resting: Set<Role> = []

    /// nil: it does all of it, or nothing can be done now.
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

    /// From the last number on down: others begin with the first. One is left to them.
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
