/// A set in a sorted array. With a few elements it takes fewer instructions and less memory than a hash
/// table, and its elements come in order. A change costs time in proportion to the number of elements.
struct SortedSet<Element: Comparable & Sendable>: Sendable {
    /// The elements, the lowest first.
    private(set) var inOrder: [Element] = []

    init() {}

    init(_ elements: some Sequence<Element>) {
        let all = elements.ordered()
        // Most often there is one or none.
        guard all.count > 1 else {
            inOrder = all
            return
        }
        for element in all where inOrder.last != element { inOrder.append(element) }
    }

    func contains(_ element: Element) -> Bool {
        let place = place(of: element)
        return place < inOrder.count && inOrder[place] == element
    }

    mutating func insert(_ element: Element) {
        let place = place(of: element)
        if place == inOrder.count || inOrder[place] != element { inOrder.insert(element, at: place) }
    }

    mutating func remove(_ element: Element) {
        let place = place(of: element)
        if place < inOrder.count, inOrder[place] == element { inOrder.remove(at: place) }
    }

    /// Returns the index of the element, or of the one before which it would stand.
    private func place(of element: Element) -> Int {
        inOrder.leadingCount { $0 < element }
    }
}
