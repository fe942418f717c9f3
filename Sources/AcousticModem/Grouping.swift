extension Sequence {
    /// Groups elements that are alike; each group keeps their order.
    func grouped(by areAlike: (Element, Element) -> Bool) -> [[Element]] {
        reduce(into: []) { groups, element in
            if let group = groups.firstIndex(where: { areAlike($0[0], element) }) {
                groups[group].append(element)
            } else {
                groups.append([element])
            }
        }
    }
}
