import Coding
import Glibc
import Signal

/// An assumption about the channel under which chips become soft bits.
struct ChannelHypothesis: Sendable, Hashable {
    /// The index of the delay profile in ``DelayProfile/all(chipRateHz:)``.
    var profileIndex: Int
    /// The time constant of the channel estimate, for which the phase holds; `nil` for the whole segment.
    var coherenceSeconds: Double?
    /// The chip energy over the noise density, by which taps are weighed.
    var chipEnergy: Float
}

/// The known chips of a segment, with weights. `[segmentChipCount]` each.
struct KnownChips: Sendable {
    /// The chips, ±1; any value where the weight is 0.
    var values: [Float]
    /// The weights: 1 for pilots, less for chips decided by an earlier decoding, 0 for unknown chips.
    var weights: [Float]

    /// - Parameter pilots: ±1, or 0 for unknown chips.
    init(pilots: [Int8]) {
        values = pilots.map(Float.init)
        weights = pilots.map { $0 == 0 ? 0 : 1 }
    }

    /// Adds the data chips of a decoded word at a lower weight, for data-aided re-estimation.
    mutating func add(codedBits: [UInt8], layout: SegmentLayout, weight: Float) {
        for (index, chip) in layout.dataChips.enumerated() {
            let sign: Float = codedBits[Int(layout.codedBits[index])] == 1 ? -1 : 1
            values[Int(chip)] = sign * Float(layout.scrambler[index])
            weights[Int(chip)] = weight
        }
    }
}

/// Chips → soft bits: estimates the channel from the known chips around each chip, as one path or as a RAKE
/// over the delay profile. Opposite: ``DSSSModulator``.
///
///     h_k(i) = Σ_{i' ≠ i} λ^|i − i'| w(i') x(i') y(i' + k)          one estimate for each tap and chip
///     z(i) = Σ_k g_k(i) Re(h_k*(i) y(i + k)),   g = p e / (1 + p e E(i)),  E(i) the known energy in reach
///
/// If there are many paths, y(i + k) is less the echoes that the other known chips are expected to have left
/// there (``TapLoads/Reading``). Every chip is left out of its own estimate. References: Proakis, *Digital
/// Communications*, §13.5 (RAKE).
struct DSSSDemodulator: Sendable {
    private let profile: DSSSProfile
    private let delayProfiles: [DelayProfile]
    private let tapLoads: [TapLoads]
    private var known: ScratchBuffer<Float>
    private var partsRe: ScratchBuffer<Float>
    private var partsIm: ScratchBuffer<Float>

    init(profile: DSSSProfile) {
        self.profile = profile
        delayProfiles = DelayProfile.all(chipRateHz: profile.chipRateHz)
        tapLoads = delayProfiles.map { TapLoads(profile: $0) }
        let count = Tracker.leadChips + profile.segmentChipCount + Tracker.tailChips
        known = ScratchBuffer(count: profile.segmentChipCount, repeating: 0)
        partsRe = ScratchBuffer(count: count, repeating: 0)
        partsIm = ScratchBuffer(count: count, repeating: 0)
    }

    /// Returns the soft chips of one segment, positive for +1, under one hypothesis. `[segmentChipCount]`
    ///
    /// - Parameter chips: the chips of the segment with its lead and tail, as ``Tracker`` makes them.
    mutating func detect(
        _ chips: [Complex], known knownChips: KnownChips, _ hypothesis: ChannelHypothesis
    ) -> [Float] {
        let count = profile.segmentChipCount
        let decay = hypothesis.coherenceSeconds.map { Float(exp(-1 / ($0 * profile.chipRateHz))) } ?? 1
        var soft = [Float](repeating: 0, count: count)
        let energy = known.claim()
        let re = partsRe.claim()
        let im = partsIm.claim()
        for (i, chip) in chips.enumerated() { (re[i], im[i]) = (chip.re, chip.im) }
        DSSSDemodulator.spread(knownChips.weights, decay: decay, into: energy)
        let origin = Tracker.leadChips - TapLoads.referenceTap
        knownChips.values.withUnsafeBufferPointer { values in
            knownChips.weights.withUnsafeBufferPointer { weights in
                let frame = KnownFrame(
                    values: values.baseAddress!, weights: weights.baseAddress!, energy: energy, count: count,
                    decay: decay)
                if delayProfiles[hypothesis.profileIndex].isSingle {
                    frame.detectSinglePath(re + Tracker.leadChips, im + Tracker.leadChips, into: &soft)
                } else {
                    let taps = tapLoads[hypothesis.profileIndex].read(
                        re + origin, im + origin, known: knownChips, chipEnergy: hypothesis.chipEnergy)
                    frame.detectRAKE(re + origin, im + origin, taps, into: &soft)
                }
            }
        }
        return soft
    }

    /// Returns the evidence of a segment's pilots under a candidate's delay profile and energy, in nats.
    func pilotNats(_ chips: [Complex], pilots: KnownChips, of candidate: Candidate) -> Float {
        let evidence = TapEvidence(
            delayProfiles[candidate.profileIndex].weights, energy: candidate.pilotEnergy)
        return evidence.nats(
            TapLoads.coherentPowers(chips, pilots: pilots)
                .dropFirst(TapLoads.referenceTap - DelayProfile.referenceTap))
    }

    /// Adds the soft bits of one segment to `bits`, `[codeLength]`, in the code's order.
    static func addBits(of soft: [Float], _ layout: SegmentLayout, to bits: inout [SoftBit]) {
        for (index, chip) in layout.dataChips.enumerated() {
            // A scrambler of +1 sends bit 0 as +1.
            bits[Int(layout.codedBits[index])] -= soft[Int(chip)] * Float(layout.scrambler[index])
        }
    }

    /// Computes Σ_{i' ≠ i} λ^|i − i'| w(i') for each chip i.
    private static func spread(_ weights: [Float], decay: Float, into energy: UnsafeMutablePointer<Float>) {
        var sum: Float = 0
        for i in weights.indices {
            energy[i] = sum
            sum = decay * (sum + weights[i])
        }
        sum = 0
        for i in weights.indices.reversed() {
            energy[i] += sum
            sum = decay * (sum + weights[i])
        }
    }
}
