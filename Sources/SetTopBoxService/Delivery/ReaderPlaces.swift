/// A rule that decides which reader of a ``MessageSocket`` leaves when all places are taken and another one
/// comes.
///
/// The user with the most places gives one up, so that other users' readers cannot shut a user out. Among
/// that user's processes, it is the one with the most places. A process of the same user could end the others
/// anyway.
enum ReaderPlaces {
    struct Place: Hashable {
        var owner: SocketReader.Owner
        /// The time when the oldest line that this reader has not read was sent; `nil` if it has read all
        /// lines.
        var unreadSince: ContinuousClock.Instant?
        /// True if a line was sent to it.
        var isServed: Bool
    }

    /// Returns the index of the place that a newcomer gets.
    ///
    /// It is the place of that process's reader that has left lines unread for the longest time. If there is
    /// none, it is the newest reader that has yet to prove that it reads; otherwise the newest.
    ///
    /// - Precondition: there is at least one place. The places are in the order in which their readers came.
    static func leaver(of places: [Place], for newcomer: SocketReader.Owner) -> Int {
        var users: [UInt32: Int] = [newcomer.user: 1]
        var processes: [SocketReader.Owner: Int] = [newcomer: 1]
        for place in places {
            users[place.owner.user, default: 0] += 1
            processes[place.owner, default: 0] += 1
        }
        let mostOfUser = places.map { users[$0.owner.user] ?? 0 }.max() ?? 0
        let ofUser = places.indices.filter { users[places[$0].owner.user] == mostOfUser }
        let mostOfProcess = ofUser.map { processes[places[$0].owner] ?? 0 }.max() ?? 0
        let candidates = ofUser.filter { processes[places[$0].owner] == mostOfProcess }
        let unread = candidates.filter { places[$0].unreadSince != nil }
        if let slowest = unread.min(by: { places[$0].unreadSince! < places[$1].unreadSince! }) {
            return slowest
        }
        return candidates.last { !places[$0].isServed } ?? candidates.last ?? places.startIndex
    }
}
