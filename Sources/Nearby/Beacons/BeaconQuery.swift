/// A question to a ``BeaconRegistry``. It has one filter, so that the engine knows what an answer belongs to.
public struct BeaconQuery: Sendable, Hashable {
    /// Heard of late, and not asked about yet or not for long; the engine puts at most 256 in one question.
    public var ids: Set<AdvertisedID>
    /// Which of their attachments are wanted.
    public var filter: AttachmentFilter

    /// Takes the parts as they are given. The engine makes its questions itself.
    public init(_ ids: Set<AdvertisedID>, _ filter: AttachmentFilter) {
        (self.ids, self.filter) = (ids, filter)
    }
}
