extension Sequence {
    /// Elements by what they share, each group in their order.
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
