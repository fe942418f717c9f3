/// Why the rest of a body is not read.
enum BodyFailure: Error, Hashable {
    /// It has more than ``Routes/largestBody`` bytes.
    case tooLarge
    /// It did not come in time.
    case late
    /// All bodies under way have too many bytes.
    case noRoom
    /// The bodies under way of this address have too many bytes.
    case noRoomForAddress
}
