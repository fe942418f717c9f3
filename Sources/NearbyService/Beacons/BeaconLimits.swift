import Nearby

/// The limits on the beacons of a project and on the contents of a beacon.
package struct BeaconLimits: Sendable, Hashable {
    /// The largest number of attachments of one beacon, of all types together.
    package static let attachmentsPerBeacon = 32
    /// The greatest length of a ``RegisteredBeacon/description``, in Unicode scalars.
    package static let descriptionCharacterCount = 140
    /// The greatest length of a ``RegisteredBeacon/place``, in Unicode scalars.
    package static let placeCharacterCount = 255
    /// The largest number of entries of ``RegisteredBeacon/properties``.
    package static let propertiesPerBeacon = 16
    /// The greatest length of a property's name and of its value, in Unicode scalars. A name must not be
    /// empty.
    package static let propertyCharacterCount = 255

    /// The largest number of beacons of a project, including decommissioned ones, whose names are kept.
    package var beaconsPerProject = 100_000
    /// The largest number of attachments of all beacons of a project together, including those of
    /// decommissioned beacons.
    package var attachmentsPerProject = 200_000
    /// The largest number of namespaces that a project can ever claim. No namespace is given back.
    package var namespacesPerProject = 100

    /// Creates the limits with their standard values. The limits on a single beacon are fixed.
    package init() {}

    /// Checks the totals of a project. Throws: `.full` if a project has more than it may have.
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
