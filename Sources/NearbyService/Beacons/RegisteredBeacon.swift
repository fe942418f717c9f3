import Nearby

/// A beacon as its owner registered it.
package struct RegisteredBeacon: Sendable, Hashable {
    /// The visibility of a beacon to apps. The raw values are those of an export.
    package enum Status: String, Sendable, CaseIterable {
        /// Apps that may see the beacon receive it in answers.
        case active = "ACTIVE"
        /// The beacon is missing from answers, as if it did not exist. It may become active again.
        case inactive = "INACTIVE"
        /// The beacon is given up for ever. Its name is never assigned again.
        case decommissioned = "DECOMMISSIONED"
    }

    /// The likelihood that the beacon is still where it was.
    package enum Stability: String, Sendable, CaseIterable {
        /// It is not expected to move: at a door.
        case stable = "STABLE"
        /// It seldom moves, and stays in the same place: in a window display.
        case portable = "PORTABLE"
        /// It often moves: in a bag, on a cart.
        case mobile = "MOBILE"
        /// It is always on its way: in a bus.
        case roving = "ROVING"
    }

    /// The permanent name of the beacon. The beacon sends ``BeaconName/id``, unless it changes its names.
    package let name: BeaconName
    /// The project that owns the beacon, which never changes.
    package let project: ProjectID
    /// The status, which ``become(_:)`` changes.
    package private(set) var status: Status
    /// The stability; `nil` if the owner has not stated it.
    package var stability: Stability?
    /// A description of the beacon, in its owner's words. Apps do not receive it.
    package var description: String
    /// The place of the beacon, in its owner's words.
    package var place: String
    /// Further properties that the owner states, by name. Apps do not receive them.
    package var properties: [String: String]
    /// The data that the beacon stands for, as apps receive it; see ``attach(_:)`` and ``detach(_:)``.
    package private(set) var attachments: [BeaconAttachment]
    /// The registration of a beacon that changes the names it sends; `nil` for any other beacon.
    package var ephemeral: EphemeralRegistration?
    /// The number of times that the beacon was written; 0 if it was never written.
    package var revision: Int64 = 0

    /// Creates a beacon. Throws: an error if a limit is exceeded, or if the name is an ephemeral identifier.
    package init(
        _ name: BeaconName, of project: ProjectID, status: Status = .active, stability: Stability? = nil,
        description: String = "", place: String = "", properties: [String: String] = [:],
        attachments: [BeaconAttachment] = [], ephemeral: EphemeralRegistration? = nil
    ) throws(BeaconProblem) {
        (self.name, self.project, self.status, self.stability) = (name, project, status, stability)
        (self.description, self.place, self.properties) = (description, place, properties)
        (self.attachments, self.ephemeral) = (attachments, ephemeral)
        try check()
    }

    /// Changes the status. Throws: an error if the beacon is decommissioned and the new status is another
    /// one.
    package mutating func become(_ status: Status) throws(BeaconProblem) {
        guard self.status != .decommissioned || status == .decommissioned else {
            throw BeaconProblem("\(name.text) is decommissioned, and stays so: register another one")
        }
        self.status = status
    }

    /// Adds an attachment. Throws: an error if there are too many.
    package mutating func attach(_ attachment: BeaconAttachment) throws(BeaconProblem) {
        try BeaconLimits.check(attachmentCount: attachments.count + 1)
        attachments.append(attachment)
    }

    /// Removes the attachments of the wanted types. Returns the number of removed attachments.
    package mutating func detach(_ isWanted: (AttachmentType) -> Bool) -> Int {
        let count = attachments.count
        attachments.removeAll { isWanted($0.type) }
        return count - attachments.count
    }

    private func check() throws(BeaconProblem) {
        if name.id.kind == .ephemeral {
            throw BeaconProblem(
                "\(name) is what a beacon is called for minutes: register it as an Eddystone-UID of its own")
        }
        if ephemeral != nil, name.id.kind != .eddystone {
            throw BeaconProblem("\(name.text): a beacon of changing names is registered as an Eddystone-UID")
        }
        try BeaconLimits.check(attachmentCount: attachments.count)
        try BeaconLimits.check(description: description)
        try BeaconLimits.check(place: place)
        try BeaconLimits.check(properties)
    }
}

/// A namespace of attachment types, which belongs to one project.
package struct BeaconNamespace: Sendable, Hashable {
    /// The name, which belongs to one project only. ``rule`` states the permitted characters.
    package var name: String
    /// The project that claimed the namespace, for ever.
    package var project: ProjectID
    /// True if every project sees the attachments in the namespace.
    package var isPublic: Bool

    /// Creates a namespace; `nil` unless the name is permitted.
    package init?(_ name: String, of project: ProjectID, isPublic: Bool = false) {
        guard AttachmentType.isNamespace(name) else { return nil }
        (self.name, self.project, self.isPublic) = (name, project, isPublic)
    }
}
