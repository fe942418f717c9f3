/// A binary heap of elements by cost, the cheapest first.
struct CostHeap<Element> {
    private var items: [(cost: Float, element: Element)] = []

    mutating func push(_ element: Element, cost: Float) {
        items.append((cost, element))
        var place = items.count - 1
        while place > 0, items[(place - 1) / 2].cost > items[place].cost {
            items.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func pop() -> Element? {
        guard let first = items.first else { return nil }
        let last = items.removeLast()
        guard !items.isEmpty else { return first.element }
        items[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < items.count && items[child].cost < items[least].cost {
                least = child
            }
            if least == place { return first.element }
            items.swapAt(place, least)
            place = least
        }
    }
}
