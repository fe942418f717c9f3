import Nearby
import VirtualRoom

/// The scene of the demo: a living room with a television and a set-top box, a hall, the street, and two
/// phones that come in.
struct DemoScene {
    /// A room with its name.
    struct Place {
        var name: String
        var room: Room
    }

    /// A device with its publications and subscriptions.
    struct Actor {
        var name: String
        var air: AirDevice
        var publications: [Publication]
        var subscriptions: [Subscription]
        /// The time at which the device ends its publications.
        var silentFromSeconds: Double?
    }

    static let standardSeconds = 90.0
    /// The name of the place outside all rooms.
    static let outside = "street"

    let places = [
        Place(name: "living room", room: Room(from: [0, 0], to: [6, 5], rt60Seconds: 0.4)),
        Place(name: "hall", room: Room(from: [0, -2.7], to: [6, -0.2], rt60Seconds: 0.5)),
    ]
    /// The doors close behind everyone who walks through.
    let doors = [
        Opening(from: [4.5, -0.1], to: [5.4, -0.1], lossDecibels: Opening.shutDoorDecibels),
        Opening(from: [0.6, -2.7], to: [1.5, -2.7], lossDecibels: Opening.shutDoorDecibels),
    ]
    let television = SIMD3(0.3, 2.6, 1.0)
    let actors: [Actor]

    var plan: FloorPlan { FloorPlan(rooms: places.map(\.room), openings: doors) }

    init() throws(NearbyError) {
        let broadcasts = Strategy(media: [.audio], mode: .broadcast)
        let scans = Strategy(media: [.audio], mode: .scan)
        let both = Strategy(media: [.audio])
        let wanted = Subscription(.types(["person", "screen"]), strategy: both)
        actors = [
            Actor(
                name: "box",
                air: AirDevice(route: .fixed([0.5, 3.6, 0.6]), microphone: nil),
                publications: [Publication(try Message("channel 4", type: "screen"), strategy: broadcasts)],
                subscriptions: [Subscription(.type("remote"), strategy: broadcasts)]),
            // This is the example of the seed documents: a device reaches a box that only broadcasts by
            // scanning alone.
            Actor(
                name: "Ana's phone", air: AirDevice(route: DemoScene.anasWay),
                publications: [
                    Publication(try Message("Ana", type: "person"), strategy: both),
                    Publication(try Message("louder", type: "remote"), strategy: scans),
                ], subscriptions: [wanted]),
            Actor(
                name: "Ben's phone", air: AirDevice(route: DemoScene.bensWay),
                publications: [Publication(try Message("Ben", type: "person"), strategy: both)],
                subscriptions: [wanted], silentFromSeconds: 84),
        ]
    }

    /// Ana walks from the hall to the sofa, leaves for a while, and returns.
    private static let anasWay = Route([
        .init(seconds: 2, place: [1.5, -1.5, 1]), .init(seconds: 5.5, place: [4.95, -1.4, 1]),
        .init(seconds: 7, place: [4.95, 0.6, 1]), .init(seconds: 10, place: [1.8, 1.5, 1]),
        .init(seconds: 38, place: [1.8, 1.5, 1]), .init(seconds: 41, place: [4.95, 0.6, 1]),
        .init(seconds: 42.5, place: [4.95, -1.4, 1]), .init(seconds: 46, place: [1.5, -1.5, 1]),
        .init(seconds: 58, place: [1.5, -1.5, 1]), .init(seconds: 61.5, place: [4.95, -1.4, 1]),
        .init(seconds: 63, place: [4.95, 0.6, 1]), .init(seconds: 66, place: [1.8, 1.5, 1]),
    ])

    /// Ben comes in from the street and stays.
    private static let bensWay = Route([
        .init(seconds: 11, place: [-0.6, -3.7, 1]), .init(seconds: 13, place: [1.05, -3.5, 1]),
        .init(seconds: 14.5, place: [1.05, -2.0, 1]), .init(seconds: 18.5, place: [4.95, -1.4, 1]),
        .init(seconds: 20, place: [4.95, 0.6, 1]), .init(seconds: 23, place: [4.7, 3.7, 1]),
    ])

    /// Returns the name of a place; `nil` inside the wall between two rooms.
    func placeName(_ place: SIMD3<Double>) -> String? {
        let rooms = places.map(\.room)
        let inside = places.first { DemoScene.contains(place, from: $0.room.from, to: $0.room.to) }
        let isWithinWalls = DemoScene.contains(
            place, from: rooms.reduce(rooms[0].from) { pointwiseMin($0, $1.from) },
            to: rooms.reduce(rooms[0].to) { pointwiseMax($0, $1.to) })
        return inside?.name ?? (isWithinWalls ? nil : DemoScene.outside)
    }

    private static func contains(_ place: SIMD3<Double>, from: SIMD2<Double>, to: SIMD2<Double>) -> Bool {
        (from.x...to.x).contains(place.x) && (from.y...to.y).contains(place.y)
    }
}
