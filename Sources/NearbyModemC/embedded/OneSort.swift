// One sort serves all kinds of elements. Swift's own is compiled anew for each kind and each rule, and was a
// twentieth of the page's module and of the C library. These functions hide Swift's own of the same names in
// every module that imports this one. Equal elements keep their order, as Swift's own sort has it.

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
