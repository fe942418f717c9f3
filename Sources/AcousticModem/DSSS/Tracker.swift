import Glibc
import Signal

/// Candidate → chips in the transmitter's time: refines start and Doppler by the pilots, then reads every
/// chip and its echoes.
///
///     chips[i + lead]:   −32 … −1 | 0 … n − 1 | n … n + 111     a segment and what trails it
struct Tracker: Sendable {
    static let leadChips = 32
    static let tailChips = 112

    private let profile: DSSSProfile
    private let samplesPerChip: Double
    private var despreader: Despreader
    private var halfChips: ScratchBuffer<Complex>
    /// The half chips that cluster sums read.
    private let clusterOutputs: [Range<Int>]
    /// The cluster sums of each look at each half-chip offset, `[look][offset][cluster]`.
    private var sums: ScratchBuffer<Complex>
    /// The factor of each cluster at each step of the fine Doppler. `[dopplerSteps][cluster]`
    private let turns: [Complex]

    init(profile: DSSSProfile) {
        self.profile = profile
        samplesPerChip = profile.samplesPerChip
        despreader = Despreader(profile: profile, reachChips: Tracker.leadChips + Tracker.tailChips)
        clusterOutputs = profile.pilots.starts.map {
            2 * $0..<2 * ($0 + profile.pilots.code.count) + Tracker.offsetCount - 1
        }
        let clusterCount = profile.pilots.clusterCount
        sums = ScratchBuffer(
            count: BurstPlan.mostLooks * Tracker.offsetCount * clusterCount, repeating: .zero)
        turns = Tracker.dopplerSteps.flatMap { step in
            profile.pilots.starts.map { start in
                let chips = Double(start) - Double(profile.segmentChipCount) / 2
                let cycles = Double(step) * Tracker.stepCycles * chips / Double(profile.segmentChipCount)
                return Complex(Float(cos(-2 * .pi * cycles)), Float(sin(-2 * .pi * cycles)))
            }
        }
        halfChips = ScratchBuffer(count: 2 * profile.segmentChipCount + 8, repeating: .zero)
    }

    /// Returns the numbers of baseband samples before and after a candidate's start that tracking may read.
    static func reach(profile: DSSSProfile) -> (before: Int, after: Int) {
        let samplesPerChip = profile.samplesPerChip
        return (
            Int(Double(leadChips + 4) * samplesPerChip) + 32,
            Int(Double(profile.segmentChipCount + tailChips) * samplesPerChip * 1.006) + 64
        )
    }

    /// Returns the start of a segment under a hypothesis, in baseband samples.
    func segmentStart(_ candidate: Candidate, _ plan: BurstPlan, _ segment: Int) -> Double {
        candidate.start + Double(segment) * plan.spacingChips * samplesPerChip / (1 + candidate.timeScale)
    }

    /// The fine Dopplers that are tried, and the step between them in cycles of a segment.
    private static let dopplerSteps = -6...6
    private static let stepCycles = 0.12

    /// Returns the candidate with a finer start and time scale. They maximise the pilots' coherent sums over
    /// ±1 chip and ±0.7 cycles of Doppler in a segment.
    ///
    /// - Parameters:
    ///   - basebands: the baseband of every channel of a band.
    ///   - channels: the channels that hear the candidate, as many as the plan has.
    mutating func refine(
        _ candidate: Candidate, _ plan: BurstPlan, _ basebands: [BasebandWindow], _ channels: ChannelSet
    ) -> Candidate {
        var refined = candidate
        let sums = sums.claim()
        let stride = Tracker.offsetCount * profile.pilots.clusterCount
        for _ in 0..<2 {
            let before = refined
            for look in 0..<plan.lookCount {
                let (channel, segment) = look.quotientAndRemainder(dividingBy: plan.segmentCount)
                sumClusters(
                    refined, plan, segment, basebands[channels[channel]], into: sums + look * stride)
            }
            adjust(&refined, sums, lookCount: plan.lookCount)
            let movedChips = abs(refined.start - before.start) / samplesPerChip
            if movedChips < 0.25 && refined.timeScale == before.timeScale { break }
        }
        return refined
    }

    private static let offsetCount = 5  // half chips: −2 … +2

