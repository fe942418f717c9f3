/// A query to a ``BeaconRegistry``. It has one filter, so that the engine knows to which filter an answer
/// belongs.
public struct BeaconQuery: Sendable, Hashable {
    /// The ids that were heard recently and are new or due for another query. The engine puts at most 256 in
    /// one query.
    public var ids: Set<AdvertisedID>
    /// The filter for the requested attachments.
    public var filter: AttachmentFilter

    /// Creates a query from its parts. The engine makes its queries itself.
    public init(_ ids: Set<AdvertisedID>, _ filter: AttachmentFilter) {
        (self.ids, self.filter) = (ids, filter)
    }
}
