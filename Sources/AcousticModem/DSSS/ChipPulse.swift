import Glibc

/// The shape that one chip has at complex baseband: the main pulse of Laurent's decomposition of GMSK.
///
/// A frame is, to within 1 % of its energy, Σ a_i j^i p(t − i T). Receivers correlate against this.
/// Reference: Laurent, *Exact and Approximate Construction of Digital Phase Modulations by Superposition of
/// Amplitude Modulated Pulses*, IEEE Trans. Comm. 34(2), 1986, eq. 6–15, with h = ½ and L = 5.
struct ChipPulse: Sendable {
    private let pulse: GMSKPulse
    private static let length = 2 * GMSKPulse.reachChips
    /// The distance in chips beyond which the pulse is less than 1e-3 of its peak for BT ≥ 0.3.
    static let reachChips = 2.5

    init(gaussianBT: Double) { pulse = GMSKPulse(gaussianBT: gaussianBT) }

    /// Returns p(u), with u in chips from the centre of the pulse. The pulse is even, and its peak is near 1.
    func value(_ u: Double) -> Double {
        if abs(u) >= ChipPulse.reachChips { return 0 }
        let start = u + (ChipPulse.length + 1) / 2
        return (0..<Int(ChipPulse.length)).reduce(1.0) { $0 * factor(start + Double($1)) }
    }

    /// Laurent's s_0: a half sine that rises with the phase pulse and falls with it again.
    private func factor(_ t: Double) -> Double {
        let rising = pulse.phase(min(t, ChipPulse.length) - GMSKPulse.reachChips)
        let falling = t > ChipPulse.length ? pulse.phase(t - ChipPulse.length - GMSKPulse.reachChips) : 0
        return sin(.pi / 2 * (rising - falling))
    }
}
