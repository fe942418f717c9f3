import Nearby
import VirtualRoom

/// What happened in the demo, in order, as people tell it: who found whom, how far away, how long after they could.
struct Story {
    enum What {
        case publishes(Publication)
        case subscribes(Subscription)
        case unpublishes
        case enters(String)
        /// A new token for the same device.
        case changesToken
        /// The first frame of somebody's since they met.
        case hears
        case found(Message)
        case lost(Message)
    }

    struct Event {
        var seconds: Double
        var device: Int
        var what: What
        /// Who is heard, found or lost.
        var other: Int?
        /// How far away that one is.
        var meters: Double?
        /// Since the two came together, or parted, or the other took its message back.
        var afterSeconds: Double?
        /// Lost, for its publisher said so.
        var isTakenBack = false

        /// Lost though the two are together and it is still published.
        var isEarlyLoss: Bool {
            if case .lost = what { afterSeconds == nil } else { false }
        }
    }

    /// A frame that somebody heard to its end.
    struct Reception {
        var seconds: Double
        var device: Int
        /// Nil: a token that nobody sent.
        var sender: Int?
        var snrDecibels: Double?
    }

    let scene: DemoScene
    let seconds: Double
    let frameSeconds: Double
    /// Where each device is, and when.
    let stays: [[Stay]]
    var events: [Event] = []
    /// When frames ended that a device sent, device by device.
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

    /// When two devices last came together before a moment; nil when they had not.
    func met(_ a: Int, _ b: Int, beforeSeconds seconds: Double) -> Double? {
        Stay.together(stays[a], stays[b]).last { $0.lowerBound <= seconds }?.lowerBound
    }

    /// When they parted last; nil when they have not.
    func parted(_ a: Int, _ b: Int, beforeSeconds seconds: Double) -> Double? {
        let last = Stay.together(stays[a], stays[b]).last { $0.lowerBound <= seconds }
        return last.flatMap { $0.upperBound <= seconds ? $0.upperBound : nil }
    }
}
