import Nearby
import NearbyWire

/// One project: its devices, what they say, and what they are to be told. A value: no clock, no wires, no store.
///
///     secret ─→ Member ─→ RegistryState ─→ answers, and news into mailboxes
struct ProjectState: Sendable {
    struct Member: Sendable {
        let device: RegistryState.DeviceID
        /// The API key it came with.
        let key: KeyID
        var mailbox: Mailbox
        /// It was told something that it may not have, before this service began.
        var isRestored = false
        var reports = Budget()
        var invalid = Budget()
        /// When it last named a token that was none.
        var lastInvalid: Instant?
        var operations = Operations()
        /// Of the last report that was taken.
        var number: Int64?
    }

    /// What a device offers, to keep it within its bounds.
    struct Operations: Sendable {
        private(set) var contentBytes: [OperationID: Int] = [:]
        private(set) var subscriptions: Set<OperationID> = []

        init() {}

        init(_ record: DeviceRecord) {
            contentBytes = record.published.mapValues { $0.message.content.count }
            subscriptions = Set(record.subscribed.keys)
        }

        func after(_ report: Report) -> Operations {
            guard report.changesRecord else { return self }
            var next = report.isComplete ? Operations() : self
            for id in report.ended {
                next.contentBytes[id] = nil
                next.subscriptions.remove(id)
            }
            for (id, publication) in report.published {
                next.contentBytes[id] = publication.message?.content.count
            }
            next.subscriptions.formUnion(report.subscribed.keys)
            return next
        }
    }

    /// What follows from a step.
    struct Effects: Sendable {
        /// Whose mailbox has something new.
        var told: Set<SecretHash> = []
        /// Of whom the store must know.
        var changed: Set<SecretHash> = []
        var departed: Set<SecretHash> = []

        var isStoreConcerned: Bool { !changed.isEmpty || !departed.isEmpty }
    }

    struct Reply: Sendable {
        var answer: Answer
        /// Nil after a farewell.
        var mailbox: Mailbox?
        /// Tokens that somebody may carry elsewhere; each is told once.
        var suspects: [Token] = []
    }

    let settings: ServiceSettings
    private var registry: RegistryState
    private var random: any RandomNumberGenerator & Sendable
    private(set) var members: [SecretHash: Member] = [:]
    private var secrets: [RegistryState.DeviceID: SecretHash] = [:]
    private var reports = Budget()
    private var invalid = Budget()
    private var registrations = Budget()
    private var relays = RelayWatch()
    private(set) var counts = ServiceCounts()

    init(settings: ServiceSettings, random: any RandomNumberGenerator & Sendable) {
        (self.settings, self.random) = (settings, random)
        registry = RegistryState(settings: settings.registry, random: random)
    }

    var nextDeadline: Instant? { registry.nextDeadline }

    // MARK: Who is here

    /// Throws: `.tooMuch`.
    mutating func register(
        _ secret: SecretHash, key: KeyID, now: Instant
    ) throws(ServiceRefusal) {
        if let wait = registrations.wait(for: 1, settings.registrationsPerProject, now: now) {
            throw .tooMuch(.registrationsOfProject, retryAfter: wait)
        }
        guard members.count < settings.devicesPerProject else {
            throw .tooMuch(.devicesOfProject, retryAfter: .seconds(30))
        }
        registrations.spend(1, settings.registrationsPerProject, now: now)
        admit(secret, registry.join(now: now), key)
        counts.registrations += 1
    }

    /// One that was known before this service began.
    mutating func restore(_ stored: StoredDevice, now: Instant) {
        let device = registry.restore(stored.record, now: now)
        admit(stored.secret, device, stored.key)
        members[stored.secret]!.isRestored = true
        members[stored.secret]!.operations = Operations(stored.record)
    }

    private mutating func admit(_ secret: SecretHash, _ device: RegistryState.DeviceID, _ key: KeyID) {
        members[secret] = Member(device: device, key: key, mailbox: Mailbox(random: &random))
        secrets[device] = secret
    }

    /// Those that came with a key that is no more are gone.
    mutating func keep(_ keys: Set<KeyID>) -> Effects {
        var effects = Effects()
        for member in members.values where !keys.contains(member.key) {
            post(registry.expel(member.device), &effects)
        }
        return effects
    }

    /// What the store must know of a device; nil when it is gone.
    func stored(_ secret: SecretHash) -> StoredDevice? {
        guard let member = members[secret], let record = registry.record(of: member.device) else {
            return nil
        }
        return StoredDevice(secret: secret, key: member.key, record: record)
    }

    // MARK: What they say

    /// Takes all of a report, or nothing.
    ///
    /// - Parameters:
    ///   - number: the same one may come twice, a lower one says what is no longer so; nil: its device does not count.
    ///   - network: ``RelayWatch/network(_:)`` of where it comes from.
    mutating func report(
        _ report: Report, number: Int64? = nil, mailbox: String?, takenNews: Int64?, from secret: SecretHash,
        network: Int = 0, now: Instant
    ) throws(ServiceRefusal) -> (Reply, Effects) {
        guard let member = members[secret] else { throw .unknown }
        if let number, let last = member.number, number < last { throw .incomplete }
        let allowance = try spend(report, secret, now)
        let operations = members[secret]!.operations.after(report)
        try check(report, operations)
        try settleMailbox(of: secret, mailbox, takenNews, isComplete: report.isComplete || report.isFarewell)

        var effects = Effects()
        var answer: Answer
        let news: RegistryState.News
        do throws(RegistryError) {
            (answer, news) = try registry.report(
                report, from: members[secret]!.device, invalidAllowance: allowance, now: now)
        } catch {
            throw .unknown
        }
        counts.note(report, answer)
        note(answer.invalid.count, secret, now)
        members[secret]!.mailbox.add(answer.deliveries)
        answer.deliveries = []
        if report.changesRecord || !answer.grants.isEmpty { effects.changed.insert(secret) }
        members[secret]!.operations = operations
        if let number { members[secret]!.number = number }
        post(news, &effects)
        let suspects = answer.valid.filter {
            relays.note($0, by: secret, network: network, settings: settings, now: now)
        }
        counts.suspectTokens += suspects.count
        return (
            Reply(answer: answer, mailbox: members[secret]?.mailbox, suspects: Array(suspects)), effects
        )
    }

