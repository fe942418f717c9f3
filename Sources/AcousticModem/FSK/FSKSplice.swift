import Signal

/// A frame in two pieces: sound was cut out of it, or silence was put into it, without notice.
///
///     sent        |0 1 2 3 4 5 6 7 8 9|
///     inserted    |0 1 2 3|     |4 5 6 7 8 9|  the last piece seems to begin later: first.start < last.start
///     removed     |0 1 2 3|7 8 9|              … earlier; symbols 4 … 6 are lost
struct FSKSplice: Sendable {
    /// The settings of the frame that its first piece and its last piece imply.
    var first: FSKTracker.Setting
    var last: FSKTracker.Setting
    /// The pieces: symbols `0..<firstEnd` stand in the first one, those from `lastStart` on in the last.
    var firstEnd: Int
    var lastStart: Int
    /// The nats that all symbols lack of good ones in their pieces: 0 at most, except for what sync tones
    /// add.
    var score: Float

    /// The greatest distance between the starts of pieces that is searched.
    static let reachSeconds = 1.25

    static func reachSymbols(_ tones: TonePlan) -> Int { Int(reachSeconds / tones.symbolSeconds) }
    static func reachSamples(_ tones: TonePlan) -> Int { reachSymbols(tones) * tones.symbolSamples }

    /// Returns each symbol from the piece that has it, and zeros for symbols that are lost.
    func grid(_ first: ToneGrid, _ last: ToneGrid) -> ToneGrid {
        var joined = last
        let (firstEnd, lastStart) = (firstEnd * last.allTones, lastStart * last.allTones)
        joined.values.replaceSubrange(..<firstEnd, with: first.values[..<firstEnd])
        for place in firstEnd..<lastStart { joined.values[place] = .zero }
        return joined
    }
}
