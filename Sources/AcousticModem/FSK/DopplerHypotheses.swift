/// What acquisition tries: time scales half a tone apart and, where walkers are heard, one hypothesis that holds all of
/// theirs. Each for every lane: column `doppler · lanes + lane`.
struct DopplerHypotheses: Sendable {
    /// Of each hypothesis; a walker's is 0.
    let timeScales: [Double]
    /// Which hypothesis is a walker's: the last one, or none.
    let walker: Int?

    var columnCount: Int { timeScales.count * FSKFrameLayout.laneCount }

    func isWalker(column: Int) -> Bool { column / FSKFrameLayout.laneCount == walker }

    func timeScale(column: Int) -> Double { timeScales[column / FSKFrameLayout.laneCount] }

    /// Columns of the same lane and about the same Doppler; a walker's is by itself.
    func neighbours(_ column: Int, within reach: Int) -> StrideThrough<Int> {
        let lanes = FSKFrameLayout.laneCount
        let (doppler, lane) = column.quotientAndRemainder(dividingBy: lanes)
        let last = (walker ?? timeScales.count) - 1
        let near =
            doppler == walker ? doppler...doppler : max(0, doppler - reach)...min(last, doppler + reach)
        return stride(
            from: near.lowerBound * lanes + lane, through: near.upperBound * lanes + lane, by: lanes)
    }

    /// Whether no neighbour of a cell has more; of equals the first one is the peak.
    ///
    /// - Parameter scores: `[columns][width]`, with `steps` beyond the cell on either side.
    func isPeak(
        _ scores: UnsafePointer<Float>, width: Int, column: Int, _ i: Int, steps: Int, dopplers: Int
    ) -> Bool {
        let score = scores[column * width + i]
        for other in neighbours(column, within: dopplers) {
            for j in i - steps...i + steps {
                let rival = scores[other * width + j]
                if rival > score || (rival == score && (other, j) < (column, i)) { return false }
            }
        }
        return true
    }
}
