extension EngineState {
    /// Takes the registry's answer to the report in flight.
    mutating func accept(_ answer: Answer, now: Instant) {
        guard let (report, sent) = schedule.inFlight else { return take(answer, now: now) }
        schedule.succeed()
        knownPlaying = report.playing
        for (id, one) in report.published { register(id, as: .publication(one), answer.refused[id], now) }
        for (id, one) in report.subscribed { register(id, as: .subscription(one), answer.refused[id], now) }
        neighbours.judge(report, answer, reportedAt: sent, now: now)
        if neighbours.hasUnreported(now: now) { schedule.noteSighting(now: now) }
        heardFrames.confirm(report.heard, reportedAt: sent)
        if !ended.isEmpty || (isOver && !report.unregisters)
            || operations.values.contains(where: { !$0.isRegistered })
        {
            schedule.isUrgent = true
        }
        take(answer, now: now)
    }

    /// Notes that the report in flight failed, so that its content is reported again.
    mutating func reject(_ error: RegistryError, now: Instant) {
        guard let (report, _) = schedule.inFlight else { return }
        ended.formUnion(report.ended)
        schedule.fail(error, now: now, random: &random)
        askedTokens = []
        let end = now + settings.neighbourhood
        switch error {
        case .rateLimited, .refused, .notReady: return
        case .unreachable: for id in Array(operations.keys) { operations[id]?.missAnswer(end) }
        case .unknownDevice:
            neighbours.forgetReports()
            heardFrames.forgetReports()
            sealedFrames = PerMedium()
            // The registry issued them to the device that it has forgotten.
            rotation.giveUp(now: now)
            ended = []
            for id in Array(operations.keys) { operations[id]?.forgetRegistration(end) }
        }
        stale = Set(operations.keys)
    }

    /// Notes that the registry knows the present content of an operation, or has refused it.
    private mutating func register(
        _ id: OperationID, as kind: LiveOperation.Kind, _ refusal: String?, _ now: Instant
    ) {
        guard let operation = operations[id], operation.kind == kind, !ended.contains(id) else { return }
        let retry = now + settings.retry.upperBound
        operations[id]?.settle(refusal: refusal, retry: retry)
        stale.insert(id)
    }

    mutating func take(_ answer: Answer, now: Instant) {
        take(answer.grants, now: now)
        if let keepAlive = answer.keepAlive { schedule.keepAlive = keepAlive }
        if let broadcasts = answer.broadcasts {
            sealedFrames = PerMedium()
            for (medium, frames) in broadcasts where !isOver { sealedFrames[medium] = frames }
        }
        for delivery in answer.deliveries { deliver(delivery, now: now) }
    }

    private mutating func take(_ grants: [Answer.Grant], now: Instant) {
        guard !grants.isEmpty, !isOver else { return }
        rotation.take(grants, now: now, period: random.nextDuration(in: settings.rotation))
        for grant in grants { askedTokens.remove(grant.medium) }
    }

    private mutating func deliver(_ delivery: Answer.Delivery, now: Instant) {
        let (id, discovery) = (delivery.subscription, delivery.discovery)
        // After a withdrawal, the registry continues to deliver until it knows of the withdrawal.
        guard permission == .granted, !ended.contains(id) else { return }
        guard let operation = operations[id], case .subscription = operation.kind, !operation.isOver(at: now)
        else { return }
        let known = operation.found[discovery.id]
        switch delivery.change {
        case .found, .updated:
            if known == nil, let former = operation.formerName(of: discovery.message),
                let find = operations[id]?.found.removeValue(forKey: former)
            {
                actions.append(.deliver(.lost(find.discovery), to: id))
            }
            operations[id]?.found[discovery.id] = LiveOperation.Find(discovery: discovery)
            if known == nil {
                actions.append(.deliver(.found(discovery), to: id))
            } else if known?.discovery != discovery {
                actions.append(.deliver(.updated(discovery), to: id))
            }
        case .lost:
            guard let known else { return }
            operations[id]?.found[discovery.id] = nil
            actions.append(.deliver(.lost(known.discovery), to: id))
        }
    }

    // MARK: Sightings

    mutating func note(_ sighting: Sighting, now: Instant) {
        guard directives.isLive(sighting.medium, .scan, at: now) else { return }
        switch sighting.payload {
        case .audioBytes(let bytes): note(bytes, sighting, now: now)
        case .sealed(let frame):
            if sealedFrames[sighting.medium]?.contains(frame) ?? false {
                selfCheck[sighting.medium]?.noteHeard()
            } else if takesFrames, heardFrames.note(frame, sighting, now: now) {
                schedule.noteSighting(now: now)
            }
        case .token(let token):
            if rotation.isOwn(token) {
                selfCheck[sighting.medium]?.noteHeard()
            } else if neighbours.note(token, sighting, isQuiet: schedule.isQuiet, now: now) {
                schedule.noteSighting(now: now)
            }
        }
    }

    /// Delivers bytes to each subscription once, and again when they have not been heard for a while.
    private mutating func note(_ bytes: AudioBytes, _ sighting: Sighting, now: Instant) {
        if isOwn(bytes, on: sighting.medium, now: now) {
            selfCheck[sighting.medium]?.noteHeard()
            return
        }
        for (id, operation) in operations.inOrder {
            guard case .subscription(let subscription) = operation.kind, subscription.filter.wantsAudioBytes,
                directives.isClaimed(sighting.medium, .scan, by: id), !operation.isOver(at: now)
            else { continue }
            let known = heardBytes[id]?[bytes]
            if sighting.isRenewal, known.map({ $0 <= now }) ?? true { continue }
            if known == nil, heardBytes[id, default: [:]].count >= EngineState.heardBytesLimit {
                // In a flood, the entry that would expire first is removed.
                heardBytes[id]!.min { $0.value < $1.value }.map { heardBytes[id]![$0.key] = nil }
            }
            heardBytes[id, default: [:]][bytes] = now + settings.neighbourhood
            if known.map({ $0 <= now }) ?? true { actions.append(.deliver(.heardBytes(bytes), to: id)) }
        }
    }

    /// Returns true if this device sends the bytes or has just sent them. The same bytes from another device
    /// cannot be distinguished.
    private func isOwn(_ bytes: AudioBytes, on medium: Medium, now: Instant) -> Bool {
        assignments[medium]?.broadcast?.payloads.contains(.audioBytes(bytes)) ?? false
            || sentBytes[bytes].map { $0 > now } ?? false
    }

    private static let heardBytesLimit = 1024
}
