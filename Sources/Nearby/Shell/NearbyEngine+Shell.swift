import Logging

/// The connections between the engine's state and its media, its registry and its clock.
extension NearbyEngine {
    /// Starts to follow the media and the registry, once. The first operation calls this method; a call
    /// before it makes the media's conditions known (``statuses()``).
    public func listen() {
        guard listeners.isEmpty else { return }
        for (medium, driver) in media {
            let events = driver.events()
            listeners.append(
                Task { [weak self] in
                    for await event in events { await self?.happened(event, on: medium) }
                })
            let (orders, continuation) = AsyncStream.makeStream(of: MediumAssignment.self)
            self.orders[medium] = continuation
            messengers.append(Task { for await order in orders { await driver.carryOut(order) } })
        }
        let events = registry.events()
        listeners.append(Task { [weak self] in for await answer in events { await self?.notified(answer) } })
    }

    private func happened(_ event: MediumEvent, on medium: Medium) {
        trace?(.happened(event, on: medium))
        perform(state.happened(event, on: medium, now: step()))
    }

    private func notified(_ answer: Answer) {
        trace?(.notified(answer))
        perform(state.notified(answer, now: step()))
    }

    private func send(_ report: Report) async {
        do {
            let answer = try await registry.report(report)
            trace?(.answered(answer))
            perform(state.answered(answer, now: step()))
        } catch {
            log.warning("report", metadata: ["error": "\(error)"])
            trace?(.failed(error))
            perform(state.failed(error, now: step()))
        }
    }

    private func ask(_ question: BeaconQuery, _ beacons: (any BeaconRegistry)?) async {
        guard let beacons else { return }
        do {
            let known = try await beacons.attachments(for: question.ids, types: [question.filter])
            trace?(.notifiedOfBeacons(known))
            perform(state.beaconsAnswered(known, now: step()))
        } catch {
            if Task.isCancelled { return }
            log.warning("beacons", metadata: ["error": "\(error)"])
            trace?(.failed(error))
            perform(state.beaconsFailed(error, now: step()))
        }
    }

    func advance() { perform(state.advance(to: step())) }

    func perform(_ actions: [EngineAction]) {
        for action in actions { perform(action) }
        setAlarm()
    }

    private func perform(_ action: EngineAction) {
        trace?(.did(action))
        switch action {
        case .assign(let assignment, let medium):
            log.debug("assign", metadata: ["medium": "\(medium)", "assignment": "\(assignment.summary)"])
            orders[medium]?.yield(assignment)
        case .report(let report):
            log.debug("report", metadata: ["report": "\(report.summary)"])
            ending = Task { await send(report) }
        case .askBeacons(let question):
            log.debug("beacons", metadata: ["asked": "\(question.ids.count)", "for": "\(question.filter)"])
            asking = Task { [weak self, beacons] in await self?.ask(question, beacons) }
        case .deliver(let event, let id):
            readers[id]?.events?.yield(event)
            if event == .expired { readers[id]?.events?.finish() }
        case .operation(let status, let id):
            readers[id]?.status?(status)
            if status == .expired { close(id) }
        case .status(let status): for reader in statusReaders.values { reader.yield(status) }
        case .askPermission(let id): ask(id)
        }
    }

    /// Asks the user for permission, one question at a time.
    private func ask(_ id: OperationID) {
        guard !isAsking, let request = readers[id]?.askPermission ?? askPermission else { return }
        isAsking = true
        Task {
            let isGranted = await request()
            isAsking = false
            if let isGranted { setPermission(isGranted ? .granted : .denied) }
        }
    }
}
