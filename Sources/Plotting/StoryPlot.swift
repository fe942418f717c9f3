/// The content of a ``StoryPicture``: the ways of devices, their frames sent and heard, and their knowledge
/// of one another.
package struct StoryPlot: Sendable {
    /// A rectangle on the floor, in metres, y upwards.
    package struct Room: Sendable {
        package var name: String
        package var from: SIMD2<Double>
        package var to: SIMD2<Double>

        package init(_ name: String, from: SIMD2<Double>, to: SIMD2<Double>) {
            (self.name, self.from, self.to) = (name, from, to)
        }
    }

    /// A door in a wall.
    package struct Door: Sendable {
        package var from: SIMD2<Double>
        package var to: SIMD2<Double>

        package init(from: SIMD2<Double>, to: SIMD2<Double>) { (self.from, self.to) = (from, to) }
    }

    /// A thing in a room that is no device.
    package struct Furniture: Sendable {
        package var name: String
        package var place: SIMD2<Double>

        package init(_ name: String, at place: SIMD2<Double>) { (self.name, self.place) = (name, place) }
    }

    /// The place of a device at a time; the ways between are straight.
    package struct Waypoint: Sendable {
        package var seconds: Double
        package var place: SIMD2<Double>

        package init(seconds: Double, place: SIMD2<Double>) { (self.seconds, self.place) = (seconds, place) }
    }

    package struct Stay: Sendable {
        package var name: String
        package var seconds: Range<Double>

        package init(_ name: String, seconds: Range<Double>) { (self.name, self.seconds) = (name, seconds) }
    }

    /// A frame on air.
    package struct Frame: Sendable {
        package var seconds: Range<Double>
        /// The index of the device that sent it; `nil` if it is not known.
        package var sender: Int?

        package init(seconds: Range<Double>, sender: Int?) { (self.seconds, self.sender) = (seconds, sender) }
    }

    /// The time from finding a message to losing it, or to the end.
    package struct Acquaintance: Sendable {
        package var seconds: Range<Double>
        /// The seconds from when the device could find it until it did.
        package var foundAfterSeconds: Double?
        package var isLost: Bool
        /// The seconds from when the device could no longer hear it until it lost it.
        package var lostAfterSeconds: Double?

        package init(
            seconds: Range<Double>, foundAfterSeconds: Double?, isLost: Bool, lostAfterSeconds: Double?
        ) {
            (self.seconds, self.foundAfterSeconds) = (seconds, foundAfterSeconds)
            (self.isLost, self.lostAfterSeconds) = (isLost, lostAfterSeconds)
        }
    }

    /// A device's knowledge of one message.
    package struct Knowledge: Sendable {
        package var title: String
        package var publisher: Int
        package var acquaintances: [Acquaintance]

        package init(_ title: String, publisher: Int, _ acquaintances: [Acquaintance]) {
            (self.title, self.publisher, self.acquaintances) = (title, publisher, acquaintances)
        }
    }

    package struct Device: Sendable {
        package var name: String
        package var way: [Waypoint]
        package var stays: [Stay]
        package var sent: [Range<Double>]
        /// The frames it heard; `nil` if it cannot hear.
        package var heard: [Frame]?
        package var knowledge: [Knowledge]

        package init(
            _ name: String, way: [Waypoint], stays: [Stay], sent: [Range<Double>], heard: [Frame]?,
            knowledge: [Knowledge]
        ) {
            (self.name, self.way, self.stays, self.sent) = (name, way, stays, sent)
            (self.heard, self.knowledge) = (heard, knowledge)
        }
    }

    package var title: String
    /// The lines under the title.
    package var summary: [String]
    package var seconds: Double
    package var rooms: [Room]
    package var doors: [Door]
    package var furniture: [Furniture]
    package var devices: [Device]

    package init(
        title: String, summary: [String], seconds: Double, rooms: [Room], doors: [Door],
        furniture: [Furniture],
        devices: [Device]
    ) {
        (self.title, self.summary, self.seconds, self.rooms) = (title, summary, seconds, rooms)
        (self.doors, self.furniture, self.devices) = (doors, furniture, devices)
    }
}
