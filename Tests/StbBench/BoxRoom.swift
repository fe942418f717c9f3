import AudioMedium
import Glibc
import Nearby
import SetTopBox
import Signal
import VirtualRoom

/// A box under its television, and phones about it, in simulated air: what the box is told is done by the values that the real one
/// is made of.
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
    /// How long the box had each of its tokens that nothing interrupted.
    private(set) var rotationSeconds: [Double] = []
    private(set) var sentCount = 0
    private var inbox = Inbox()
    private var token: Token?
    private var announcement: OperationID?
    private var tokenSince = 0.0
    private var isInterrupted = true

    /// - Parameter phoneCount: 3 m from the box, each somewhere else.
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

    /// As the documents' snippet has it: by audio, and only scanning.
    mutating func publish(_ message: Message, byPhone phone: Int) throws -> OperationID {
        try simulation.publish(message, strategy: Strategy(media: [.audio], mode: .scan), on: 1 + phone)
    }

    mutating func end(_ id: OperationID, ofPhone phone: Int) throws { try simulation.end(id, on: 1 + phone) }

    /// The box says something else from now on.
    mutating func announce(_ message: Message) throws {
        guard let announcement else { return }
        configuration.announcement = message
        try simulation.republish(announcement, message, on: BoxRoom.box)
    }

    /// Something that may interrupt the box.
    mutating func change(_ body: (inout Simulation) -> Void) {
        body(&simulation)
        isInterrupted = true
    }

    /// Lets time pass, and reads what happened.
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
        case .told(let deliveries):
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
