/// The scale of levels that colours stand for, in dB of full scale: from the quiet to nearly the loudest of a
/// picture.
package struct LevelScale: Sendable, Hashable {
    package let floorDecibels: Double
    package let topDecibels: Double

    /// Chooses multiples of 5 dB, 30 to 80 dB apart, such that noise that fills most of the picture is dark.
    package init(levels: [[Float]]) {
        let heard = levels.joined().filter { $0 > SpectrogramGrid.silenceDecibels && $0.isFinite }.sorted()
        guard !heard.isEmpty else {
            (floorDecibels, topDecibels) = (-120, -60)
            return
        }
        let quiet = (Double(heard[heard.count / 2] - 10) / 5).rounded() * 5
        // The loudest thousandth may lie beyond the scale.
        let loud = (Double(heard[(heard.count - 1) * 999 / 1000]) / 5).rounded(.up) * 5
        topDecibels = max(loud, quiet + 30)
        floorDecibels = max(quiet, topDecibels - 80)
    }

    /// Returns the place of a level in the scale: 0 at the floor, 1 at the top.
    package func share(_ decibels: Float) -> Double {
        (Double(decibels) - floorDecibels) / (topDecibels - floorDecibels)
    }
}
