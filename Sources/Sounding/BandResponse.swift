import Glibc

/// The response over frequency, from all sweeps that were played at linear levels, weighted by their energy.
struct BandResponse {
    /// The response of ``SoundingBand/all``, over the reference band; `nil` if noise hides it, or if nothing
    /// arrived there.
    let decibels: [Double?]
    let tokenBandDecibels: Double?
    /// The widest band around the loudest step that stays within 6 and 10 dB of the reference band.
    let edges6Hz: ClosedRange<Double>?
    let edges10Hz: ClosedRange<Double>?

    /// - Parameter loudestDecibels: the level of the loudest sweeps that count.
    init(_ sweeps: [SweepGains], loudestDecibels: Double) {
        let chosen = zip(SoundingSignal.levelsDecibels, sweeps).filter { $0.0 <= loudestDecibels }
        let energy = chosen.reduce(0.0) { $0 + pow(SoundingSignal.amplitude(ofLevel: $1.0), 2) }
        func sum(_ values: (SweepGains) -> [Double]) -> [Double] {
            SoundingBand.all.indices.map { i in chosen.reduce(0.0) { $0 + values($1.1)[i] } / energy }
        }
        let (powers, noise) = (sum { $0.powers }, sum { $0.noisePowers })
        func measured(_ bandHz: Range<Double>) -> MeasuredPower? {
            MeasuredPower(
                power: SoundingBand.mean(powers, within: bandHz),
                noisePower: SoundingBand.mean(noise, within: bandHz),
                bandwidthHz: bandHz.upperBound - bandHz.lowerBound, valuesPerHertz: sweeps[0].gateSeconds)
        }
        let reference = measured(SoundingBand.referenceHz)?.power
        func relative(_ value: MeasuredPower?) -> Double? {
            guard let value, let reference else { return nil }
            return 10 * log10(value.power / reference)
        }
        let decibels = SoundingBand.all.map { relative(measured($0)) }
        tokenBandDecibels = relative(measured(SoundingBand.tokensHz))
        // The level of a hidden step has a known upper bound.
        let most = SoundingBand.all.indices.map { index in
            let limit = MeasuredPower.limit(
                noisePower: noise[index], bandwidthHz: SoundingBand.stepHz,
                valuesPerHertz: sweeps[0].gateSeconds)
            return decibels[index] ?? 10 * log10(limit / (reference ?? .leastNonzeroMagnitude))
        }
        self.decibels = decibels
        edges6Hz = BandResponse.edges(decibels, atMost: most, belowDecibels: -6)
        edges10Hz = BandResponse.edges(decibels, atMost: most, belowDecibels: -10)
    }

    /// Returns the edges of the band; `nil` if a step that noise hides could belong to it.
    private static func edges(
        _ decibels: [Double?], atMost values: [Double], belowDecibels limit: Double
    ) -> ClosedRange<Double>? {
        let heard = decibels.indices.filter { decibels[$0] != nil }
        guard let loudest = heard.max(by: { values[$0] < values[$1] }), values[loudest] >= limit else {
            return nil
        }
        let first = values[..<loudest].lastIndex { $0 < limit }.map { $0 + 1 } ?? 0
        let last = values[loudest...].firstIndex { $0 < limit }.map { $0 - 1 } ?? values.count - 1
        guard decibels[first...last].allSatisfy({ $0 != nil }) else { return nil }
        let low = crossing(values, inside: first, outside: first - 1, limit)
        return low...max(low, crossing(values, inside: last, outside: last + 1, limit))
    }

    /// Returns the crossing on a straight line between the middles of two steps; the band's own edge if there
    /// is no step outside.
    private static func crossing(_ values: [Double], inside: Int, outside: Int, _ limit: Double) -> Double {
        let steps = SoundingBand.all
        guard steps.indices.contains(outside) else {
            return outside < inside ? steps[inside].lowerBound : steps[inside].upperBound
        }
        let middle = (steps[inside].lowerBound + steps[inside].upperBound) / 2
        let share = (values[inside] - limit) / (values[inside] - values[outside])
        return middle + (share.isFinite ? share : 0) * SoundingBand.stepHz * Double(outside - inside)
    }
}
