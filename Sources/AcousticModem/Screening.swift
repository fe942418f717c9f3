import Glibc
import Signal

/// A cheap look at the data chips before any decoding: squared, do they line up with the pilots' phase?
///
///     T = Σ_data 2 Re(ĥ* y)² / |ĥ|² − |y|²        0 in noise, positive along a frame's phase
struct Screening: Sendable {
    private static let phaseSeconds = 0.35
    /// Of the full likelihood weight: GMSK's neighbours stand across the phase and spoil part of it.
    private static let weight: Float = 0.6

    private let profile: WaveformProfile
    private let delayProfiles: [DelayProfile]
    private var tracker: Tracker

    init(profile: WaveformProfile) {
        self.profile = profile
        delayProfiles = DelayProfile.all(chipRateHz: profile.chipRateHz)
        tracker = Tracker(profile: profile)
    }

    /// The candidates whose pilots and data together reach `threshold` nats, best first.
    mutating func rank(
        _ candidates: [Candidate], _ plan: BurstPlan, _ baseband: BasebandWindow, threshold: Float
    ) -> [Candidate] {
        var scored: [(candidate: Candidate, score: Float)] = []
        for candidate in candidates {
            var score = candidate.score
            for segment in 0..<plan.segmentCount {
                let chips = tracker.chips(candidate, plan, segment: segment, baseband)
                score += alignment(chips, candidate, segment: plan.layoutIndex(segment: segment))
            }
            if score >= threshold { scored.append((candidate, score)) }
        }
        return scored.sorted { $0.score > $1.score }.map(\.candidate)
    }

    private func alignment(_ chips: [Complex], _ candidate: Candidate, segment: Int) -> Float {
        let count = profile.segmentChipCount
        var pilots = [Float](repeating: 0, count: count)
        for (cluster, start) in profile.pilots.starts.enumerated() {
            let sign = profile.pilots.sign(cluster: cluster, lane: candidate.lane, segment: segment)
            for (m, chip) in profile.pilots.code.enumerated() { pilots[start + m] = Float(sign * chip) }
        }
        let decay = Float(exp(-1 / (Screening.phaseSeconds * profile.chipRateHz)))
        var ahead = [Complex](repeating: .zero, count: count)
        var h = Complex.zero
        for i in 0..<count {
            ahead[i] = h
            h = h * decay + chips[Tracker.leadChips + i] * pilots[i]
        }
        var total: Float = 0
        h = .zero
        for i in (0..<count).reversed() {
            let estimate = ahead[i] + h
            let y = chips[Tracker.leadChips + i]
            h = h * decay + y * pilots[i]
            if pilots[i] != 0 { continue }
            let along = estimate.re * y.re + estimate.im * y.im
            total += 2 * along * along / (estimate.power + 1e-20) - y.power
        }
        let share = Float(delayProfiles[candidate.profileIndex].directShare)
        let perChip = candidate.pilotEnergy / Float(profile.pilots.chipCount) * share
        let energy = min(max(perChip, 0.05), 0.16) * Screening.weight
        return energy * total - 0.5 * Float(profile.codeLength) * energy * energy
    }
}
