/// What is asked of a ``BeaconRegistry``: one filter at a time, so that it is known what belongs to it.
public struct BeaconQuestion: Sendable, Hashable {
    /// Heard of late, and not asked about yet or not for long; the engine puts at most 256 in one question.
    public var ids: Set<AdvertisedID>
    /// Which of their attachments are wanted.
    public var filter: AttachmentFilter

    /// As given: the engine makes questions of its own.
    public init(_ ids: Set<AdvertisedID>, _ filter: AttachmentFilter) {
        (self.ids, self.filter) = (ids, filter)
    }
}
