import Nearby
import Testing

/// A model of the actions that are allowed for a device, derived from its inputs alone. The engine's actions
/// are checked against it.
struct EngineMirror {
    struct Live {
        var strategy: Strategy
        var isSubscription: Bool
        var end: Instant?
        /// The bytes that a publication sends by sound unchanged.
        var bytes: AudioBytes?
        var wantsBytes = false
        var looksForDevices = true
        /// The strategy for finding beacons.
        var beacons: BeaconStrategy?
        var filter = MessageFilter([])
    }

    var permission = Permission.undecided
    var isInBackground = false
    var conditions: [Medium: MediumCondition] = [:]
    var live: [OperationID: Live] = [:]
    private(set) var assignments: [Medium: MediumAssignment] = [:]
    private(set) var found: [OperationID: [PublicationID: Discovery]] = [:]
    private var grants: [Medium: [(token: Token, start: Instant, end: Instant)]] = [:]
    var inFlight: Report?
    var question: BeaconQuery?
    /// The beacons that were heard while they were looked for, each with the time when it was last heard.
    private(set) var heard: [AdvertisedID: Instant] = [:]
    private(set) var isEnded = false
    private var told: [OperationID: [AudioBytes: Instant]] = [:]
    private(set) var violations: [String] = []

    mutating func end(_ id: OperationID) {
        live[id] = nil
        found[id] = nil
        told[id] = nil
    }

    /// Notes that the engine itself ends.
    mutating func end() {
        isEnded = true
        (live, found, told) = ([:], [:], [:])
    }

    mutating func granted(_ answer: Answer, now: Instant) {
        for (medium, list) in Dictionary(grouping: answer.grants, by: \.medium) {
            grants[medium] = list.map { ($0.token, now + $0.startsIn, now + $0.timeToLive) }
        }
    }

    /// Returns true if a live operation asks for this and nothing forbids it.
    private func isWanted(_ medium: Medium, _ role: Role, now: Instant) -> Bool {
        guard permission == .granted, let condition = conditions[medium], condition[role] != .missing
        else { return false }
        return live.values.contains {
            $0.looksForDevices && $0.strategy.media.contains(medium) && $0.strategy.mode.contains(role.mode)
                && (!isInBackground || ($0.strategy.allowInBackground && medium == .ble))
                && ($0.end.map { $0 > now } ?? true)
        }
    }

    mutating func take(_ actions: [EngineAction], now: Instant) {
        let before = assignments.compactMapValues { $0.broadcast?.token }
        for action in actions { take(action, now: now) }
        let after = assignments.compactMapValues { $0.broadcast?.token }
        let both = before.filter { after[$0.key] != nil }
        let changed = both.filter { after[$0.key] != $0.value }
        if !changed.isEmpty && changed.count < both.count { violations.append("one token changed alone") }
        if permission != .granted && found.values.contains(where: { !$0.isEmpty }) {
            violations.append("knows of others without the user's consent")
        }
        for medium in Medium.allCases { check(medium, now: now) }
        for (id, one) in live where one.end.map({ $0 <= now }) ?? false {
            violations.append("\(id) outlives its time")
        }
    }

    private mutating func take(_ action: EngineAction, now: Instant) {
        switch action {
        case .assign(let assignment, let medium): assignments[medium] = assignment
        case .report(let report):
            if inFlight != nil { violations.append("two reports at once") }
            inFlight = report
            if isEnded != report.unregisters {
                violations.append("it unregistered at the wrong time, or not at all")
            }
            if permission != .granted && !(report.published.isEmpty && report.subscribed.isEmpty) {
                violations.append("told the registry without the user's consent")
            }
        case .askBeacons(let next):
            if question != nil { violations.append("two questions about beacons at once") }
            question = next
            if next.ids.count > 256 || next.ids.isEmpty {
                violations.append("a question of \(next.ids.count) beacons")
            }
            if permission != .granted { violations.append("asked without the user's consent") }
            for id in next.ids where heard[id] == nil {
                violations.append("asked about \(id), which nobody heard")
            }
        case .deliver(let event, let id):
            guard live[id]?.isSubscription == true else {
                return violations.append("told after its end: \(id)")
            }
            note(event, id, now: now)
        case .operation(.expired, let id):
            if live[id]?.end.map({ $0 <= now }) != true { violations.append("\(id) expired early") }
            end(id)
        case .operation(_, let id), .askPermission(let id):
            if live[id] == nil { violations.append("status after its end: \(id)") }
        case .status: break
        }
    }

