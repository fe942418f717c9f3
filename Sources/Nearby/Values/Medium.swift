/// A medium that carries tokens. A new medium is one case here, with its ``traits``, and a ``MediumDriver``.
public enum Medium: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Sound, Bluetooth Low Energy, and the local network. The raw values are names in requests to a server.
    case audio, ble, lan

    public static func < (a: Medium, b: Medium) -> Bool { a.place < b.place }

    /// The place in ``allCases``. Embedded Swift compares no strings.
    var place: Int {
        switch self {
        case .audio: 0
        case .ble: 1
        case .lan: 2
        }
    }

    /// By ``place``: what has a raw value would be hashed by it, and a string costs ten times as much.
    public func hash(into hasher: inout Hasher) { hasher.combine(place) }

    /// A bit that no other medium has.
    var bit: UInt8 { 1 << place }

    /// The properties of the medium that matter to the engine. The engine asks for no medium by name.
    public var traits: MediumTraits {
        switch self {
        case .audio: [.stopsAtWalls, .carriesBytes, .isShared]
        case .ble: [.worksInBackground, .findsBeacons]
        case .lan: []
        }
    }

    /// The media that have all of these traits, in order.
    public static func all(_ traits: MediumTraits) -> [Medium] {
        allCases.filter { $0.traits.isSuperset(of: traits) }
    }
}

/// The properties of a medium that matter to the engine.
public struct MediumTraits: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Walls stop the medium, so that devices which find one another are in one room. An operation with the
    /// reach ``Strategy/Reach/earshot`` counts no other medium.
    public static let stopsAtWalls = MediumTraits(rawValue: 1)
    /// The medium also carries bytes that need no server (``AudioBytes``).
    public static let carriesBytes = MediumTraits(rawValue: 2)
    /// All devices share one channel, so that a device which also listens takes turns with the others.
    public static let isShared = MediumTraits(rawValue: 4)
    /// The medium works while the app is in the background.
    public static let worksInBackground = MediumTraits(rawValue: 8)
    /// The medium also finds beacons.
    public static let findsBeacons = MediumTraits(rawValue: 16)
}
