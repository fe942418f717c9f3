import Nearby
import VirtualRoom

/// The events of the demo, in order. Each finding has its distance and its delay since it was possible.
struct Story {
    enum What {
        case publishes(Publication)
        case subscribes(Subscription)
        case unpublishes
        case enters(String)
        /// The device has a new token.
        case changesToken
        /// The device hears the first frame of another device since they met.
        case hears
        case found(Message)
        case lost(Message)
    }

    struct Event {
        var seconds: Double
        var device: Int
        var what: What
        /// The device that is heard, found or lost.
        var other: Int?
        /// The distance to the other device.
        var meters: Double?
        /// The time since the two devices met or parted, or since the other device ended its publications.
        var afterSeconds: Double?
        /// `true` if the message was lost because its publisher ended it.
        var isTakenBack = false

        /// `true` for a loss that neither the devices' parting nor the end of the publication explains.
        var isEarlyLoss: Bool {
            if case .lost = what { afterSeconds == nil } else { false }
        }
    }

    /// A frame that a device received completely.
    struct Reception {
        var seconds: Double
        var device: Int
        /// The device that sent the frame; `nil` if no device sent its token.
        var sender: Int?
        var snrDecibels: Double?
    }

    let scene: DemoScene
    let seconds: Double
    let frameSeconds: Double
    /// The stays of each device.
    let stays: [[Stay]]
    var events: [Event] = []
    /// The end times of the frames that each device sent.
    var sent: [[Double]]
    var receptions: [Reception] = []

    init(_ scene: DemoScene, seconds: Double, frameSeconds: Double) {
        (self.scene, self.seconds, self.frameSeconds) = (scene, seconds, frameSeconds)
        stays = scene.actors.map { Stay.all(on: $0.air.route, in: scene, untilSeconds: seconds) }
        sent = scene.actors.map { _ in [] }
    }

    func name(_ device: Int) -> String { scene.actors[device].name }

    func meters(_ a: Int, _ b: Int, atSeconds seconds: Double) -> Double {
        let way =
            scene.actors[a].air.route.place(atSeconds: seconds)
            - scene.actors[b].air.route.place(atSeconds: seconds)
        return (way * way).sum().squareRoot()
    }

    /// Returns the time at which two devices last met before a moment; `nil` if they had not met.
    func met(_ a: Int, _ b: Int, beforeSeconds seconds: Double) -> Double? {
        Stay.together(stays[a], stays[b]).last { $0.lowerBound <= seconds }?.lowerBound
    }

    /// Returns the time at which two devices last parted; `nil` if they are still together or never met.
    func parted(_ a: Int, _ b: Int, beforeSeconds seconds: Double) -> Double? {
        let last = Stay.together(stays[a], stays[b]).last { $0.lowerBound <= seconds }
        return last.flatMap { $0.upperBound <= seconds ? $0.upperBound : nil }
    }
}
