/// The places of tokens in a programme, in frames from its first.
///
///     --at 2,10 --repeat 2      ··▮ gap ▮······▮ gap ▮········
///     --at 2 --until-end        ··▮ gap ▮ gap ▮ gap ▮ gap ▮···
struct MixSchedule {
    /// The length of one token in frames.
    let tokenFrames: Int
    /// The silence between two repeats in frames.
    let gapFrames: Int
    private let starts: [Int]
    private let repeatCount: Int
    /// True if tokens follow one another as long as there is room; otherwise there must be room for each of
    /// them.
    let isUntilEnd: Bool

    /// - Parameters:
    ///   - starts: the start of each group of repeats, in order.
    ///   - repeatCount: the number of repeats; `nil` for as many as there is room for.
    init(starts: [Int], tokenFrames: Int, gapFrames: Int, repeatCount: Int?) {
        (self.starts, self.tokenFrames, self.gapFrames) = (starts, tokenFrames, gapFrames)
        self.repeatCount = repeatCount ?? 1
        isUntilEnd = repeatCount == nil
    }

    /// Returns the start of the token of that index; `nil` after the last.
    func start(_ index: Int) -> Int? {
        let period = tokenFrames + gapFrames
        if isUntilEnd { return starts[0] + index * period }
        let (group, turn) = index.quotientAndRemainder(dividingBy: repeatCount)
        return group < starts.count ? starts[group] + turn * period : nil
    }

    /// The index of the first group that begins before the one before it has ended; `nil` if none does.
    var overlap: Int? {
        let length = repeatCount * (tokenFrames + gapFrames) - gapFrames
        return starts.indices.dropFirst().first { starts[$0] < starts[$0 - 1] + length }
    }
}
