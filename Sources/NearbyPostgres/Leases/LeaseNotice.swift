import NearbyService

/// PostgreSQL's notice to all instances of a lease that changed hands: `project epoch instance address`.
struct LeaseNotice: Sendable, Hashable {
    var project: ProjectID
    var epoch: Int64
    /// The new holder; `nil` if the lease was given back.
    var instance: Int64?
    var address: String

    init?(_ payload: String) {
        let words = payload.split(separator: " ", maxSplits: 3)
        guard words.count >= 3, let project = Int64(words[0]), let epoch = Int64(words[1]),
            let instance = Int64(words[2])
        else { return nil }
        (self.project, self.epoch) = (ProjectID(project), epoch)
        self.instance = instance == 0 ? nil : instance
        address = words.count > 3 ? String(words[3]) : ""
    }
}
