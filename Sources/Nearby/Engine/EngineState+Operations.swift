extension EngineState {
    /// Checks all operations before any of them is applied. Throws: the first error found.
    func validate(_ batch: [Operation]) throws(NearbyError) {
        if isOver { throw .engineEnded }
        var named: Set<OperationID> = []
        for operation in batch {
            guard named.insert(operation.id).inserted else { throw .twiceInOneBatch(operation.id) }
            switch operation {
            case .publish(let id, let publication):
                try publication.validate()
                precondition(operations[id] == nil, "an operation's name is given once")
            case .subscribe(let id, let subscription):
                try subscription.validate()
                precondition(operations[id] == nil, "an operation's name is given once")
            case .republish(let id, _):
                guard case .publication = operations[id]?.kind else { throw .unknownOperation(id) }
            case .unpublish(let id), .unsubscribe(let id):
                guard operations[id] != nil else { throw .unknownOperation(id) }
            }
        }
    }

    mutating func apply(_ operation: Operation, now: Instant) {
        switch operation {
        case .publish(let id, let publication): begin(.publication(publication), id, now)
        case .subscribe(let id, let subscription): begin(.subscription(subscription), id, now)
        case .republish(let id, let message):
            operations[id]?.replaceContent(with: message)
            schedule.isUrgent = true
        case .unpublish(let id), .unsubscribe(let id): remove(id)
        }
        stale.insert(operation.id)
    }

    private mutating func begin(_ kind: LiveOperation.Kind, _ id: OperationID, _ now: Instant) {
        operations[id] = LiveOperation(kind, now: now)
        if kind.needsRegistry { schedule.isUrgent = true }
        if permission != .granted { actions.append(.askPermission(for: id)) }
    }

    /// Removes an operation, which gets no further event.
    mutating func remove(_ id: OperationID) {
        guard let operation = operations.removeValue(forKey: id) else { return }
        directives.remove(id)
        _ = beacons.claims.set(nil, for: id)
        (bytesPublications[id], heardBytes[id]) = (nil, nil)
        if operation.kind.needsRegistry {
            ended.insert(id)
            schedule.isUrgent = true
        }
    }

    /// Withdraws all operations from the registry, and loses all that was found, because the user no longer
    /// agrees.
    mutating func withdraw() {
        for (id, operation) in operations.inOrder {
            guard operation.kind.needsRegistry else { continue }
            if operation.wasSaid { ended.insert(id) }
            operations[id]?.registeredVersion = 0
            operations[id]?.wasSaid = false
            operations[id]?.found = [:]
            for (_, find) in operation.found.inOrder {
                actions.append(.deliver(.lost(find.discovery), to: id))
            }
        }
        schedule.isUrgent = !ended.isEmpty
    }

    mutating func expire(now: Instant) {
        let over = operations.filter { $0.value.end.map { $0 <= now } ?? false }
        for (id, operation) in over.inOrder {
            if case .subscription = operation.kind { actions.append(.deliver(.expired, to: id)) }
            actions.append(.operation(.expired, of: id))
            remove(id)
        }
    }

    /// Loses finds that the registry had forgotten, and did not deliver again in time.
    mutating func loseUnconfirmed(now: Instant) {
        for (id, operation) in operations.inOrder {
            for (publication, find) in operation.found.inOrder {
                guard let end = find.confirmedBy, end <= now else { continue }
                operations[id]?.found[publication] = nil
                actions.append(.deliver(.lost(find.discovery), to: id))
            }
        }
    }

    /// Reports the status of each operation whose status has changed.
    mutating func updateOperations() {
        for id in stale.ordered() {
            guard let operation = operations[id] else { continue }
            let status = self.status(of: operation)
            guard status != operation.status else { continue }
            operations[id]?.status = status
            actions.append(.operation(status, of: id))
        }
    }

    private func status(of operation: LiveOperation) -> OperationStatus {
        let strategy = operation.strategy
        var refusals: [Medium: StrategySelection.Refusal] = [:]
        for medium in operation.kind.looksForDevices ? strategy.media.ordered() : [] {
            for role in Role.allCases where strategy.mode.contains(role.mode) {
                guard let refusal = selection.refusal(of: strategy, on: medium, role) else {
                    return operation.isRegistered ? .active : .starting
                }
                refusals[medium] = refusals[medium] ?? refusal
            }
        }
        if let beacons = operation.kind.beacons {
            guard let refusal = selection.refusal(of: beacons) else { return .active }
            refusals[.ble] = refusals[.ble] ?? refusal
        }
        return .inactive(refusals)
    }
}
