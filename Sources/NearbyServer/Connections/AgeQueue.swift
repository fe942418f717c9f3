/// Numbers in the order in which they came: the oldest is known, and any can be taken out, in constant time.
struct AgeQueue: Sendable {
    private struct Link {
        var older: Int?
        var newer: Int?
    }

    private var links: [Int: Link] = [:]
    private(set) var oldest: Int?
    private var newest: Int?

    var count: Int { links.count }

    /// Precondition: `number` is not in the queue.
    mutating func append(_ number: Int) {
        precondition(links[number] == nil, "each number is in the queue once")
        links[number] = Link(older: newest, newer: nil)
        if let newest { links[newest]!.newer = number } else { oldest = number }
        newest = number
    }

    /// Returns whether it was in the queue.
    @discardableResult
    mutating func remove(_ number: Int) -> Bool {
        guard let link = links.removeValue(forKey: number) else { return false }
        if let older = link.older { links[older]!.newer = link.newer } else { oldest = link.newer }
        if let newer = link.newer { links[newer]!.older = link.older } else { newest = link.older }
        return true
    }
}
