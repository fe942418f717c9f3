import AudioMedium
import Glibc
import Nearby
import SetTopBox
import Signal
import VirtualRoom

/// A box under its television, and phones around it, in simulated air. The real box's value types process the
/// simulated box's events.
struct BoxRoom {
    struct Arrival {
        var seconds: Double
        var message: BoxMessage
    }

    static let box = 0
    private static let room = Room(from: [0, 0], to: [6, 5], rt60Seconds: 0.4)

    private(set) var configuration: BoxConfiguration
    private(set) var simulation: Simulation
    private(set) var arrivals: [Arrival] = []
    /// The lives of the box's tokens that nothing interrupted.
    private(set) var rotationSeconds: [Double] = []
    private(set) var sentCount = 0
    private var inbox = Inbox()
    private var token: Token?
    private var announcement: OperationID?
    private var tokenSince = 0.0
    private var isInterrupted = true

    /// - Parameter phoneCount: the number of phones, 3 m from the box, each in another place.
    init(_ configuration: BoxConfiguration, phoneCount: Int, seed: UInt64) throws {
        self.configuration = configuration
        var random = SplitMix64(seed: seed)
        let place = SIMD3(1 + random.nextUnit(), 1 + random.nextUnit(), 1)
        let phones = (0..<phoneCount).map { n in
            let angle = random.nextUnit() * Double.pi / 2
            return Simulation.Device(
                "phone \(n + 1)",
                AirDevice(route: .fixed(place + 3 * SIMD3(cos(angle), sin(angle), 0)), loudspeaker: nil))
        }
        let box = Simulation.Device(
            "box", AirDevice(route: .fixed(place), microphone: nil), settings: configuration.engineSettings)
        simulation = Simulation(
            FloorPlan(rooms: [BoxRoom.room]), devices: [box] + phones,
            programmes: [.television(at: place + SIMD3(0.3, 0, 0.5), seed: random.next())],
            settings: configuration.mediumSettings, seed: random.next())
        if let filter = configuration.receives {
            try simulation.subscribe(to: filter, strategy: configuration.strategy, on: BoxRoom.box)
        }
        if let message = configuration.announcement {
            announcement = try simulation.publish(message, strategy: configuration.strategy, on: BoxRoom.box)
        }
    }

    var seconds: Double { simulation.seconds }

    /// Publishes like the documentation's snippet: by audio, and only scanning.
    mutating func publish(_ message: Message, byPhone phone: Int) throws -> OperationID {
        try simulation.publish(message, strategy: Strategy(media: [.audio], mode: .scan), on: 1 + phone)
    }

    mutating func end(_ id: OperationID, ofPhone phone: Int) throws { try simulation.end(id, on: 1 + phone) }

    /// Changes the box's announcement.
    mutating func announce(_ message: Message) throws {
        guard let announcement else { return }
        configuration.announcement = message
        try simulation.republish(announcement, message, on: BoxRoom.box)
    }

    /// Makes a change that may interrupt the box.
    mutating func change(_ body: (inout Simulation) -> Void) {
        body(&simulation)
        isInterrupted = true
    }

    /// Lets time pass, and reads the events.
    mutating func run(seconds: Double) {
        simulation.run(seconds: seconds)
        for entry in simulation.takeTimeline() where entry.device == BoxRoom.box { note(entry) }
    }

    private mutating func note(_ entry: Timeline.Entry) {
        let now = Instant.start + .seconds(entry.seconds)
        switch entry.event {
        case .failed(.unreachable), .failed(.unknownDevice):
            inbox.registryForgot()
            isInterrupted = true
        case .notified(let deliveries):
            for one in deliveries where one.change != .lost { inbox.confirm(one.discovery.id) }
        case .event(let event, _):
            guard let message = inbox.take(event, now: now) else { return }
            arrivals.append(Arrival(seconds: entry.seconds, message: message))
        case .sent: sentCount += 1
        case .broadcasts(let new):
            guard new != token else { return }
            if token != nil, new != nil, !isInterrupted { rotationSeconds.append(entry.seconds - tokenSince) }
            (token, tokenSince, isInterrupted) = (new, entry.seconds, false)
        default: break
        }
    }
}
