import Glibc
import Signal

/// The lattice of a profile's Doppler hypotheses, with the places of clusters under each.
///
///     coarse bins: one correlation template each, half a cluster's main lobe wide
///     groups of 8 fine Dopplers inside a bin share cluster positions; each fine one has its own phases
///
/// A speed v compresses time by 1 + v/c: cluster offsets *and* carrier move together (wideband Doppler).
package final class SearchGrid: Sendable {
    /// The speed of sound in metres per second. Clock skew looks like speed: 100 ppm are 0.034 m/s.
    static let soundSpeed = 343.0
    /// The greatest speed that is searched all the time: 1.5 m/s and 100 ppm.
    static let largestSpeed = 1.53
    /// The greatest speed that is searched while something strong is in the air: 2.5 m/s and 1000 ppm.
    static let largestStrongSpeed = 2.87
    static let finePerGroup = 8

    let profile: DSSSProfile
    let binCount: Int
    /// The bins within ``largestSpeed``; the others are for strong frames.
    let coreBins: Range<Int>
    let groupsPerBin: Int
    /// The width of a coarse bin and the step of the fine ones, in hertz at the carrier.
    let binWidthHz: Double
    let fineStepHz: Double
    /// The length of a template in baseband samples, and the sample at which chip 0 of the cluster stands.
    let templateCount: Int
    let templateLeadSamples: Double
    let samplesPerChip: Double
    /// The number of starts that one search takes, half a second.
    let searchedStarts: Int
    private static let searchedSeconds = 0.5
    /// The greatest distance, under any hypothesis, from a segment's first cluster to its last.
    let segmentSpanSamples: Int

    /// The start of each `(bin, group, cluster)`, in baseband samples from the first cluster.
    private let clusterOffsets: [Int]
    /// e^{−jω offset} (−j)^position · sign, for each `(bin, group, cluster)`, `[2][8]` over the group's fine
    /// Dopplers, real parts first.
    private let rotations: [Float]

    var fineCount: Int { groupsPerBin * SearchGrid.finePerGroup }
    var clusterCount: Int { profile.pilots.clusterCount }
    /// The number of starts times core Dopplers in a second of sound.
    var hypothesesPerSecond: Double { Double(coreBins.count * fineCount) * profile.band.rateHz }

    package init(profile: DSSSProfile) {
        self.profile = profile
        let pilots = profile.pilots
        let chipSeconds = 1 / profile.chipRateHz
        let samplesPerChip = profile.band.rateHz * chipSeconds
        self.samplesPerChip = samplesPerChip
        searchedStarts = profile.band.samples(seconds: SearchGrid.searchedSeconds)
        let spanHz = 2 * SearchGrid.largestSpeed / SearchGrid.soundSpeed * profile.carrierHz
        // Bins are no wider than 0.4 / cluster; an odd count centres one on rest, where most transmitters
        // are.
        let coreCount = Int((spanHz / (0.4 / (Double(pilots.code.count) * chipSeconds))).rounded(.up)) | 1
        let fineWanted =
            spanHz / Double(coreCount) / (0.45 / (Double(profile.segmentChipCount) * chipSeconds))
        let groups = Int((fineWanted / Double(SearchGrid.finePerGroup)).rounded(.up))
        let binWidthHz = spanHz / Double(coreCount)
        let fineStepHz = binWidthHz / Double(groups * SearchGrid.finePerGroup)
        let outer = Int(
            ((SearchGrid.largestStrongSpeed / SearchGrid.largestSpeed - 1) * Double(coreCount) / 2).rounded(
                .up))
        let bins = coreCount + 2 * outer
        binCount = bins
        coreBins = outer..<outer + coreCount
        groupsPerBin = groups
        self.binWidthHz = binWidthHz
        self.fineStepHz = fineStepHz
        templateLeadSamples = 2 * samplesPerChip
        templateCount = Int((Double(pilots.code.count + 4) * samplesPerChip).rounded(.up)) + 2

        var clusterOffsets: [Int] = []
        var rotations: [Float] = []
        for bin in 0..<bins {
            for group in 0..<groups {
                let fine = (0..<SearchGrid.finePerGroup).map { lane in
                    SearchGrid.offsetHz(
                        bin: bin, fine: group * SearchGrid.finePerGroup + lane, bins, binWidthHz, fineStepHz)
                }
                let stretch = 1 + (fine[0] + fine[SearchGrid.finePerGroup - 1]) / 2 / profile.carrierHz
                for (cluster, start) in pilots.starts.enumerated() {
                    let offset = Int((Double(start) * samplesPerChip / stretch).rounded())
                    clusterOffsets.append(offset)
                    let sign = Double(pilots.signs[cluster])
                    let angles = fine.map {
                        -2 * Double.pi * $0 * Double(offset) / profile.band.rateHz - .pi / 2
                            * Double(start & 3)
                    }
                    rotations += angles.map { Float(sign * cos($0)) } + angles.map { Float(sign * sin($0)) }
                }
            }
        }
        self.clusterOffsets = clusterOffsets
        segmentSpanSamples = clusterOffsets.max() ?? 0
        self.rotations = rotations
    }

    private static func offsetHz(bin: Int, fine: Int, _ bins: Int, _ width: Double, _ step: Double) -> Double
    {
        (Double(bin) + 0.5 - Double(bins) / 2) * width + (Double(fine) + 0.5) * step - width / 2
    }

    /// Returns true for every other bin, with the middle one. A cluster also responds to a neighbouring bin's
    /// Doppler, 2 dB fainter, so they show a strong frame, and a room.
    func isOneOfEveryOther(_ bin: Int) -> Bool { (bin - binCount / 2) % 2 == 0 }

    /// Returns the carrier offset at the centre of a coarse bin.
    func binOffsetHz(_ bin: Int) -> Double { (Double(bin) + 0.5 - Double(binCount) / 2) * binWidthHz }

    /// Returns the time compression of a fine Doppler: speed over the speed of sound, clock skew included.
    func timeScale(bin: Int, fine: Int) -> Double {
        SearchGrid.offsetHz(bin: bin, fine: fine, binCount, binWidthHz, fineStepHz) / profile.carrierHz
    }

    func clusterOffset(bin: Int, group: Int, cluster: Int) -> Int {
        clusterOffsets[(bin * groupsPerBin + group) * clusterCount + cluster]
    }

    /// Calls `body` with the cluster offsets of the middle group, which the non-coherent gate uses for the
    /// whole bin.
    func withGateOffsets<Result>(bin: Int, _ body: (UnsafeBufferPointer<Int>) -> Result) -> Result {
        clusterOffsets.withUnsafeBufferPointer {
            let row = (bin * groupsPerBin + groupsPerBin / 2) * clusterCount
            return body(UnsafeBufferPointer(rebasing: $0[row..<row + clusterCount]))
        }
    }

    /// Returns the factor of a cluster at a bin's gate offset in the sum of clusters, at any carrier offset.
    func gateTurn(bin: Int, cluster: Int, offsetHz: Double) -> Complex {
        let offset = clusterOffset(bin: bin, group: groupsPerBin / 2, cluster: cluster)
        let quarters = Double(profile.pilots.starts[cluster] & 3)
        let angle =
            -2 * Double.pi * offsetHz * Double(offset) / profile.band.rateHz - .pi / 2 * quarters
        let sign = Double(profile.pilots.signs[cluster])
        return Complex(Float(sign * cos(angle)), Float(sign * sin(angle)))
    }

    /// Returns the time compression in the middle of a group.
    func groupTimeScale(bin: Int, group: Int) -> Double {
        let first = group * SearchGrid.finePerGroup
        return
            (timeScale(bin: bin, fine: first) + timeScale(bin: bin, fine: first + SearchGrid.finePerGroup - 1))
            / 2
    }

    /// Calls `body` with the row of offsets and the row of rotations, `[2][8]` each, of a group's clusters.
    @inline(__always)
    func withGroup<Result>(
        bin: Int, group: Int,
        _ body: (_ offsets: UnsafePointer<Int>, _ rotations: UnsafePointer<Float>) -> Result
    ) -> Result {
        let row = (bin * groupsPerBin + group) * clusterCount
        return clusterOffsets.withUnsafeBufferPointer { offsets in
            rotations.withUnsafeBufferPointer {
                body(offsets.baseAddress! + row, $0.baseAddress! + row * 2 * SearchGrid.finePerGroup)
            }
        }
    }
}
