// One sort serves all kinds of elements. Swift's own is compiled anew for each kind and each rule, and was a
// twentieth of the module. These functions hide Swift's own of the same names in every module that imports
// this one. Equal elements keep their order, as Swift's own sort has it.

extension Sequence {
    @inlinable public func sorted(by precedes: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return placesInOrder(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
    }
}

extension Sequence where Element: Comparable {
    @inlinable public func sorted() -> [Element] { sorted(by: <) }
}

extension Array {
    @inlinable public mutating func sort(by precedes: (Element, Element) -> Bool) {
        if count > 1 { self = sorted(by: precedes) }
    }
}

/// Returns the indices in order, by a bottom-up merge sort.
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
public func placesInOrder(_ count: Int, _ precedes: (Int, Int) -> Bool) -> [Int] {
    var (places, merged) = (Array(0..<count), Array(0..<count))
    var width = 1
    while width < count {
        for start in stride(from: 0, to: count, by: 2 * width) {
            let (middle, end) = (Swift.min(start + width, count), Swift.min(start + 2 * width, count))
            var (left, right) = (start, middle)
            for place in start..<end {
                // Of two equal elements, the left one comes first.
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
