import Nearby

/// A host that makes the kernel use an adapter that others use as well. A value: ``LEHost``.
///
/// Like ``HCIHost``, it derives the next step from the kernel's state and from what is to be done
/// (``ManagementPlan``). The kernel decides how often it sends and listens: every 100 to 150 ms, and 30 of 60
/// ms.
package struct ManagementHost: LEHost {
    static let patience = Duration.seconds(5)
    /// The time after which a discovery begins anew: during one discovery, the kernel hides senders that were
    /// heard before.
    static let discovery = Duration.seconds(3)

    private enum Status {
        static let unknownCommand: UInt8 = 0x01
        static let failed: UInt8 = 0x03
        static let notSupported: UInt8 = 0x0C
        static let notPowered: UInt8 = 0x0F
        static let noAdapter: UInt8 = 0x11
        static let rfKilled: UInt8 = 0x12
        static let denied: UInt8 = 0x14
    }

    private struct Rest {
        /// `nil` if the pause is over; the next try may fail as well.
        var end: Instant?
        var length: Duration
    }

    private let adapter: UInt16
    private var order = RadioOrder.idle
    private var state = ManagementState()
    private var waiting: (step: ManagementStep, since: Instant)?
    private var rests: [Role: Rest] = [:]
    private var failed = Set(Role.allCases)
    private var isGone = false
    private var isStopping = false
    package private(set) var isStopped = false
    private var discoveredSince = Instant.start
    private var actions: [HostAction] = []
    package private(set) var malformedCount = 0

    package init(adapter: UInt16) { self.adapter = adapter }

    package mutating func carryOut(_ order: RadioOrder, now: Instant) -> [HostAction] {
        self.order = order
        return settle(now)
    }

    package mutating func stop(now: Instant) -> [HostAction] {
        (isStopping, order, rests) = (true, .idle, [:])
        return settle(now)
    }

    package mutating func advance(to now: Instant) -> [HostAction] {
        if let waiting, waiting.since + ManagementHost.patience <= now {
            return [.reopen("the kernel did not answer \(waiting.step.command(adapter).code) within 5 s")]
        }
        for (role, rest) in rests where rest.end.map({ $0 <= now }) ?? false { rests[role]?.end = nil }
        if state.isDiscovering, discoveredSince + ManagementHost.discovery <= now, waiting == nil {
            discoveredSince = now
            send(.discover(false), now)
        }
        return settle(now)
    }

    package var stopCommands: [[UInt8]] {
        var instances = Set(state.instances.keys)
        if case .add(let instance, _)? = waiting?.step { instances.insert(instance) }
        return instances.sorted().map { ManagementStep.remove(instance: $0).command(adapter).bytes }
    }

    package var nextDeadline: Instant? {
        // While the host waits for an answer, it can begin nothing else.
        if let waiting { return waiting.since + ManagementHost.patience }
        var times = rests.values.compactMap(\.end)
        times += state.instances.values.map { $0.since + RadioOrder.Advertising.renewal }
        if state.isDiscovering { times.append(discoveredSince + ManagementHost.discovery) }
        return times.min()
    }

    package mutating func received(_ bytes: [UInt8], now: Instant) -> [HostAction] {
        switch ManagementEvent(bytes) {
        case nil: malformedCount += 1
        case .complete(let code, let status, let returned, adapter)?:
            answered(code, status, returned, now)
        case .heard(let report, adapter)?: return [.heard(report)]
        case .settings(let settings, adapter)?: changed(settings, now)
        case .removed(adapter)?:
            (isGone, waiting, state) = (true, nil, ManagementState())
            fail(.failing, "hci\(adapter) was unplugged")
        case .added(adapter)?: (isGone, state) = (false, ManagementState())
        case .discovering(let isOn, adapter)? where !isOn: state.isDiscovering = false
        case .advertisingRemoved(let instance, adapter)?: state.instances[instance] = nil
        default: return []
        }
        return settle(now)
    }

    private mutating func changed(_ settings: ManagementSettings, _ now: Instant) {
        let wasPowered = state.settings?.isPowered
        state.settings = settings
        guard settings.isPowered != wasPowered else { return }
        // The kernel does not report what became of its earlier work.
        for instance in state.instances.keys { state.instances[instance]?.epoch = nil }
        state.isDiscovering = false
        rests = [:]
        if !settings.isPowered {
            fail(.poweredOff, "hci\(adapter) is powered off: power it on, as with bluetoothctl power on")
        }
    }

    private mutating func answered(
        _ code: ManagementCommand.Code, _ status: UInt8, _ returned: [UInt8], _ now: Instant
    ) {
        guard let waiting, waiting.step.command(adapter).code == code else { return }
        self.waiting = nil
        if status == 0 { done(waiting.step, returned, now) } else { refused(waiting.step, status, now) }
    }

    private mutating func done(_ step: ManagementStep, _ returned: [UInt8], _ now: Instant) {
        var reader = ByteReader(returned[...])
        switch step {
        case .readInfo:
            guard let settings = ManagementSettings(info: returned) else {
                return fail(.failing, "the kernel says nothing of hci\(adapter)")
            }
            changed(settings, now)
        case .enableLowEnergy: state.settings?.bits |= reader.uint32() ?? 1 << 9
        case .readFeatures:
            // These bytes are flags and lengths.
            guard reader.bytes(6) != nil, let limit = reader.byte() else {
                return fail(.failing, "the kernel says nothing of hci\(adapter)'s advertisements")
            }
            state.instanceLimit = Int(limit)
            // The last number may belong to an instance of this program that was killed. It would be
            // replaced, not added; and kernel 6.1 lists only numbers up to the count of instances. So it is
            // removed unseen.
            if limit > 0 { state.instances[limit] = .init(epoch: nil, data: [], since: now) }
        case .remove(let instance): state.instances[instance] = nil
        case .add(let instance, var one):
            one.since = now
            state.instances[instance] = one
        case .watch(let patterns):
            (state.monitor, state.hasMonitor, state.watched) = (reader.uint16(), true, patterns)
        case .unwatch: state.monitor = nil
        case .discover(let isOn):
            state.isDiscovering = isOn
            discoveredSince = now
        }
    }

    private mutating func refused(_ step: ManagementStep, _ status: UInt8, _ now: Instant) {
        switch (step, status) {
        // The object does not exist any more.
        case (.remove(let instance), _):
            state.instances[instance] = nil
            return
        case (.unwatch, _):
            state.monitor = nil
            return
        case (.discover(false), _):
            state.isDiscovering = false
            return
        case (.watch, Status.unknownCommand), (.watch, Status.notSupported):
            state.hasMonitor = false
            return
        case (.add, Status.failed) where state.isScanning && !state.mustPauseScan:
            state.mustPauseScan = true
            return
        default: break
        }
        let roles = step.role.map { [$0] } ?? Role.allCases
        for role in roles {
            let length = rests[role].map { min($0.length * 2, .seconds(30)) } ?? .seconds(1)
            rests[role] = Rest(end: now + length, length: length)
        }
        let (obstacle, words) = ManagementHost.reason(step.command(adapter).code, status, adapter)
        if status == Status.noAdapter { isGone = true }
        for role in roles { fail(obstacle, words, role) }
    }

    private static func reason(
        _ code: ManagementCommand.Code, _ status: UInt8, _ adapter: UInt16
    ) -> (MediumCondition.Obstacle, String) {
        switch status {
        case Status.denied: (.forbidden, "hci\(adapter) is closed to this program: it needs CAP_NET_ADMIN")
        case Status.notPowered: (.poweredOff, "hci\(adapter) is powered off: power it on")
        case Status.rfKilled:
            (.poweredOff, "hci\(adapter) is switched off: switch it on, as with rfkill unblock bluetooth")
        case Status.noAdapter: (.failing, "there is no adapter hci\(adapter): plug it in")
        default:
            (.failing, "the kernel refused \(code) on hci\(adapter) with status \(String(status, radix: 16))")
        }
    }

    private mutating func fail(_ obstacle: MediumCondition.Obstacle, _ words: String, _ role: Role? = nil) {
        for role in role.map({ [$0] }) ?? Role.allCases {
            failed.insert(role)
            actions.append(.found(obstacle, role, words))
        }
    }

    private mutating func settle(_ now: Instant) -> [HostAction] {
        defer { actions = [] }
        guard waiting == nil, !isStopped else { return actions }
        guard !isGone, let next = plan(now).nextStep(from: state) else {
            if isStopping { isStopped = true }
            let isUsable = !isGone && state.settings?.isPowered == true
            for role in Role.allCases where failed.contains(role) && isUsable && !isResting(role) {
                failed.remove(role)
                rests[role] = nil
                actions.append(
                    .found(
                        nil, role,
                        "hci\(adapter) works\(role == .scan && state.hasMonitor == false ? "; this kernel hears each sender once in 3 s" : "")"
                    ))
            }
            return actions
        }
        // A step that concerns both directions waits until both may go on.
        if next.role == nil, !rests.isEmpty, rests.values.allSatisfy({ $0.end != nil }) { return actions }
        send(next, now)
        return actions
    }

    private func isResting(_ role: Role) -> Bool { rests[role]?.end != nil }

    private func plan(_ now: Instant) -> ManagementPlan {
        ManagementPlan(
            epoch: order.advertising?.epoch, contents: order.advertising?.contents.compactMap(\.bare) ?? [],
            patterns: order.scan == nil ? nil : order.patterns, now: now,
            resting: Set(Role.allCases.filter(isResting)))
    }

    private mutating func send(_ step: ManagementStep, _ now: Instant) {
        waiting = (step, now)
        actions.append(.send(step.command(adapter).bytes))
    }
}
