import Nearby

/// How much a project may have of beacons, and a beacon of everything.
public struct BeaconLimits: Sendable, Hashable {
    public static let attachmentsPerBeacon = 32
    public static let descriptionCharacterCount = 140
    public static let placeCharacterCount = 255
    public static let propertiesPerBeacon = 16
    public static let propertyCharacterCount = 255

    /// Those decommissioned included: their names are kept.
    public var beaconsPerProject = 100_000
    public var attachmentsPerProject = 200_000
    public var namespacesPerProject = 100

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
