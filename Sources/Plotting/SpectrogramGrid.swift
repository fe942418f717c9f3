import Glibc

/// The power over time and frequency that ``Spectrogram`` found; a sine of full scale has power 1.
package struct SpectrogramGrid: Sendable {
    package let startSeconds: Double
    package let endSeconds: Double
    let columnSeconds: Double
    let firstHz: Double
    let binHz: Double
    /// `[column][bin]`
    let powers: [[Float]]

    /// The level that silence is shown as.
    static let silenceDecibels: Float = -200

    /// Returns levels in dB of full scale for a picture of that size, top row first. `[height][width]`
    ///
    /// Pixels that hold several columns show the greatest power, those that hold several bins the mean; finer
    /// pixels are interpolated. Frequencies the sound cannot hold are silent.
    package func levels(width: Int, height: Int, bandHz: ClosedRange<Double>) -> [[Float]] {
        let pixelHz = (bandHz.upperBound - bandHz.lowerBound) / Double(height)
        let columnsInPixel = (endSeconds - startSeconds) / Double(width) / columnSeconds
        var rows = [[Float]](repeating: [], count: height)
        for x in 0..<width {
            let column = self.column(at: Double(x) * columnsInPixel, count: columnsInPixel)
            for y in 0..<height {
                let bottomHz = bandHz.upperBound - Double(y + 1) * pixelHz
                rows[y].append(level(column, from: (bottomHz - firstHz) / binHz, count: pixelHz / binHz))
            }
        }
        return rows
    }

    /// Returns the powers of `count` columns from `first` on; both need not be whole.
    private func column(at first: Double, count: Double) -> [Float] {
        guard !powers.isEmpty else { return [] }
        let last = powers.count - 1
        guard count > 1 else {
            // Column k holds windows around its own beginning as long as columns are narrower than a hop.
            let place = min(max(0, first + count / 2), Double(last))
            let left = Int(place)
            let share = Float(place - Double(left))
            return zip(powers[left], powers[min(left + 1, last)]).map { $0 + share * ($1 - $0) }
        }
        let range = min(Int(first), last)...min(max(Int(first), Int((first + count).rounded(.up)) - 1), last)
        return range.dropFirst().reduce(powers[range.lowerBound]) { greatest, index in
            zip(greatest, powers[index]).map { max($0, $1) }
        }
    }

    /// Returns the level of `count` bins from `first` on, in dB.
    private func level(_ column: [Float], from first: Double, count: Double) -> Float {
        func decibels(_ power: Float) -> Float {
            power > 1e-20 ? 10 * log10(power) : SpectrogramGrid.silenceDecibels
        }
        let last = column.count - 1
        let middle = first + count / 2
        guard middle >= 0, middle <= Double(last) else { return SpectrogramGrid.silenceDecibels }
        guard count > 2 else {
            let below = Int(middle)
            let (low, high) = (decibels(column[below]), decibels(column[min(below + 1, last)]))
            return low + Float(middle - Double(below)) * (high - low)
        }
        let range = max(0, Int(first.rounded(.up)))...min(last, Int(first + count))
        return decibels(range.reduce(0) { $0 + column[$1] } / Float(range.count))
    }
}
