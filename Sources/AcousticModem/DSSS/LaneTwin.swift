import Signal

/// The other lane that explains a frame as well if a third of its pilots is missing.
///
///     lane      0      1      2      3
///     thirds   +++    ++-    +-+    +--
///     first missing: 0 is like 3, and 1 like 2, but for a sign, which is the phase's
///
/// Lost sound, or a burst over a third of a short frame, leaves two possible lanes; only the code
/// distinguishes them.
enum LaneTwin {
    /// Returns the other lane that explains a look's pilots as well as its own; `nil` if all thirds are
    /// there.
    ///
    /// - Parameter look: a look at the first segment of a frame.
    static func lane(_ look: Look, _ pilots: PilotPattern) -> Int? {
        var sums = InlineArray<3, Complex>(repeating: .zero)
        for (cluster, start) in pilots.starts.enumerated() {
            let sign = Float(pilots.sign(cluster: cluster, lane: look.candidate.lane, segment: 0))
            var sum = Complex.zero
            for (offset, chip) in pilots.code.enumerated() {
                sum += look.chips[Tracker.leadChips + start + offset] * Float(chip)
            }
            sums[pilots.group(ofCluster: cluster)] += sum * sign
        }
        let powers = [sums[0].power, sums[1].power, sums[2].power]
        guard let greatest = powers.max(), let least = powers.min(),
            least < Thresholds.dsss.missingThirdShare * greatest, let third = powers.firstIndex(of: least)
        else { return nil }
        return look.candidate.lane ^ (PilotPattern.groupCount - third)
    }
}
