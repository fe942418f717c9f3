import Nearby
import SetTopBox
import SetTopBoxService
import Signal
import VirtualRoom

/// The events of a day, drawn from a seed, and the messages that must have arrived by then.
struct SoakDay {
    struct DeliveryCounts {
        var visits = 0
        /// The number of messages that were published with enough time without an obstacle.
        var due = 0
        var arrived = 0
        var twice = 0
        /// The number of messages that arrived although an obstacle stood for most of the visit: arriving
        /// once is right.
        var others = 0
    }

    private struct Visit {
        var phone: Int
        var id: OperationID
        var text: String
        var endSeconds: Double
        /// The uninterrupted time without an obstacle.
        var clearSeconds = 0.0
        var isDue = false
    }

    /// The time within which a message arrives without an obstacle; the waits for the server of up to 30 s
    /// are included.
    static let clearSecondsNeeded = 45.0
    static let phoneCount = 3
    /// The start of the day: 1 June 2026, 6:00 UTC.
    private static let wallStart: Int64 = 1_780_293_600

    private(set) var room: BoxRoom
    private(set) var counts = DeliveryCounts()
    private(set) var playerStops = 0
    private(set) var serverLosses = 0
    private(set) var serverRestarts = 0
    private(set) var reloads = 0
    private(set) var quietCount = 0
    private var random: SplitMix64
    private var visits: [Visit] = []
    private var past: [(text: String, isDue: Bool)] = []
    private var number = 0
    private var quietHours = QuietHours.none
    private var isQuiet = false
    private var playerUntil: Double?
    private var serverUntil: Double?

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        let server = BoxRegistry.Server(url: "http://127.0.0.1:8480", apiKey: "simulated")
        let announcement = try Message("living room", type: "screen")
        room = try BoxRoom(
            BoxConfiguration(registry: .server(server), announcement: announcement),
            phoneCount: SoakDay.phoneCount, seed: random.next())
    }

    /// Runs the day second by second.
    mutating func run(untilSeconds end: Double) throws {
        while room.seconds < end - 0.01 {
            try happen()
            room.run(seconds: 1)
            try endVisits()
        }
        account()
    }

    /// Returns true once in so many seconds, on average.
    private mutating func chance(every seconds: Double) -> Bool { random.nextUnit() < 1 / seconds }

    private mutating func happen() throws {
        let now = room.seconds
        if Int(now.rounded()) % 60 == 0 { keepHours() }
        if let until = playerUntil, now >= until { endPlayer() }
        if playerUntil == nil, chance(every: 1800) { beginPlayer() }
        if let until = serverUntil, now >= until {
            serverUntil = nil
            room.change { $0.setRegistry(isReachable: true) }
        }
        if serverUntil == nil, chance(every: 5400) {
            serverLosses += 1
            serverUntil = now + 10 + 290 * random.nextUnit()
            room.change { $0.setRegistry(isReachable: false) }
        }
        if chance(every: 9000) {
            serverRestarts += 1
            let seed = random.next()
            room.change { $0.restartRegistry(seed: seed) }
        }
        if chance(every: 1200) { try reload() }
        if chance(every: 500), visits.count < SoakDay.phoneCount { try visit() }
    }

    // MARK: The loudspeaker

    private mutating func beginPlayer() {
        playerStops += 1
        playerUntil = room.seconds + 20 + 70 * random.nextUnit()
        room.change { $0.setProgrammes(arePlaying: false) }
        setLoudspeaker()
    }

    private mutating func endPlayer() {
        playerUntil = nil
        room.change { $0.setProgrammes(arePlaying: true) }
        setLoudspeaker()
    }

    private mutating func keepHours() {
        let was = isQuiet
        isQuiet = quietHours.contains(unixSeconds: SoakDay.wallStart + Int64(room.seconds.rounded()))
        guard isQuiet != was else { return }
        if isQuiet { quietCount += 1 }
        setLoudspeaker()
    }

    private mutating func setLoudspeaker() {
        let obstacle: MediumCondition.Obstacle? =
            playerUntil != nil ? .failing : isQuiet ? .forbidden : nil
        room.change { $0.setLoudspeaker(obstacle, of: BoxRoom.box) }
    }

    // MARK: Configurations

    /// Reads a file as an administrator changes it. One in three is bad, and changes nothing.
    private mutating func reload() throws {
        reloads += 1
        let bad = random.next() % 3 == 0 ? "levle-dbfs = 1\n" : ""
        // This is the present hour in Berlin, two ahead of UTC in June.
        let hour = (SoakDay.wallStart / 3600 + 2 + Int64(room.seconds) / 3600) % 24
        let name = hour < 10 ? "0\(hour)" : "\(hour)"
        let text = """
            [announce]
            text = "living room \(reloads)"
            type = "screen"
            [quiet]
            hours = ["\(name):10-\(name):25", "sat-sun 13:00-13:10"]
            time-zone = "CET-1CEST,M3.5.0,M10.5.0/3"
            [server]
            key = "simulated"
            [audio]
            \(bad)
            """
        do {
            let box = try ConfigurationFile.parse(Array(text.utf8), of: "stb.toml").box { _ in nil }
            precondition(bad.isEmpty, "a bad file was taken")
            quietHours = box.quietHours
            if let announcement = box.announcement { try room.announce(announcement) }
        } catch let error as ConfigurationFileError {
            precondition(!bad.isEmpty, "\(error)")
        }
    }

    // MARK: Visitors

    private mutating func visit() throws {
        let busy = Set(visits.map(\.phone))
        guard let phone = (0..<SoakDay.phoneCount).first(where: { !busy.contains($0) }) else { return }
        number += 1
        counts.visits += 1
        // Some messages have the same text as others.
        let text = random.next() % 4 == 0 ? "louder" : "message \(number)"
        let id = try room.publish(try Message(text, type: "remote"), byPhone: phone)
        visits.append(
            Visit(phone: phone, id: id, text: text, endSeconds: room.seconds + 20 + 400 * random.nextUnit()))
    }

    private mutating func endVisits() throws {
        let isClear = playerUntil == nil && !isQuiet && serverUntil == nil
        for n in visits.indices.reversed() {
            visits[n].clearSeconds = isClear ? visits[n].clearSeconds + 1 : 0
            if visits[n].clearSeconds >= SoakDay.clearSecondsNeeded { visits[n].isDue = true }
            guard room.seconds >= visits[n].endSeconds else { continue }
            let visit = visits.remove(at: n)
            try room.end(visit.id, ofPhone: visit.phone)
            past.append((visit.text, visit.isDue))
        }
    }

    /// Accounts for the messages. Those of the same text count together.
    private mutating func account() {
        let arrivals = Dictionary(grouping: room.arrivals, by: { $0.message.message.text }).mapValues(\.count)
        let running = Dictionary(grouping: visits, by: \.text).mapValues(\.count)
        let texts = Dictionary(grouping: past, by: \.text)
        (counts.due, counts.arrived, counts.twice, counts.others) = (0, 0, 0, 0)
        for (text, published) in texts {
            let due = published.count { $0.isDue }
            let count = arrivals[text, default: 0]
            counts.due += due
            counts.arrived += min(due, count)
            counts.others += max(0, min(count, published.count) - due)
            counts.twice += max(0, count - published.count - running[text, default: 0])
        }
    }
}
