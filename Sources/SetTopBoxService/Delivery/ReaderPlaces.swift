/// Decides which reader of a ``MessageSocket`` leaves when all places are taken and another one comes.
///
/// The user with the most places gives one up, so that nobody else's readers shut a user out; among that user's processes, the one
/// with the most. A process of the same user could end the others anyway.
enum ReaderPlaces {
    struct Place: Hashable {
        var owner: SocketReader.Owner
        /// When the oldest line was sent that this reader has not read; nil: it has read them all.
        var unreadSince: ContinuousClock.Instant?
        /// It has been sent a line.
        var isServed: Bool
    }

    /// The index of the place that a newcomer gets.
    ///
    /// The reader of that process which gives up its place: the one that has not read for the longest time; else the newest that has
    /// yet to prove that it reads; else the newest.
    ///
    /// - Precondition: there is at least one place; they are in the order in which their readers came.
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
