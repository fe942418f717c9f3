import Signal

/// The stretch of baseband that a receiver still holds, in a ring with little spare room; outside it, silence
/// is read.
struct BasebandRing: Sendable {
    private(set) var start: SamplePosition = 0
    private(set) var end: SamplePosition = 0
    /// Sample n is at n mod count.
    private var ring: [Complex] = []

    mutating func append(_ fresh: ArraySlice<Complex>) {
        let needed = end - start + fresh.count
        // The ring grows by an eighth more, so that it grows seldom.
        if needed > ring.count { resize(to: needed + needed / 8) }
        let end = end
        ring.withUnsafeMutableBufferPointer { ring in
            fresh.withUnsafeBufferPointer { fresh in
                BasebandRing.forEachPart(end, fresh.count, of: ring.count) { place, done, count in
                    (ring.baseAddress! + place).copy(from: fresh.baseAddress! + done, count: count)
                }
            }
        }
        self.end += fresh.count
    }

    mutating func drop(before position: SamplePosition) { start = min(max(position, start), end) }

    /// Copies `count` samples from absolute `position` on.
    func copy(from position: SamplePosition, count: Int, to target: UnsafeMutablePointer<Complex>) {
        let first = min(max(start - position, 0), count)
        let last = max(first, min(end - position, count))
        target.update(repeating: .zero, count: first)
        ring.withUnsafeBufferPointer { ring in
            BasebandRing.forEachPart(position + first, last - first, of: ring.count) { place, done, count in
                (target + first + done).copy(from: ring.baseAddress! + place, count: count)
            }
        }
        (target + last).update(repeating: .zero, count: count - last)
    }

    private mutating func resize(to count: Int) {
        var grown = [Complex](repeating: .zero, count: count)
        grown.withUnsafeMutableBufferPointer { grown in
            BasebandRing.forEachPart(start, end - start, of: count) { place, done, count in
                copy(from: start + done, count: count, to: grown.baseAddress! + place)
            }
        }
        ring = grown
    }

    /// Calls `body` with the two stretches of a ring that hold `count` samples from `position` on: up to the
    /// ring's end, and from its beginning.
    @inline(__always)
    private static func forEachPart(
        _ position: SamplePosition, _ count: Int, of ringCount: Int,
        _ body: (_ place: Int, _ done: Int, _ count: Int) -> Void
    ) {
        guard count > 0 else { return }
        let place = position % ringCount
        let some = min(count, ringCount - place)
        body(place, 0, some)
        if some < count { body(0, some, count - some) }
    }
}
