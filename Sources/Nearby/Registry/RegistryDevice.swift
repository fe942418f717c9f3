extension RegistryState {
    /// The state of one device in the registry.
    struct Device: Sendable {
        struct Published: Sendable {
            var id: PublicationID
            var message: Message
            var strategy: Strategy
            /// The time at which the publication expires, or `nil` if it has no time to live.
            var end: Instant?
        }

        struct Subscribed: Sendable {
            var filter: MessageFilter
            var strategy: Strategy
            /// The publications that the subscription was notified of, with their publishers.
            var found: [PublicationID: (publisher: DeviceID, discovery: Discovery)] = [:]

            /// Updates what it has found of one publisher, and appends the changes.
            mutating func find(
                _ offered: SortedMap<OperationID, Published>, of publisher: DeviceID, hearings: [Hearing],
                as id: OperationID, _ deliveries: inout [Answer.Delivery]
            ) {
                var matching: [Discovery] = []
                for (_, one) in offered.inOrder
                where filter.matches(one.message) && Device.areNear(one, strategy, publisher, hearings) {
                    matching.append(Discovery(id: one.id, message: one.message))
                }
                matching = matching.ordered { $0.id < $1.id }
                for name in gone(of: publisher, but: matching) {
                    deliveries.append(.init(.lost, found.removeValue(forKey: name)!.discovery, to: id))
                }
                for discovery in matching {
                    let known = found.updateValue((publisher, discovery), forKey: discovery.id)?.discovery
                    guard known != discovery else { continue }
                    deliveries.append(.init(known == nil ? .found : .updated, discovery, to: id))
                }
            }

            /// Returns what it has found of a publisher, except these.
            private func gone(of publisher: DeviceID, but matching: [Discovery]) -> [PublicationID] {
                var gone: [PublicationID] = []
                for (name, one) in found
                where one.publisher == publisher && !matching.contains(where: { $0.id == name }) {
                    gone.append(name)
                }
                return gone.ordered()
            }
        }

        var lastReport: Instant
        /// True while a stream of notifications to the device is open, which shows that it is there.
        var isStreaming = false
        /// True if the device's last report named all that it hears.
        var namesAllItHears = false
        /// True if the device was asked to report, and has not done so.
        var isInDoubt = false
        /// The number by which its sealed tokens name the device; `nil` if it has had none.
        var handle: TokenHandle?
        /// The turn in which it has a sealed token now, or of the last one that was named.
        var turn: SealedTokens.Turn?
        /// True if the device takes tokens for later.
        var takesTokensAhead = false
        /// The end of the last sealed token that the device may have, on each medium.
        var ahead = PerMedium<Instant>()
        /// The time at which the device gets its next tokens unasked; `nil` if it gets none.
        var refill: Instant?
        /// The media on which the device broadcasts, with the time from one frame to the next, as it last
        /// reported.
        var playing = PerMedium<Duration>()
        /// The time for which the registry has queued the next check for expired publications.
        var queuedEnd: Instant?
        private(set) var publications = SortedMap<OperationID, Published>()
        private var subscriptions = SortedMap<OperationID, Subscribed>()

        init(lastReport: Instant) { self.lastReport = lastReport }

        /// The time at which the first of its tokens ends, if it takes them ahead; `nil` if it does not, or
        /// broadcasts nothing.
        var endOfTokensAhead: Instant? {
            takesTokensAhead ? playing.inOrder.compactMap { ahead[$0.key] }.min() : nil
        }

        /// The device's publications and subscriptions, without what was found.
        var record: DeviceRecord {
            var record = DeviceRecord()
            for (id, one) in publications.inOrder {
                record.published[id] = DeviceRecord.Published(
                    name: one.id, message: one.message, strategy: one.strategy)
            }
            for (id, one) in subscriptions.inOrder {
                record.subscribed[id] = Subscription(one.filter, strategy: one.strategy)
            }
            return record
        }

        mutating func take(_ record: DeviceRecord, now: Instant) {
            (publications, subscriptions) = (SortedMap(), SortedMap())
            for (id, one) in record.published {
                publications[id] = Published(
                    id: one.name, message: one.message, strategy: one.strategy,
                    end: one.strategy.timeToLive.map { now + $0 })
            }
            for (id, one) in record.subscribed {
                subscriptions[id] = Subscribed(filter: one.filter, strategy: one.strategy)
            }
        }

        /// Notes what a report says of the device itself.
        mutating func note(_ report: Report, now: Instant) {
            (lastReport, isInDoubt) = (now, false)
            namesAllItHears = report.observationsAreComplete
            takesTokensAhead = report.takesTokensAhead
            playing = PerMedium()
            for one in report.playing { playing[one.medium] = one.period }
        }

        /// The kinds of operations that are to be matched anew.
        struct Changes: OptionSet {
            let rawValue: UInt8

            static let publications = Changes(rawValue: 1)
            static let subscriptions = Changes(rawValue: 2)
        }

        /// Takes a report's publications and subscriptions. Returns which of the two may have changed.
        mutating func take(
            _ report: Report, now: Instant, random: inout some RandomNumberGenerator
        ) -> Changes {
            if report.isComplete {
                publications.removeAll { id, _ in report.published[id] == nil }
                subscriptions.removeAll { id, _ in report.subscribed[id] == nil }
            }
            for id in report.ended { (publications[id], subscriptions[id]) = (nil, nil) }
            for (id, publication) in report.published.inOrder {
                guard let message = publication.message else { continue }
                let name = publications[id]?.id ?? PublicationID(bits: random.next())
                publications[id] = Published(
                    id: name, message: message, strategy: publication.strategy,
                    end: publication.strategy.timeToLive.map { now + $0 })
            }
            for (id, subscription) in report.subscribed {
                // A subscription that is reported again is notified again: the former answer may not have
                // arrived.
                subscriptions[id] = Subscribed(filter: subscription.filter, strategy: subscription.strategy)
            }
            var changes: Changes = []
            if report.isComplete || !report.ended.isEmpty { changes = [.publications, .subscriptions] }
            if !report.published.isEmpty { changes.insert(.publications) }
            if !report.subscribed.isEmpty { changes.insert(.subscriptions) }
            return changes
        }

        /// Returns the time at which the device has left, unless it shows by then that it is there.
        func lifeEnd(_ settings: RegistrySettings, now: Instant) -> Instant {
            (isStreaming ? now : lastReport) + settings.deviceLife
        }

        /// Updates what each subscription has found of one publisher, and appends the changes.
        mutating func find(
            _ offered: SortedMap<OperationID, Published>, of publisher: DeviceID, hearings: [Hearing],
            _ deliveries: inout [Answer.Delivery]
        ) {
            subscriptions.update { id, subscription in
                subscription.find(offered, of: publisher, hearings: hearings, as: id, &deliveries)
            }
        }

        /// Returns true if one of the devices hears the other on a medium and in a direction that both
        /// strategies ask for. If either strategy is mutual, each device must hear the other.
        fileprivate static func areNear(
            _ publication: Published, _ strategy: Strategy, _ publisher: DeviceID, _ hearings: [Hearing]
        ) -> Bool {
            func counts(_ hearing: Hearing) -> Bool {
                let publishes = hearing.speaker == publisher
                let (speaker, listener) =
                    publishes ? (publication.strategy, strategy) : (strategy, publication.strategy)
                return speaker.counts(hearing.medium) && speaker.mode.contains(.broadcast)
                    && listener.counts(hearing.medium) && listener.mode.contains(.scan)
            }
            guard publication.strategy.isMutual || strategy.isMutual else {
                return hearings.contains(where: counts)
            }
            return Set(hearings.filter(counts).map { $0.speaker }).count == 2
        }

        // MARK: Expiry

        /// The time at which the first publication expires, or `nil` if none does.
        var nextEnd: Instant? { publications.values.compactMap { $0.end }.min() }

        /// Removes the publications that have expired. Returns true if there was any.
        mutating func expire(now: Instant) -> Bool {
            let before = publications.count
            publications.removeAll { _, one in one.end.map { $0 <= now } ?? false }
            return publications.count < before
        }
    }
}
