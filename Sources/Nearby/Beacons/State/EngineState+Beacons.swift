extension EngineState {
    mutating func note(_ sighting: BeaconSighting, now: Instant) {
        guard beaconScan?.kinds.contains(sighting.id.kind) ?? false,
            sighting.age < beaconLoss
        else { return }
        let isNew = beacons.table.note(sighting, now: now)
        beacons.touched.insert(sighting.id)
        if isNew { beacons.querySchedule.isPending = beacons.hasRegistry }
    }

    /// The time after which a beacon that is not heard is lost.
    private var beaconLoss: Duration {
        isSparingForBeacons ? settings.sparingBeaconLoss : settings.beaconLoss
    }

    private var isSparingForBeacons: Bool { beaconScan?.isSparing ?? false }

    /// The combined scan for beacons on BLE, or `nil` if none is wanted.
    var beaconScan: BeaconScan? {
        selection.scan(for: beacons.claims.strategies)
    }

    /// Updates the claim of an operation on beacons: it has none while anything forbids the search.
    mutating func remakeBeaconClaim(of id: OperationID) {
        var claim: BeaconClaims.Claim?
        if case .subscription(let subscription)? = operations[id]?.kind, let strategy = subscription.beacons,
            selection.isClaimed(by: strategy)
        {
            claim = BeaconClaims.Claim(
                strategy: strategy,
                filter: BeaconFilter(subscription.filter, hasRegistry: beacons.hasRegistry))
        }
        if beacons.claims.set(claim, for: id) { beacons.changed.insert(id) }
    }

    // MARK: Settling

    mutating func settleBeacons(now: Instant) {
        for id in beacons.changed where beacons.claims[id] == nil { loseAllBeacons(of: id) }
        if beacons.claims.isEmpty {
            beacons.table.forgetAll()
            beacons.querySchedule.isPending = false
            beacons.querySchedule.forgetError()
        } else if !beacons.changed.isEmpty {
            beacons.querySchedule.isPending = beacons.hasRegistry
        }
        let isSwept = beacons.sweep(unheardFor: beaconLoss, now: now)
        if isSwept || !(beacons.changed.isEmpty && beacons.touched.isEmpty && beacons.answered.isEmpty) {
            for (id, claim) in beacons.claims.claims.inOrder {
                let isNew = beacons.changed.contains(id)
                for beacon in isNew ? Set(beacons.table.heard.keys) : beacons.touched.union(beacons.answered)
                {
                    tell(id, claim, of: beacon)
                }
                loseBeacons(of: id, claim, now: now, isSwept: isSwept)
            }
            beacons.hasFinds = operations.values.contains { !$0.beaconFinds.isEmpty }
        }
        (beacons.changed, beacons.touched, beacons.answered) = ([], [], [])
        askAboutBeacons(now: now)
    }

    /// Returns the messages of a beacon that the subscription wants, with their distance limits.
    private func messages(
        of id: AdvertisedID, for claim: BeaconClaims.Claim
    ) -> [PublicationID: (message: Message, limitMeters: Double)] {
        var messages: [PublicationID: (message: Message, limitMeters: Double)] = [:]
        guard claim.strategy.kinds.contains(id.kind) else { return messages }
        if claim.filter.rawKinds.contains(id.kind), let message = RawBeacon.message(id) {
            messages[PublicationID(of: message, beacon: "")] = (message, 0)
        }
        for (filter, types) in claim.filter.questions {
            guard let beacon = beacons.answers[filter, id] else { continue }
            for attachment in beacon.attachments where types.contains(attachment.type.type) {
                guard let message = attachment.message else { continue }
                messages[PublicationID(of: message, beacon: beacon.name)] = (
                    message, attachment.maximumDistanceMeters
                )
            }
        }
        return messages
    }

    private mutating func tell(_ id: OperationID, _ claim: BeaconClaims.Claim, of beacon: AdvertisedID) {
        guard let heard = beacons.table.heard[beacon] else { return }
        for (name, one) in messages(of: beacon, for: claim).inOrder {
            // A subscription on a device that is too far away is not notified, as if the beacon were not
            // heard.
            if one.limitMeters > 0, heard.reading.meters.map({ $0 > one.limitMeters }) ?? true { continue }
            let known = operations[id]?.beaconFinds[name]
            var find = BeaconFind(
                discovery: Discovery(id: name, message: one.message, beacon: heard.reading), id: beacon,
                lastSeen: max(heard.lastSeen, known?.lastSeen ?? heard.lastSeen))
            if let known {
                if heard.reading.differsNoticeably(from: known.discovery.beacon ?? heard.reading) {
                    actions.append(.deliver(.updated(find.discovery), to: id))
                } else {
                    find.discovery = known.discovery
                }
            } else {
                actions.append(.deliver(.found(find.discovery), to: id))
            }
            operations[id]?.beaconFinds[name] = find
        }
    }

    /// Reports the loss of beacons that were not heard for too long, and of attachments that the registry has
    /// withdrawn.
    private mutating func loseBeacons(
        of id: OperationID, _ claim: BeaconClaims.Claim, now: Instant, isSwept: Bool
    ) {
        guard let finds = operations[id]?.beaconFinds, !finds.isEmpty else { return }
        let isChanged = beacons.changed.contains(id)
        for (name, find) in finds.inOrder {
            let isUnheard = isSwept && find.lastSeen + beaconLoss <= now
            let mayBeGone = isChanged || beacons.answered.contains(find.id)
            guard isUnheard || (mayBeGone && messages(of: find.id, for: claim)[name] == nil) else { continue }
            operations[id]?.beaconFinds[name] = nil
            actions.append(.deliver(.lost(find.discovery), to: id))
        }
    }

    /// Reports the loss of all beacons of a subscription that no longer looks for them.
    private mutating func loseAllBeacons(of id: OperationID) {
        guard let finds = operations[id]?.beaconFinds else { return }
        operations[id]?.beaconFinds = [:]
        for (_, find) in finds.inOrder {
            actions.append(.deliver(.lost(find.discovery), to: id))
        }
    }

    // MARK: The registry

    private mutating func askAboutBeacons(now: Instant) {
        guard beacons.querySchedule.isDue(at: now) else { return }
        for (filter, kinds) in beacons.querySchedule.inTurn(beacons.claims.questions) {
            let ids = beacons.table.heard.filter {
                kinds.contains($0.key.kind) && beacons.answers.mustAsk(filter, $0.key, now: now)
            }
            guard !ids.isEmpty else { continue }
            // When there are too many, beacons that are certainly there come first.
            let some =
                ids.count <= BeaconQuerySchedule.batchLimit
                ? Set(ids.keys)
                : Set(
                    ids.ordered { $0.value.isSteady && !$1.value.isSteady }.prefix(
                        BeaconQuerySchedule.batchLimit
                    )
                    .map { $0.key })
            let question = BeaconQuery(some, filter)
            beacons.querySchedule.ask(question, now: now)
            actions.append(.askBeacons(question))
            return
        }
        beacons.querySchedule.isPending = false
    }

    /// Takes a beacon registry's answer to the query in flight.
    public mutating func beaconsAnswered(_ known: [KnownBeacon], now: Instant) -> [EngineAction] {
        if let question = beacons.querySchedule.inFlight {
            beacons.querySchedule.succeed()
            beacons.answers.take(known, to: question, now: now)
            beacons.answered.formUnion(question.ids)
        }
        return settle(now)
    }

    /// Notes that the query in flight failed; the engine repeats it.
    public mutating func beaconsFailed(_ error: RegistryError, now: Instant) -> [EngineAction] {
        if beacons.querySchedule.inFlight != nil {
            beacons.querySchedule.fail(error, now: now, random: &random)
        }
        return settle(now)
    }
}

extension BeaconAttachment {
    /// The attachment as a message, or `nil` if no such message is allowed.
    fileprivate var message: Message? {
        do { return try Message(content, type: type.type, namespace: type.namespace) } catch { return nil }
    }
}

extension PublicationID {
    /// Hashes an attachment with its beacon's name (FNV-1a, 64 bits), so that a beacon that changes its id
    /// keeps the publication id.
    fileprivate init(of message: Message, beacon: String) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for text in [beacon, message.namespace, message.type] {
            for byte in text.utf8 { add(byte) }
            // A separator that is not a byte of UTF-8.
            add(0xFF)
        }
        for byte in message.content { add(byte) }
        self.init(bits: hash)
    }
}
