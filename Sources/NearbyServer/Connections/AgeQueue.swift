/// A queue of numbers in the order of their arrival. It finds the oldest number and removes any number in
/// constant time.
struct AgeQueue: Sendable {
    private struct Link {
        var older: Int?
        var newer: Int?
    }

    private var links: [Int: Link] = [:]
    private(set) var oldest: Int?
    private var newest: Int?

    var count: Int { links.count }

    /// Appends a number as the newest.
    ///
    /// - Precondition: `number` is not in the queue.
    mutating func append(_ number: Int) {
        precondition(links[number] == nil, "each number is in the queue once")
        links[number] = Link(older: newest, newer: nil)
        if let newest { links[newest]!.newer = number } else { oldest = number }
        newest = number
    }

    /// Removes a number.
    ///
    /// - Returns: True if the number was in the queue.
    @discardableResult
    mutating func remove(_ number: Int) -> Bool {
        guard let link = links.removeValue(forKey: number) else { return false }
        if let older = link.older { links[older]!.newer = link.newer } else { oldest = link.newer }
        if let newer = link.newer { links[newer]!.older = link.older } else { newest = link.older }
        return true
    }
}
