import Nearby

/// The host of one controller that no other program uses. A value: ``LEHost``.
///
/// There is no queue of commands. After each answer, the next step follows from the controller's state and
/// from what it is to do now (``ControllerPlan``). One command is under way at a time, and only when the
/// controller accepts one.
///
///     silent for 2 s, or broken   ─→ Reset, and all of it again
///     refuses a command           ─→ reported; Reset after 1, 2, 4 … 30 s
///     Reset is not answered       ─→ the transport is opened anew
package struct HCIHost: LEHost {
    /// The longest wait for an answer.
    static let patience = Duration.seconds(2)

    private var order = RadioOrder.idle
    private var state = ControllerState()
    private var phase = ScanPhase()
    private var reassembly = ExtendedReassembly()
    private var random: any RandomNumberGenerator & Sendable
    private var now = Instant.start

    private var waiting: (step: ControllerStep, code: HCICommand.Code, since: Instant)?
    /// The time since which the controller has accepted no commands; `nil` while it accepts them.
    private var fullSince: Instant?
    private var mustReset = true
    /// The pause before the next try; `nil` if there was no failure.
    private var rest: (end: Instant, length: Duration)?
    /// The directions that are not yet known to work.
    private var failed = Set(Role.allCases)
    private var isStopping = false
    package private(set) var isStopped = false
    /// True once the controller has been ordered to advertise.
    private var hasAdvertised = false
    private var epochBegan = Instant.start
    private var actions: [HostAction] = []
    /// The number of events that contradicted their own lengths.
    package private(set) var malformedCount = 0

    package init(random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
        self.random = random
    }

    // MARK: In

    package mutating func carryOut(_ order: RadioOrder, now: Instant) -> [HostAction] {
        if order.advertising?.epoch != self.order.advertising?.epoch { epochBegan = now }
        self.order = order
        return settle(now)
    }

    package mutating func stop(now: Instant) -> [HostAction] {
        (isStopping, mustReset, rest) = (true, true, nil)
        return settle(now)
    }

    package mutating func advance(to now: Instant) -> [HostAction] {
        if let waiting, waiting.since + HCIHost.patience <= now {
            self.waiting = nil
            reset(
                after: "the controller did not answer command \(waiting.code) within 2 s", waiting.step, now)
        }
        if let full = fullSince, full + HCIHost.patience <= now {
            reset(after: "the controller took no command for 2 s", nil, now)
        }
        return settle(now)
    }

    package mutating func received(_ bytes: [UInt8], now: Instant) -> [HostAction] {
        guard let packet = HCIPacket(h4: bytes[...]), packet.kind == .event else { return [] }
        return received(packet, now: now)
    }

    package mutating func received(_ packet: HCIPacket, now: Instant) -> [HostAction] {
        guard packet.kind == .event else { return [] }
        switch HCIEvent(packet.bytes) {
        case nil: malformedCount += 1
        case .commandComplete(let code, let count, let returned)?:
            fullSince = count > 0 ? nil : fullSince ?? now
            answered(code, status: returned.first ?? 0, returned.dropFirst(), now)
        case .commandStatus(let code, let count, let status)?:
            fullSince = count > 0 ? nil : fullSince ?? now
            // Status 0: the controller is still working on the command.
            if status != 0 { answered(code, status: status, [], now) }
        case .hardwareError(let code)?:
            reset(after: "the controller broke down, with code \(code)", nil, now)
        case .reports(let reports)?: return reports.map { .heard($0) }
        case .extendedReports(let pieces)?:
            return pieces.compactMap { reassembly.take($0, now: now).map { .heard($0) } }
        case .advertisingEnded?: state.isAdvertising = false
        case .other?: return []
        }
        return settle(now)
    }

    package var stopCommands: [[UInt8]] { hasAdvertised && !isStopped ? [HCICommand(.reset).h4] : [] }

    package var nextDeadline: Instant? {
        let answer = waiting.map { $0.since + HCIHost.patience }
        let full = fullSince.map { $0 + HCIHost.patience }
        let advertising = order.advertising.map { one in
            let slow = epochBegan + RadioOrder.Advertising.freshTime
            let turn = one.contents.count > 1 ? nextTurn : nil
            return [now < slow ? slow : nil, turn].compactMap { $0 }.min()
        }
        return [answer, full, mustReset ? rest?.end : nil, advertising ?? nil, phase.nextDeadline].compactMap
        { $0 }.min()
    }

    // MARK: Between

    private var turn: Int { Int(epochBegan.duration(to: now) / RadioOrder.Advertising.turn) }
    private var nextTurn: Instant { epochBegan + RadioOrder.Advertising.turn * (turn + 1) }

    private var plan: ControllerPlan {
        var plan = ControllerPlan(scan: phase.isPaused ? nil : order.scan)
        if let one = order.advertising {
            let isFresh = now < epochBegan + RadioOrder.Advertising.freshTime
            // A controller without the new form sends the plain data; a payload that does not fit is left out
            // whole.
            let isExtended = one.isExtended && state.hasExtended == true
            let fitting = one.contents.compactMap { isExtended ? $0.extended : $0.plain }
            if !fitting.isEmpty {
                plan.advertising = .init(
                    parameters: .init(
                        interval: isFresh
                            ? RadioOrder.Advertising.freshInterval : RadioOrder.Advertising.interval,
                        isExtended: isExtended),
                    epoch: one.epoch, data: fitting[turn % fitting.count])
            }
        }
        return plan
    }

    private mutating func answered(
        _ code: HCICommand.Code, status: UInt8, _ returned: ArraySlice<UInt8>, _ now: Instant
    ) {
        guard let waiting, waiting.code == code else { return }
        self.waiting = nil
        if status == 0 {
            waiting.step.apply(to: &state, returned: returned)
            if waiting.step == .reset { isStopped = isStopping }
            return
        }
        let reason = "the controller refused command \(code) with status \(String(status, radix: 16))"
        reset(after: reason, waiting.step, now)
        let length = rest.map { min($0.length * 2, .seconds(30)) } ?? .seconds(1)
        rest = (now + length, length)
    }

    /// Begins anew with a reset, and reports why. If the reset itself fails, it asks for a new transport.
    private mutating func reset(after reason: String, _ step: ControllerStep?, _ now: Instant) {
        fullSince = nil
        if step == .reset || isStopping {
            actions.append(.reopen(reason))
            return
        }
        mustReset = true
        for role in step?.role.map({ [$0] }) ?? Role.allCases {
            failed.insert(role)
            actions.append(.found(.failing, role, reason))
        }
    }

    private mutating func settle(_ now: Instant) -> [HostAction] {
        self.now = now
        phase.follow(order.scan, now: now, &random)
        step(now)
        defer { actions = [] }
        return actions
    }

    private mutating func step(_ now: Instant) {
        guard waiting == nil, !isStopped else { return }
        // A reset goes out even to a controller that accepts no commands.
        if mustReset, rest.map({ $0.end <= now }) ?? true {
            mustReset = false
            fullSince = nil
            send(.reset, now)
            return
        }
        guard !mustReset, fullSince == nil, !isStopping else { return }
        if let next = plan.nextStep(from: state, &random) {
            send(next, now)
        } else {
            for role in Role.allCases where failed.contains(role) {
                actions.append(.found(nil, role, "the controller works again"))
            }
            (failed, rest) = ([], nil)
        }
    }

    private mutating func send(_ step: ControllerStep, _ now: Instant) {
        if step == .enableAdvertising(true) { hasAdvertised = true }
        let command = step.command(isExtended: state.hasExtended == true)
        waiting = (step, command.code, now)
        actions.append(.send(command.h4))
    }
}
