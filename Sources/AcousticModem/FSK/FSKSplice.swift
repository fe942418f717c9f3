import Signal

/// A frame in two pieces: sound was cut out of it, or silence put into it, and nobody told.
///
///     sent        |0 1 2 3 4 5 6 7 8 9|
///     inserted    |0 1 2 3|     |4 5 6 7 8 9|     the last piece is of a frame that seems to begin later: first.start < last.start
///     removed     |0 1 2 3|7 8 9|                 … earlier; symbols 4 … 6 are lost
struct FSKSplice: Sendable {
    /// Where the frame begins for its first piece, and for its last.
    var first: FSKTracker.Setting
    var last: FSKTracker.Setting
    /// Symbols `0..<firstEnd` stand in the first piece, those from `lastStart` on in the last.
    var firstEnd: Int
    var lastStart: Int
    /// What all symbols lack of good ones in their pieces: nats, 0 at most but for what sync tones add.
    var score: Float

    /// How far apart the starts of pieces are looked for.
    static let reachSeconds = 1.25

    static func reachSymbols(_ tones: TonePlan) -> Int { Int(reachSeconds / tones.symbolSeconds) }
    static func reachSamples(_ tones: TonePlan) -> Int { reachSymbols(tones) * tones.symbolSamples }

    /// Each symbol of the piece that has it, and nothing for those that are lost.
    func grid(_ first: ToneGrid, _ last: ToneGrid) -> ToneGrid {
        var joined = last
        let (firstEnd, lastStart) = (firstEnd * last.allTones, lastStart * last.allTones)
        joined.values.replaceSubrange(..<firstEnd, with: first.values[..<firstEnd])
        for place in firstEnd..<lastStart { joined.values[place] = .zero }
        return joined
    }
}
