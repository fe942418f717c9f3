/// One waveform of the DSSS family: every parameter, shared by both ends; all else is derived.
///
/// The wire format is drawn and tabled in this target's README.
package struct DSSSProfile: Sendable, Hashable {
    /// As users name it: `dsss`, `dsss-quick`, `dsss-far`, `dsss-wide`.
    package let name: String
    /// The band that it is received in; its centre is the carrier.
    package let band: Band
    /// Where the energy is: 99.4 % of it and more.
    package let bandHz: ClosedRange<Double>
    package let chipRateHz: Double
    /// Bandwidth–time product of the Gaussian that smooths the frequency steps.
    let gaussianBT: Double
    /// Coded bits of the polar code, and data chips of a segment.
    let codeLength: Int
    let pilots: PilotPattern
    /// How often the coded bits are sent, each time interleaved anew, back to back.
    let segmentCount: Int
    let rampChipCount: Int
    /// Keeps the interleavers and scramblers of profiles apart.
    let scramblerFamily: UInt64
    /// ``WaveformProfile/thresholdDecibels``.
    package let thresholdDecibels: Double

    package var carrierHz: Double { band.centreHz }
    /// A chip lasts so many samples of the baseband.
    var samplesPerChip: Double { band.rateHz / chipRateHz }

    package var segmentChipCount: Int { codeLength + pilots.chipCount }
    /// Whether its segments hold the same clusters at the same places as another profile's: one field of correlations serves
    /// both.
    func sharesClusters(with other: DSSSProfile) -> Bool {
        (band, chipRateHz, gaussianBT, codeLength)
            == (other.band, other.chipRateHz, other.gaussianBT, other.codeLength)
            && pilots.sharesClusters(with: other.pilots)
    }

    /// All chips on air, ramps included.
    package var chipCount: Int { segmentCount * segmentChipCount + 2 * rampChipCount }
    /// On-air time of a frame, the same for every token length.
    package var durationSeconds: Double { Double(chipCount + 2) / chipRateHz }

    /// From one frame's start to the next one's at the standard gap.
    package var repeatPeriodSeconds: Double { durationSeconds + WaveformProfile.standardGapSeconds }
}

extension DSSSProfile {
    /// Eight bytes in under half a second, for near and loud.
    package static let dsssQuick = DSSSProfile(
        name: "dsss-quick", band: .nearUltrasonic, bandHz: 18_500...20_000, chipRateHz: 1500, gaussianBT: 0.3,
        codeLength: 512, pilots: .quick,
        segmentCount: 1, rampChipCount: 15, scramblerFamily: 1, thresholdDecibels: 3.71)

    /// The default.
    package static let dsss = DSSSProfile(
        name: "dsss", band: .nearUltrasonic, bandHz: 18_500...20_000, chipRateHz: 1200, gaussianBT: 0.5,
        codeLength: 1024, pilots: .standard,
        segmentCount: 1, rampChipCount: 12, scramblerFamily: 2, thresholdDecibels: 2.83)

    /// Three segments, with clusters as of ``dsss``, in one burst, searched and decoded jointly.
    package static let dsssFar = DSSSProfile(
        name: "dsss-far", band: .nearUltrasonic, bandHz: 18_500...20_000, chipRateHz: 1200, gaussianBT: 0.5,
        codeLength: 1024, pilots: .far,
        segmentCount: 3, rampChipCount: 12, scramblerFamily: 3, thresholdDecibels: 3.53)

    /// 15 to 18 kHz: the code of ``dsss`` in less than half the time.
    package static let dsssWide = DSSSProfile(
        name: "dsss-wide", band: Band(centreHz: 16_500, halfWidthHz: 2360, decimation: 10),
        bandHz: 15_000...18_000, chipRateHz: 3000, gaussianBT: 0.3, codeLength: 1024, pilots: .standard,
        segmentCount: 1, rampChipCount: 30, scramblerFamily: 4, thresholdDecibels: 2.99)

    /// Those of the standard band.
    package static let all = [dsssQuick, dsss, dsssFar]
}
