extension Sequence {
    /// Returns the elements sorted, like `sorted(by:)`; equal elements keep their order. It sorts indices, so
    /// that all kinds of elements share one sort, where Swift would compile a sort for each.
    package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        guard elements.count > 1 else { return elements }
        return placesInOrder(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
    }
}

extension Sequence where Element: Comparable {
    /// Returns the elements sorted, the lowest first.
    package func ordered() -> [Element] { ordered(by: <) }
}

extension Array {
    /// Returns the number of elements at the beginning that satisfy a condition, by bisection. No element
    /// after them satisfies it.
    @inlinable package func leadingCount(where isLeading: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isLeading(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Returns the indices in order, by a bottom-up merge sort. The page's and the C library's
/// `OneSort` is made of this file too.
@inline(never) @usableFromInline
package func placesInOrder(_ count: Int, _ precedes: (Int, Int) -> Bool) -> [Int] {
    var (places, merged) = (Array(0..<count), Array(0..<count))
    var width = 1
    while width < count {
        for start in stride(from: 0, to: count, by: 2 * width) {
            let (middle, end) = (Swift.min(start + width, count), Swift.min(start + 2 * width, count))
            var (left, right) = (start, middle)
            for place in start..<end {
                // The left one of two equal elements comes first.
                if left < middle, right >= end || !precedes(places[right], places[left]) {
                    merged[place] = places[left]
                    left += 1
                } else {
                    merged[place] = places[right]
                    right += 1
                }
            }
        }
        swap(&places, &merged)
        width *= 2
    }
    return places
}