    mutating func advance(to now: Instant) -> Effects {
        var effects = Effects()
        post(registry.advance(to: now), &effects)
        return effects
    }

    private mutating func settleMailbox(
        of secret: SecretHash, _ name: String?, _ taken: Int64?, isComplete: Bool
    ) throws(ServiceRefusal) {
        let mailbox = members[secret]!.mailbox
        if mailbox.name == name {
            if let taken { members[secret]!.mailbox.take(upTo: taken) }
            return
        }
        let isFresh = name == nil && mailbox.last == 0 && !members[secret]!.isRestored
        guard isFresh || isComplete else { throw .incomplete }
        if !isFresh { members[secret]!.mailbox = Mailbox(random: &random) }
        members[secret]!.isRestored = false
    }

    /// Into mailboxes. Who does not fetch its news for so long that they are too many must say everything anew.
    private mutating func post(_ news: RegistryState.News, _ effects: inout Effects) {
        for (device, answer) in news.answers where !answer.deliveries.isEmpty {
            guard let secret = secrets[device] else { continue }
            members[secret]!.mailbox.add(answer.deliveries)
            counts.deliveries += answer.deliveries.count
            if members[secret]!.mailbox.pending.count > settings.newsPerDevice {
                members[secret]!.mailbox = Mailbox(random: &random)
                members[secret]!.isRestored = true
            }
            effects.told.insert(secret)
        }
        for device in news.departed {
            guard let secret = secrets.removeValue(forKey: device) else { continue }
            members[secret] = nil
            effects.departed.insert(secret)
            effects.changed.remove(secret)
            effects.told.remove(secret)
        }
    }
}

// MARK: Bounds

extension ProjectState {
    /// Returns how many invalid tokens the report may name. Throws: `.tooMuch`.
    private mutating func spend(
        _ report: Report, _ secret: SecretHash, _ now: Instant
    ) throws(ServiceRefusal) -> Int {
        let allowance = invalidAllowance(secret, now)
        let waits: [(ServiceLimit, Duration?)] = [
            (.reportsOfDevice, members[secret]!.reports.wait(for: 1, settings.reportsPerDevice, now: now)),
            (.reportsOfProject, reports.wait(for: 1, settings.reportsPerProject, now: now)),
            (
                .invalidTokens,
                report.observations.isEmpty || allowance > 0
                    ? nil
                    : members[secret]!.invalid.wait(for: 1, settings.invalidPerDevice, now: now)
                        ?? .seconds(5)
            ),
        ]
        if let (limit, wait) = waits.max(by: { $0.1 ?? .zero < $1.1 ?? .zero }), let wait {
            counts.refusals += 1
            throw .tooMuch(limit, retryAfter: wait)
        }
        members[secret]!.reports.spend(1, settings.reportsPerDevice, now: now)
        reports.spend(1, settings.reportsPerProject, now: now)
        return allowance
    }

    /// When a whole project has named too many, those whose tokens were all valid for long may name one: an attacker cannot
    /// stop them.
    private mutating func invalidAllowance(_ secret: SecretHash, _ now: Instant) -> Int {
        let own = Int(members[secret]!.invalid.left(settings.invalidPerDevice, now: now))
        let all = Int(max(0, invalid.left(settings.invalidPerProject, now: now)))
        let isClean = members[secret]!.lastInvalid.map { $0 + settings.cleanAfter < now } ?? true
        return min(own, max(all, isClean ? 1 : 0))
    }

    private mutating func note(_ invalidCount: Int, _ secret: SecretHash, _ now: Instant) {
        guard invalidCount > 0, members[secret] != nil else { return }
        members[secret]!.lastInvalid = now
        members[secret]!.invalid.spend(Double(invalidCount), settings.invalidPerDevice, now: now)
        invalid.spend(Double(invalidCount), settings.invalidPerProject, now: now)
    }

    /// Throws: `.malformed`.
    private func check(_ report: Report, _ operations: Operations) throws(ServiceRefusal) {
        let lists = [
            ("publish", report.published.count), ("subscribe", report.subscribed.count),
            ("end", report.ended.count), ("observations", report.observations.count),
            ("playing", report.playing.count),
        ]
        for (name, count) in lists where count > settings.longestList {
            throw .malformed("\(name): at most \(settings.longestList) a report, not \(count)")
        }
        guard
            max(operations.contentBytes.count, operations.subscriptions.count) <= settings.operationsPerDevice
        else {
            throw .overLimit(
                "a device has at most \(settings.operationsPerDevice) publications or subscriptions")
        }
        guard operations.contentBytes.values.reduce(0, +) <= settings.contentBytesPerDevice else {
            throw .overLimit("a device publishes at most \(settings.contentBytesPerDevice) bytes in all")
        }
    }
}

extension Report {
    /// Whether it publishes, subscribes or ends anything.
    var changesRecord: Bool {
        isComplete || !published.isEmpty || !subscribed.isEmpty || !ended.isEmpty
    }
}
