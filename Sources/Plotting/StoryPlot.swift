/// The content of a ``StoryPicture``: the ways of devices, their frames sent and heard, and their knowledge
/// of one another.
public struct StoryPlot: Sendable {
    /// A rectangle on the floor, in metres, y upwards.
    public struct Room: Sendable {
        public var name: String
        public var from: SIMD2<Double>
        public var to: SIMD2<Double>

        public init(_ name: String, from: SIMD2<Double>, to: SIMD2<Double>) {
            (self.name, self.from, self.to) = (name, from, to)
        }
    }

    /// A door in a wall.
    public struct Door: Sendable {
        public var from: SIMD2<Double>
        public var to: SIMD2<Double>

        public init(from: SIMD2<Double>, to: SIMD2<Double>) { (self.from, self.to) = (from, to) }
    }

    /// A thing in a room that is no device.
    public struct Furniture: Sendable {
        public var name: String
        public var place: SIMD2<Double>

        public init(_ name: String, at place: SIMD2<Double>) { (self.name, self.place) = (name, place) }
    }

    /// The place of a device at a time; the ways between are straight.
    public struct Waypoint: Sendable {
        public var seconds: Double
        public var place: SIMD2<Double>

        public init(seconds: Double, place: SIMD2<Double>) { (self.seconds, self.place) = (seconds, place) }
    }

    public struct Stay: Sendable {
        public var name: String
        public var seconds: Range<Double>

        public init(_ name: String, seconds: Range<Double>) { (self.name, self.seconds) = (name, seconds) }
    }

    /// A frame on air.
    public struct Frame: Sendable {
        public var seconds: Range<Double>
        /// The index of the device that sent it; `nil` if it is not known.
        public var sender: Int?

        public init(seconds: Range<Double>, sender: Int?) { (self.seconds, self.sender) = (seconds, sender) }
    }

    /// The time from finding a message to losing it, or to the end.
    public struct Acquaintance: Sendable {
        public var seconds: Range<Double>
        /// The seconds from when the device could find it until it did.
        public var foundAfterSeconds: Double?
        public var isLost: Bool
        /// The seconds from when the device could no longer hear it until it lost it.
        public var lostAfterSeconds: Double?

        public init(
            seconds: Range<Double>, foundAfterSeconds: Double?, isLost: Bool, lostAfterSeconds: Double?
        ) {
            (self.seconds, self.foundAfterSeconds) = (seconds, foundAfterSeconds)
            (self.isLost, self.lostAfterSeconds) = (isLost, lostAfterSeconds)
        }
    }

    /// A device's knowledge of one message.
    public struct Knowledge: Sendable {
        public var title: String
        public var publisher: Int
        public var acquaintances: [Acquaintance]

        public init(_ title: String, publisher: Int, _ acquaintances: [Acquaintance]) {
            (self.title, self.publisher, self.acquaintances) = (title, publisher, acquaintances)
        }
    }

    public struct Device: Sendable {
        public var name: String
        public var way: [Waypoint]
        public var stays: [Stay]
        public var sent: [Range<Double>]
        /// The frames it heard; `nil` if it cannot hear.
        public var heard: [Frame]?
        public var knowledge: [Knowledge]

        public init(
            _ name: String, way: [Waypoint], stays: [Stay], sent: [Range<Double>], heard: [Frame]?,
            knowledge: [Knowledge]
        ) {
            (self.name, self.way, self.stays, self.sent) = (name, way, stays, sent)
            (self.heard, self.knowledge) = (heard, knowledge)
        }
    }

    public var title: String
    /// The lines under the title.
    public var summary: [String]
    public var seconds: Double
    public var rooms: [Room]
    public var doors: [Door]
    public var furniture: [Furniture]
    public var devices: [Device]

    public init(
        title: String, summary: [String], seconds: Double, rooms: [Room], doors: [Door],
        furniture: [Furniture],
        devices: [Device]
    ) {
        (self.title, self.summary, self.seconds, self.rooms) = (title, summary, seconds, rooms)
        (self.doors, self.furniture, self.devices) = (doors, furniture, devices)
    }
}
