extension EngineState {
    /// The registry has taken the report that was on its way.
    mutating func accept(_ answer: Answer, now: Instant) {
        guard let (report, sent) = schedule.inFlight else { return take(answer, now: now) }
        schedule.succeed()
        for id in report.published.keys { register(id, as: report.published[id].map { .publication($0) }) }
        for id in report.subscribed.keys { register(id, as: report.subscribed[id].map { .subscription($0) }) }
        neighbours.confirm(report.observations, reportedAt: sent)
        if !ended.isEmpty || (isOver && !report.isFarewell)
            || operations.values.contains(where: { !$0.isRegistered })
        {
            schedule.isUrgent = true
        }
        take(answer, now: now)
    }

    /// What was on its way is to be said again.
    mutating func reject(_ error: RegistryError, now: Instant) {
        guard let (report, _) = schedule.inFlight else { return }
        ended.formUnion(report.ended)
        schedule.fail(error, now: now, share: drawShare())
        askedTokens = []
        guard error == .unknownDevice else { return }
        neighbours.forgetReports()
        // They were given to the device that it has forgotten.
        wallet.giveUp(now: now)
        ended = []
        let end = now + settings.neighbourhood
        for id in Array(operations.keys) { operations[id]?.forgetRegistration(end) }
        stale = Set(operations.keys)
    }

    /// The registry knows this content of it.
    private mutating func register(_ id: OperationID, as kind: LiveOperation.Kind?) {
        guard let operation = operations[id], operation.kind == kind, !ended.contains(id) else { return }
        operations[id]?.registeredVersion = operation.version
        stale.insert(id)
    }

    mutating func take(_ answer: Answer, now: Instant) {
        take(answer.grants, now: now)
        neighbours.judge(valid: answer.valid, invalid: answer.invalid, now: now)
        for delivery in answer.deliveries { deliver(delivery) }
    }

    private mutating func take(_ grants: [Answer.Grant], now: Instant) {
        guard !grants.isEmpty, !isOver else { return }
        if wallet.isDue(at: now) { wallet.beginRotation() }
        let (shortest, longest) = (settings.rotation.lowerBound, settings.rotation.upperBound)
        let period = shortest + (longest - shortest) * drawShare()
        for grant in grants {
            wallet.take(grant, now: now, period: period)
            askedTokens.remove(grant.medium)
        }
    }

    /// 0 to 1.
    private mutating func drawShare() -> Double { Double(random.next() >> 11) * 0x1p-53 }

    private mutating func deliver(_ delivery: Answer.Delivery) {
        let (id, discovery) = (delivery.subscription, delivery.discovery)
        guard let operation = operations[id], case .subscription = operation.kind else { return }
        let known = operation.found[discovery.id]
        switch delivery.change {
        case .found, .updated:
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

    // MARK: What was heard

    mutating func note(_ sighting: Sighting, now: Instant) {
        guard directives.isLive(sighting.medium, .scan, at: now) else { return }
        switch sighting.payload {
        case .audioBytes(let bytes): note(bytes, sighting, now: now)
        case .token(let token):
            if wallet.isOwn(token) {
                selfCheck[sighting.medium]?.noteHeard()
            } else if neighbours.note(token, sighting, now: now) {
                schedule.isUrgent = true
            }
        }
    }

    /// Told once, and again when they have not been heard for a while.
    private mutating func note(_ bytes: AudioBytes, _ sighting: Sighting, now: Instant) {
        let isNew = heardBytes[bytes] == nil
        guard isNew ? heardBytes.count < EngineState.heardBytesLimit : true else { return }
        heardBytes[bytes] = now + settings.neighbourhood
        guard isNew else { return }
        for (id, operation) in operations.sorted(by: { $0.key < $1.key }) {
            guard case .subscription(let subscription) = operation.kind, subscription.filter.wantsAudioBytes,
                directives.isClaimed(sighting.medium, .scan, by: id)
            else { continue }
            actions.append(.deliver(.heardBytes(bytes), to: id))
        }
    }

    private static let heardBytesLimit = 1024
}
