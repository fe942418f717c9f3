/// Where devices were, what they sent and heard, and what they knew of one another: what ``StoryPicture`` draws.
public struct StoryPlot: Sendable {
    /// A rectangle on the floor, metres, y upwards.
    public struct Room: Sendable {
        public var name: String
        public var from: SIMD2<Double>
        public var to: SIMD2<Double>

        public init(_ name: String, from: SIMD2<Double>, to: SIMD2<Double>) {
            (self.name, self.from, self.to) = (name, from, to)
        }
    }

    /// A part of a wall.
    public struct Door: Sendable {
        public var from: SIMD2<Double>
        public var to: SIMD2<Double>

        public init(from: SIMD2<Double>, to: SIMD2<Double>) { (self.from, self.to) = (from, to) }
    }

    /// Something that stands there and is no device.
    public struct Furniture: Sendable {
        public var name: String
        public var place: SIMD2<Double>

        public init(_ name: String, at place: SIMD2<Double>) { (self.name, self.place) = (name, place) }
    }

    /// Where a device is at a time; straight ways between.
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
        /// Index of the device that sent it; nil: nobody knows.
        public var sender: Int?

        public init(seconds: Range<Double>, sender: Int?) { (self.seconds, self.sender) = (seconds, sender) }
    }

    /// From finding a message to losing it, or to the end.
    public struct Acquaintance: Sendable {
        public var seconds: Range<Double>
        /// After they could.
        public var foundAfterSeconds: Double?
        public var isLost: Bool
        /// After they could no longer.
        public var lostAfterSeconds: Double?

        public init(
            seconds: Range<Double>, foundAfterSeconds: Double?, isLost: Bool, lostAfterSeconds: Double?
        ) {
            (self.seconds, self.foundAfterSeconds) = (seconds, foundAfterSeconds)
            (self.isLost, self.lostAfterSeconds) = (isLost, lostAfterSeconds)
        }
    }

    /// What a device knows of one message.
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
        /// Nil: it cannot hear.
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
    /// Under it.
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
