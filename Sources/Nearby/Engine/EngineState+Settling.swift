extension EngineState {
    /// Updates everything that follows from the state, and returns the actions that are due.
    mutating func settle(_ now: Instant) -> [EngineAction] {
        if operationDeadline.map({ $0 <= now }) ?? false {
            expire(now: now)
            loseUnconfirmed(now: now)
            operationDeadline = operations.values.compactMap { $0.deadline }.min()
        }
        neighbours.sweep(now: now)
        heardFrames.sweep(now: now)
        forgetBytes(now: now)
        remakeDirectives()
        settleTokens(now: now)
        settleBeacons(now: now)
        assign(now: now)
        updateOperations()
        noteChanges(now: now)
        report(now: now)
        updateStatus()
        (stale, settled) = ([], now)
        defer { actions = [] }
        return actions
    }

    private mutating func forgetBytes(now: Instant) {
        for (id, heard) in heardBytes where heard.contains(where: { $0.value <= now }) {
            heardBytes[id] = heard.filter { $0.value > now }
        }
        if !sentBytes.isEmpty { sentBytes = sentBytes.filter { $0.value > now } }
    }

    private mutating func remakeDirectives() {
        for id in stale {
            guard let operation = operations[id] else { continue }
            directives.replace(
                id,
                with: operation.kind.looksForDevices
                    ? selection.directives(of: id, strategy: operation.strategy, end: operation.end) : [])
            remakeBeaconClaim(of: id)
            if let deadline = operation.deadline {
                operationDeadline = min(operationDeadline ?? deadline, deadline)
            }
            if case .publication(let publication) = operation.kind {
                bytesPublications[id] = publication.audioBytes
            }
        }
    }

    // MARK: Tokens

    /// Returns the media on which an operation that needs a token broadcasts.
    private func tokenMedia(now: Instant) -> Set<Medium> {
        Set(
            selection.conditions.keys.filter {
                directives.isLive($0, .broadcast, at: now) && needsToken(on: $0)
            })
    }

    /// Returns true if an operation needs a token on the medium. Bytes by sound need none.
    private func needsToken(on medium: Medium) -> Bool {
        operations.contains { id, operation in
            operation.kind.needsRegistry && directives.isClaimed(medium, .broadcast, by: id)
        }
    }

    /// Requests tokens where one is missing, and new tokens on all media when they have been on air for long
    /// enough.
    private mutating func settleTokens(now: Instant) {
        let media = tokenMedia(now: now)
        rotation.keep(media, now: now)
        let isHeartbeat = schedule.isHeartbeatDue(at: now)
        if isHeartbeat { askedTokens = [] }
        askedTokens.formIntersection(media)
        if !wantedTokens(of: media, now: now).isSubset(of: askedTokens) { schedule.isUrgent = true }
    }

    /// Returns all media or none: a new token beside an old one would reveal that both belong to one device.
    private func wantedTokens(of media: Set<Medium>, now: Instant) -> Set<Medium> {
        rotation.isDue(at: now) || media.contains { rotation.token(on: $0) == nil } ? media : []
    }

    // MARK: Media

    private mutating func assign(now: Instant) {
        for medium in selection.conditions.keys.ordered() {
            selection.crowd[medium] = neighbours.count(on: medium)
            let assignment = self.assignment(of: medium, now: now)
            let before = assignments[medium, default: .idle]
            guard assignment != before else { continue }
            for case .audioBytes(let bytes) in before.broadcast?.payloads ?? [] {
                sentBytes[bytes] = now + TokenRotation.echo
            }
            assignments[medium] = assignment
            if assignment.broadcast == nil { (selfCheck[medium], paces[medium]) = (nil, nil) }
            actions.append(.assign(assignment, to: medium))
        }
    }

    private func assignment(of medium: Medium, now: Instant) -> MediumAssignment {
        let modes = directives.modes(on: medium, at: now)
        var assignment = MediumAssignment(isScanning: modes.contains(.scan))
        if medium.traits.contains(.findsBeacons) { assignment.beacons = beaconScan }
        if modes.contains(.broadcast) { assignment.broadcast = broadcast(on: medium, modes, now: now) }
        // An idle assignment is the same in the foreground.
        assignment.isInBackground = isInBackground && assignment != .idle
        return assignment
    }

    private func broadcast(
        on medium: Medium, _ modes: Strategy.Mode, now: Instant
    ) -> MediumAssignment.Broadcast? {
        let payloads = payloads(on: medium)
        guard !payloads.isEmpty else { return nil }
        let reach = directives.reach(on: medium, .broadcast, at: now)
        return .init(
            payloads, cadence: selection.cadence(on: medium, mode: modes),
            profile: selection.profile(on: medium, reach: reach))
    }

    private func payloads(on medium: Medium) -> [Sighting.Payload] {
        var payloads = rotation.token(on: medium).map { [Sighting.Payload.token($0)] } ?? []
        if needsToken(on: medium) { payloads += sealedFrames[medium, default: []].map { .sealed($0) } }
        guard medium.traits.contains(.carriesBytes) else { return payloads }
        let bytes = bytesPublications.filter { directives.isClaimed(medium, .broadcast, by: $0.key) }
            .inOrder
        return payloads + bytes.map { .audioBytes($0.value) }
    }

    // MARK: Registry

    private mutating func report(now: Instant) {
        guard schedule.isDue(at: now, isAlive: isAlive) else { return }
        let report = makeReport(now: now)
        schedule.send(report, now: now)
        askedTokens = report.wantsTokens
        ended.subtract(report.ended)
        actions.append(.report(report))
    }

    private mutating func makeReport(now: Instant) -> Report {
        var report = Report()
        report.isComplete = schedule.isComplete
        report.unregisters = isOver
        // The next report names what exceeds the limit.
        report.ended = Set(ended.ordered().prefix(settings.operationsPerReport))
        for (id, operation) in operations.inOrder
        where report.isComplete || operation.mustBeSaid(at: now) {
            guard operation.kind.needsRegistry, permission == .granted,
                max(report.published.count, report.subscribed.count) < settings.operationsPerReport
            else { continue }
            operations[id]?.wasSaid = true
            switch operation.kind {
            case .publication(let publication): report.published[id] = publication
            case .subscription(let subscription): report.subscribed[id] = subscription
            }
        }
        (report.observations, report.observationsAreComplete) = neighbours.observations(now: now)
        report.heard = heardFrames.observations(now: now)
        report.wantsTokens = wantedTokens(of: tokenMedia(now: now), now: now)
        report.takesTokensAhead = settings.takesTokensAhead
        report.playing = playing(now: now)
        return report
    }

    // MARK: Status

    /// The refusal of the first operation that the registry does not take.
    private var refusal: RegistryError? {
        operations.filter { $0.value.refusal != nil }.min { $0.key < $1.key }?.value.refusal
            .map { .refused($0.why) }
    }

    private mutating func updateStatus() {
        var media: [Medium: EngineStatus.OnMedium] = [:]
        for (medium, condition) in selection.conditions {
            let assignment = assignments[medium, default: .idle]
            let isDeaf = (selfCheck[medium]?.unheardFrames ?? 0) >= settings.unheardFrames
            media[medium] = EngineStatus.OnMedium(
                condition: condition, isBroadcasting: assignment.broadcast != nil,
                isScanning: assignment.isScanning,
                isUnheard: isDeaf && condition.isReady && assignment.isScanning
                    && assignment.broadcast != nil,
                neighbours: selection.crowd[medium, default: 0])
        }
        let status = EngineStatus(
            permission: permission, isInBackground: isInBackground, media: media,
            registryError: schedule.error ?? refusal ?? beacons.querySchedule.error)
        guard status != self.status else { return }
        self.status = status
        actions.append(.status(status))
    }
}
