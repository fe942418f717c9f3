import Synchronization

/// The places for connections, of which there are so many.
final class ConnectionPlaces: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int) { free = Mutex(count) }

    /// Returns true if there was a place, which is taken now.
    func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    func give() { free.withLock { $0 += 1 } }
}
