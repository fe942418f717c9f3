/// The reasons for which the server does not read a body or the rest of it.
enum BodyFailure: Error, Hashable {
    /// The `Content-Type` of the body is this one instead of JSON.
    case otherType(String)
    /// The body has this `Content-Encoding`.
    case coded(String)
    /// The body has more than this many bytes.
    case tooLarge(Int)
    /// The body did not arrive in time.
    case late
    /// The bodies that are being received on all connections have too many bytes together.
    case noRoom
    /// The bodies that are being received from this address have too many bytes together.
    case noRoomForAddress
}
