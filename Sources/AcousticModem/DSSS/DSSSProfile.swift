/// One waveform of the DSSS family, with every parameter that both ends share; all else is derived.
///
/// The wire format is drawn and tabled in this target's README.
package struct DSSSProfile: Sendable, Hashable {
    /// The name that users write: `dsss`, `dsss-quick`, `dsss-far`, `dsss-wide`.
    package let name: String
    /// The band in which the profile is received; its centre is the carrier.
    package let band: Band
    /// The frequency range that holds 99.4 % of the energy or more.
    package let bandHz: ClosedRange<Double>
    package let chipRateHz: Double
    /// The bandwidth–time product of the Gaussian that smooths the frequency steps.
    let gaussianBT: Double
    /// The number of coded bits of the polar code, and of data chips in a segment.
    let codeLength: Int
    let pilots: PilotPattern
    /// The number of times that the coded bits are sent, back to back, with a new interleaver each time.
    let segmentCount: Int
    let rampChipCount: Int
    /// A number that keeps the interleavers and scramblers of profiles apart.
    let scramblerFamily: UInt64
    /// The profile's ``WaveformProfile/thresholdDecibels``.
    package let thresholdDecibels: Double

    package var carrierHz: Double { band.centreHz }
    /// The number of baseband samples that a chip lasts.
    var samplesPerChip: Double { band.rateHz / chipRateHz }

    package var segmentChipCount: Int { codeLength + pilots.chipCount }
    /// Returns true if the segments hold the same clusters at the same places as another profile's. One field
    /// of correlations then serves both.
    func sharesClusters(with other: DSSSProfile) -> Bool {
        (band, chipRateHz, gaussianBT, codeLength)
            == (other.band, other.chipRateHz, other.gaussianBT, other.codeLength)
            && pilots.sharesClusters(with: other.pilots)
    }

    /// The number of chips on air, ramps included.
    package var chipCount: Int { segmentCount * segmentChipCount + 2 * rampChipCount }
    /// The on-air time of a frame, the same for every token length.
    package var durationSeconds: Double { Double(chipCount + 2) / chipRateHz }

    /// The time from one frame's start to the next one's at the standard gap.
    package var repeatPeriodSeconds: Double { durationSeconds + WaveformProfile.standardGapSeconds }
}

extension DSSSProfile {
    /// Eight bytes in under half a second, for short distances and loud senders.
    package static let dsssQuick = DSSSProfile(
        name: "dsss-quick", band: .nearUltrasonic, bandHz: 18_500...20_000, chipRateHz: 1500, gaussianBT: 0.3,
        codeLength: 512, pilots: .quick,
        segmentCount: 1, rampChipCount: 15, scramblerFamily: 1, thresholdDecibels: 3.71)

    /// The default profile.
    package static let dsss = DSSSProfile(
        name: "dsss", band: .nearUltrasonic, bandHz: 18_500...20_000, chipRateHz: 1200, gaussianBT: 0.5,
        codeLength: 1024, pilots: .standard,
        segmentCount: 1, rampChipCount: 12, scramblerFamily: 2, thresholdDecibels: 2.83)

    /// Three segments, with clusters as of ``dsss``, in one burst, searched and decoded jointly.
    package static let dsssFar = DSSSProfile(
        name: "dsss-far", band: .nearUltrasonic, bandHz: 18_500...20_000, chipRateHz: 1200, gaussianBT: 0.5,
        codeLength: 1024, pilots: .far,
        segmentCount: 3, rampChipCount: 12, scramblerFamily: 3, thresholdDecibels: 3.53)

    /// The code of ``dsss`` in less than half the time, at 15 to 18 kHz.
    package static let dsssWide = DSSSProfile(
        name: "dsss-wide", band: Band(centreHz: 16_500, halfWidthHz: 2360, decimation: 10),
        bandHz: 15_000...18_000, chipRateHz: 3000, gaussianBT: 0.3, codeLength: 1024, pilots: .standard,
        segmentCount: 1, rampChipCount: 30, scramblerFamily: 4, thresholdDecibels: 2.99)

    /// The profiles of the standard band.
    package static let all = [dsssQuick, dsss, dsssFar]
}
