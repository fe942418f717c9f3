import Nearby

/// A beacon as its owner has it.
public struct RegisteredBeacon: Sendable, Hashable {
    /// Whether apps are told of it. Raw values are those of an export.
    public enum Status: String, Sendable, CaseIterable {
        /// Apps that may see it are told of it.
        case active = "ACTIVE"
        /// Apps are told nothing, as of one that does not exist; it may become active again.
        case inactive = "INACTIVE"
        /// For ever: its name is not given again.
        case decommissioned = "DECOMMISSIONED"
    }

    /// How likely it is to be where it was.
    public enum Stability: String, Sendable, CaseIterable {
        /// It is not expected to move: at a door.
        case stable = "STABLE"
        /// It seldom moves, and stays in the same place: in a window display.
        case portable = "PORTABLE"
        /// It often moves: in a bag, on a cart.
        case mobile = "MOBILE"
        /// It is always on its way: in a bus.
        case roving = "ROVING"
    }

    /// By which it is known for ever; it sends ``BeaconName/id``, unless it changes its names.
    public let name: BeaconName
    /// Whose it is; the beacon stays with it.
    public let project: ProjectID
    /// Set by ``become(_:)``.
    public private(set) var status: Status
    /// Nil: its owner has not said.
    public var stability: Stability?
    /// What it is, in its owner's words. Apps are not told.
    public var description: String
    /// Where it is, in its owner's words.
    public var place: String
    /// What else its owner has to say of it, by name. Apps are not told.
    public var properties: [String: String]
    /// What it stands for, as apps are told; see ``attach(_:)`` and ``detach(_:)``.
    public private(set) var attachments: [BeaconAttachment]
    /// Of one that changes the names it sends.
    public var ephemeral: EphemeralRegistration?
    /// How often it was written; 0: never yet.
    public var revision: Int64 = 0

    /// Throws: bounds that do not hold, a name of a moment.
    public init(
        _ name: BeaconName, of project: ProjectID, status: Status = .active, stability: Stability? = nil,
        description: String = "", place: String = "", properties: [String: String] = [:],
        attachments: [BeaconAttachment] = [], ephemeral: EphemeralRegistration? = nil
    ) throws(BeaconProblem) {
        (self.name, self.project, self.status, self.stability) = (name, project, status, stability)
        (self.description, self.place, self.properties) = (description, place, properties)
        (self.attachments, self.ephemeral) = (attachments, ephemeral)
        try check()
    }

    /// Throws: it is decommissioned.
    public mutating func become(_ status: Status) throws(BeaconProblem) {
        guard self.status != .decommissioned || status == .decommissioned else {
            throw BeaconProblem("\(name.text) is decommissioned, and stays so: register another one")
        }
        self.status = status
    }

    /// Throws: there are too many.
    public mutating func attach(_ attachment: BeaconAttachment) throws(BeaconProblem) {
        try BeaconLimits.check(attachmentCount: attachments.count + 1)
        attachments.append(attachment)
    }

    /// Returns how many went.
    public mutating func detach(_ isWanted: (AttachmentType) -> Bool) -> Int {
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

/// Names of attachments, given to one project.
public struct BeaconNamespace: Sendable, Hashable {
    /// One project's alone; ``rule`` says of what it may be made.
    public var name: String
    /// The one that claimed it, for ever.
    public var project: ProjectID
    /// Whether every project sees what is in it.
    public var isPublic: Bool

    /// Nil unless it may be one.
    public init?(_ name: String, of project: ProjectID, isPublic: Bool = false) {
        guard AttachmentType.isNamespace(name) else { return nil }
        (self.name, self.project, self.isPublic) = (name, project, isPublic)
    }
}