    private mutating func note(_ event: SubscriptionEvent, _ id: OperationID, now: Instant) {
        switch event {
        case .found(let one):
            if found[id, default: [:]].updateValue(one, forKey: one.id) != nil {
                violations.append("found twice")
            }
            checkBeacon(one, id)
        case .updated(let one):
            if found[id, default: [:]].updateValue(one, forKey: one.id) == one {
                violations.append("updated to the same")
            }
            checkBeacon(one, id)
        case .lost(let one):
            if found[id]?.removeValue(forKey: one.id) == nil { violations.append("lost, not found before") }
        case .heardBytes(let bytes):
            let last = told[id, default: [:]].updateValue(now, forKey: bytes)
            if let last, last + EngineSettings.standard.neighbourhood > now {
                violations.append("bytes told twice")
            }
            if live[id]?.wantsBytes != true { violations.append("bytes that are not wanted") }
            if live[id]?.end.map({ $0 <= now }) ?? false { violations.append("bytes after its time") }
            if live.values.contains(where: { $0.bytes == bytes }) && !isInBackground && permission == .granted
                && conditions[.audio]?.broadcast == nil
            {
                violations.append("own bytes")
            }
        case .expired: break
        }
    }

    // MARK: Beacons

    mutating func hear(_ id: AdvertisedID, now: Instant) {
        guard assignments[.ble]?.beacons?.kinds.contains(id.kind) ?? false else { return }
        heard[id] = now
    }

    /// Returns the operations that look for beacons and are allowed to.
    private func seekers(now: Instant) -> [Live] {
        guard permission == .granted, let condition = conditions[.ble], condition.scan != .missing else {
            return []
        }
        return live.values.filter {
            guard let beacons = $0.beacons else { return false }
            return (!isInBackground || beacons.allowInBackground) && ($0.end.map { $0 > now } ?? true)
        }
    }

    /// Checks a beacon's message, which names its beacon: an operation wants it, and it was heard.
    private mutating func checkBeacon(_ one: Discovery, _ id: OperationID) {
        guard one.beacon != nil else { return }
        guard let live = live[id], let beacons = live.beacons,
            let beacon = ModelBeacons.id(of: one.message)
        else { return violations.append("a beacon for \(id), which wants none") }
        if !beacons.kinds.contains(beacon.kind) { violations.append("a beacon of a kind that is not wanted") }
        if heard[beacon] == nil { violations.append("a beacon that was not heard") }
        if isInBackground && !beacons.allowInBackground { violations.append("a beacon in the background") }
    }

    private mutating func checkBeacons(now: Instant) {
        let seekers = seekers(now: now)
        let scan = assignments[.ble]?.beacons
        if scan?.kinds != (seekers.isEmpty ? nil : Set(seekers.flatMap { $0.beacons!.kinds })) {
            violations.append("looks for the wrong beacons")
        }
        let isSparing = isInBackground || seekers.allSatisfy { $0.beacons!.isSparing }
        if let scan, scan.isSparing != isSparing { violations.append("looks too much, or too little") }
        let settings = EngineSettings.standard
        let loss = (isSparing ? settings.sparingBeaconLoss : settings.beaconLoss) + .seconds(1)
        for one in found.values.flatMap(\.values) where one.beacon != nil {
            guard let beacon = ModelBeacons.id(of: one.message), let last = heard[beacon], last + loss > now
            else {
                violations.append("a beacon is near that was not heard for long")
                continue
            }
        }
    }

    private mutating func check(_ medium: Medium, now: Instant) {
        let assignment = assignments[medium, default: .idle]
        if medium == .ble {
            checkBeacons(now: now)
        } else if assignment.beacons != nil {
            violations.append("looks for beacons on \(medium)")
        }
        if assignment.isScanning != isWanted(medium, .scan, now: now) {
            violations.append("scans on \(medium): \(assignment.isScanning), wrongly")
        }
        guard let broadcast = assignment.broadcast else { return }
        if !isWanted(medium, .broadcast, now: now) { violations.append("broadcasts on \(medium) for nobody") }
        for case .audioBytes(let bytes) in broadcast.payloads
        where medium != .audio || !live.values.contains(where: { $0.bytes == bytes }) {
            violations.append("sends bytes that nobody publishes")
        }
        guard let token = broadcast.token else { return }
        guard let grant = grants[medium]?.first(where: { $0.token == token }) else {
            return violations.append("broadcasts a token it was not given for \(medium)")
        }
        if now < grant.start || now >= grant.end {
            violations.append("token on air at another time than its own")
        }
    }
}
