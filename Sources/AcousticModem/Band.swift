/// A stretch of the spectrum that is received as one: mixed down from its centre, low-passed and decimated.
///
///     sound, 48 kHz            ───┤  −  centre  +  ├──────▶ Hz        ± halfWidth is passed
///     baseband, 48 kHz / D          ┤   −  0  +   ├
///
/// A receiver converts its durations from seconds to samples with this type, so that its code holds no number
/// that belongs to one band.
package struct Band: Sendable, Hashable {
    /// The frequency that mixing moves to 0 Hz.
    package let centreHz: Double
    /// Half the width of the pass band.
    package let halfWidthHz: Double
    /// Samples of sound for each sample of the baseband, D.
    package let decimation: Int

    package init(centreHz: Double, halfWidthHz: Double, decimation: Int) {
        precondition(decimation > 0 && halfWidthHz > 0, "a band has a width and a rate")
        precondition(2 * (centreHz + halfWidthHz) < Receiver.sampleRateHz, "the sound must hold the band")
        (self.centreHz, self.halfWidthHz, self.decimation) = (centreHz, halfWidthHz, decimation)
    }

    /// Complex baseband samples a second.
    package var rateHz: Double { Receiver.sampleRateHz / Double(decimation) }

    /// Returns the number of baseband samples that lasts nearest to `seconds`.
    package func samples(seconds: Double) -> Int { Int((seconds * rateHz).rounded()) }

    /// Returns the greatest power of two of baseband samples that lasts no longer than `seconds`; transforms
    /// take it.
    package func transformSamples(seconds: Double) -> Int {
        let most = max(samples(seconds: seconds), 1)
        return 1 << (Int.bitWidth - 1 - most.leadingZeroBitCount)
    }

    /// Returns the position in the sound of a baseband sample. The half sample holds for every filter here:
    /// an even number of taps has its centre between two samples.
    package func soundSample(_ basebandSample: Double) -> Double { basebandSample * Double(decimation) - 0.5 }
    /// Does the opposite.
    func basebandSample(_ soundSample: Double) -> Double { (soundSample + 0.5) / Double(decimation) }
}

extension Band {
    /// The band from about 18.1 to 20.3 kHz. Its centre is two fifths of 48 kHz, which ``BandDecimator``
    /// folds into its taps.
    package static let nearUltrasonic = Band(centreHz: 19_200, halfWidthHz: 1180, decimation: 20)
}
