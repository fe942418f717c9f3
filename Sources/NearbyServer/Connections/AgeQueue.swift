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
        let former = links.updateValue(Link(older: newest, newer: nil), forKey: number)
        precondition(former == nil, "each number is in the queue once")
        if let newest { links[newest]!.newer = number } else { oldest = number }
        newest = number
    }

    /// Makes a number the newest, whether or not it is in the queue.
    mutating func renew(_ number: Int) {
        guard newest != number else { return }
        remove(number)
        append(number)
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
