import Nearby

/// How much a project may have of beacons, and a beacon of everything.
public struct BeaconLimits: Sendable, Hashable {
    /// Attachments of one beacon, of all types together.
    public static let attachmentsPerBeacon = 32
    /// Longest ``RegisteredBeacon/description``, in Unicode scalars.
    public static let descriptionCharacterCount = 140
    /// Longest ``RegisteredBeacon/place``, in Unicode scalars.
    public static let placeCharacterCount = 255
    /// Entries of ``RegisteredBeacon/properties``.
    public static let propertiesPerBeacon = 16
    /// Longest name of a property, and longest value, in Unicode scalars. A name is not empty.
    public static let propertyCharacterCount = 255

    /// Those decommissioned included: their names are kept.
    public var beaconsPerProject = 100_000
    /// Attachments of all its beacons together, those decommissioned included.
    public var attachmentsPerProject = 200_000
    /// Namespaces that it has ever claimed: none is given back.
    public var namespacesPerProject = 100

    /// The standard values; what a single beacon may have is fixed.
    public init() {}

    /// Throws: `.full` when a project has more than it may.
    package func check(namespaces: Int, beacons: Int, attachments: Int) throws(StoreError) {
        if namespaces > namespacesPerProject { throw .full("\(namespacesPerProject) namespaces") }
        if beacons > beaconsPerProject { throw .full("\(beaconsPerProject) beacons") }
        if attachments > attachmentsPerProject { throw .full("\(attachmentsPerProject) attachments") }
    }

    static func check(attachmentCount: Int) throws(BeaconProblem) {
        guard attachmentCount <= attachmentsPerBeacon else {
            throw BeaconProblem("a beacon has at most \(attachmentsPerBeacon) attachments")
        }
    }

    static func check(description: String) throws(BeaconProblem) {
        try check("a description", description, descriptionCharacterCount)
    }

    static func check(place: String) throws(BeaconProblem) {
        try check("a place", place, placeCharacterCount)
    }

    static func check(_ properties: [String: String]) throws(BeaconProblem) {
        guard properties.count <= propertiesPerBeacon else {
            throw BeaconProblem(
                "a beacon has at most \(propertiesPerBeacon) properties, not \(properties.count)")
        }
        for (name, value) in properties {
            guard !name.isEmpty else { throw BeaconProblem("a property has a name") }
            try check("a property's name", name, propertyCharacterCount)
            try check("a property's value", value, propertyCharacterCount)
        }
    }

    private static func check(_ what: String, _ text: String, _ limit: Int) throws(BeaconProblem) {
        let count = text.unicodeScalars.count
        guard count <= limit else {
            throw BeaconProblem("\(what) has at most \(limit) characters, not \(count)")
        }
    }
}