    /// Computes the cluster sums of one segment at five half-chip offsets. `[offset][cluster]`
    private mutating func sumClusters(
        _ candidate: Candidate, _ plan: BurstPlan, _ segment: Int, _ baseband: BasebandWindow,
        into sums: UnsafeMutablePointer<Complex>
    ) {
        let count = 2 * profile.segmentChipCount + 4
        let output = UnsafeMutableBufferPointer(start: halfChips.claim(), count: count)
        despreader.despread(
            baseband,
            ChipGrid(
                start: segmentStart(candidate, plan, segment), timeScale: candidate.timeScale,
                firstChip: -1, stepChips: 0.5), wanted: clusterOutputs, into: output)
        let pilots = profile.pilots
        for (cluster, start) in pilots.starts.enumerated() {
            let sign = Float(
                pilots.sign(
                    cluster: cluster, lane: candidate.lane, segment: plan.layoutIndex(segment: segment)))
            for offset in 0..<Tracker.offsetCount {
                var sum = Complex.zero
                for (m, chip) in pilots.code.enumerated() {
                    // The output is turned by the chip under it, not by the pilot's own: a whole chip of
                    // offset makes one quarter turn.
                    sum += output[2 * (start + m) + offset] * Float(chip)
                }
                sums[offset * pilots.clusterCount + cluster] = sum * sign
            }
        }
    }

    private mutating func adjust(
        _ candidate: inout Candidate, _ sums: UnsafePointer<Complex>, lookCount: Int
    ) {
        let stepHz = Tracker.stepCycles * profile.chipRateHz / Double(profile.segmentChipCount)
        let clusterCount = profile.pilots.clusterCount
        var best = (power: -Double.infinity, shiftHz: 0.0, offset: 2)
        var bestRow = InlineArray<5, Double>(repeating: 0)
        for (place, step) in Tracker.dopplerSteps.enumerated() {
            let shiftHz = Double(step) * stepHz
            let turns = turns[place * clusterCount..<(place + 1) * clusterCount]
            var row = InlineArray<5, Double>(repeating: 0)
            for offset in 0..<Tracker.offsetCount {
                var power = 0.0
                for look in 0..<lookCount {
                    let values = sums + (look * Tracker.offsetCount + offset) * clusterCount
                    var sum = Complex.zero
                    for (cluster, turn) in turns.enumerated() { sum += values[cluster] * turn }
                    power += Double(sum.power)
                }
                row[offset] = power.squareRoot()
            }
            for offset in 1..<Tracker.offsetCount - 1 where row[offset] > best.power {
                best = (row[offset], shiftHz, offset)
                bestRow = row
            }
        }
        let (before, here, after) = (
            bestRow[best.offset - 1], bestRow[best.offset], bestRow[best.offset + 1]
        )
        let curvature = before - 2 * here + after
        let fraction =
            abs(curvature) > 1e-9 * here ? min(max(0.5 * (before - after) / curvature, -0.5), 0.5) : 0
        candidate.timeScale += best.shiftHz / profile.carrierHz
        candidate.start += (Double(best.offset - 2) + fraction) * samplesPerChip / 2
    }

    /// Returns all chips of one segment with its lead and tail, scaled to unit mean power over the segment.
    /// Shape: `[leadChips + segmentChipCount + tailChips]`.
    mutating func chips(
        _ candidate: Candidate, _ plan: BurstPlan, segment: Int, _ baseband: BasebandWindow
    ) -> [Complex] {
        let count = Tracker.leadChips + profile.segmentChipCount + Tracker.tailChips
        var chips = [Complex](unsafeUninitializedCapacity: count) { buffer, initialised in
            buffer.initialize(repeating: .zero)
            initialised = count
        }
        chips.withUnsafeMutableBufferPointer { buffer in
            despreader.despread(
                baseband,
                ChipGrid(
                    start: segmentStart(candidate, plan, segment), timeScale: candidate.timeScale,
                    firstChip: -Tracker.leadChips, stepChips: 1), wanted: [0..<buffer.count], into: buffer)
            var power: Float = 0
            for i in Tracker.leadChips..<Tracker.leadChips + profile.segmentChipCount {
                power += buffer[i].power
            }
            let scale =
                power > Kernels.leastPower ? (Float(profile.segmentChipCount) / power).squareRoot() : 0
            for i in buffer.indices { buffer[i] *= scale }
        }
        return chips
    }
}
