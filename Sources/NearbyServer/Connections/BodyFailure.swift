/// Why a body, or the rest of it, is not read.
enum BodyFailure: Error, Hashable {
    /// It is no JSON, as its `Content-Type` says.
    case otherType(String)
    /// It has a `Content-Encoding`.
    case coded(String)
    /// It has more than ``Routes/largestBody`` bytes.
    case tooLarge
    /// It did not come in time.
    case late
    /// All bodies under way have too many bytes.
    case noRoom
    /// The bodies under way of this address have too many bytes.
    case noRoomForAddress
}
