/// Numbers with colons between them, in the form of options: `19000:20:100`.
enum ColonNumbers {
    /// Returns the numbers; `nil` unless their count is allowed and all are finite.
    static func parse(_ text: some StringProtocol, count: ClosedRange<Int>) -> [Double]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
        return numbers.count == parts.count && count.contains(parts.count) ? numbers : nil
    }

    /// Returns the numbers after `word:`; `nil` if the text does not begin so.
    static func parse(_ text: String, after word: String, count: ClosedRange<Int>) -> [Double]? {
        guard text.hasPrefix(word + ":") else { return nil }
        return parse(text.dropFirst(word.count + 1), count: count)
    }
}
