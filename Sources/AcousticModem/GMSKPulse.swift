import Glibc

/// The phase pulse of Gaussian minimum-shift keying: how a ±90° step of phase is spread over time.
///
/// Reference: Murota, Hirade, *GMSK Modulation for Digital Mobile Radio Telephony*, IEEE Trans. Comm. 29(7), 1981.
struct GMSKPulse: Sendable {
    /// Standard deviation of the Gaussian, in chips.
    private let sigma: Double
    /// Beyond this many chips from its centre a transition is over, to 1e-5 of its step and better.
    static let reachChips = 2.5

    init(gaussianBT: Double) { sigma = log(2).squareRoot() / (2 * .pi * gaussianBT) }

    /// q(u), rising from 0 to 1 about u = 0 (chips).
    func phase(_ u: Double) -> Double {
        if u <= -GMSKPulse.reachChips { return 0 }
        if u >= GMSKPulse.reachChips { return 1 }
        return integral(u + 0.5) - integral(u - 0.5)
    }

    /// ∫ of the normal distribution up to x: x Φ(x/σ) + σ φ(x/σ).
    private func integral(_ x: Double) -> Double {
        let z = x / sigma
        return x * 0.5 * erfc(-z / (2.0).squareRoot()) + sigma * exp(-z * z / 2) / (2 * .pi).squareRoot()
    }
}
