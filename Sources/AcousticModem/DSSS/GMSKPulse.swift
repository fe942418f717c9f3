import Glibc

/// The phase pulse of Gaussian minimum-shift keying: the spread of a ±90° phase step over time.
///
/// Reference: Murota, Hirade, *GMSK Modulation for Digital Mobile Radio Telephony*, IEEE Trans. Comm. 29(7),
/// 1981.
struct GMSKPulse: Sendable {
    /// The values of q at steps of 1/1024 chip, read with linear interpolation: within 1e-6 of the exact
    /// pulse.
    private let table: [Double]
    private static let stepsPerChip = 1024.0
    /// The distance in chips from its centre at which a transition is over, to 1e-5 of its step or better.
    static let reachChips = 2.5

    init(gaussianBT: Double) {
        let sigma = log(2).squareRoot() / (2 * .pi * gaussianBT)
        let count = Int(2 * GMSKPulse.reachChips * GMSKPulse.stepsPerChip)
        table = (0...count + 1).map {
            GMSKPulse.exactPhase(Double($0) / GMSKPulse.stepsPerChip - GMSKPulse.reachChips, sigma)
        }
    }

    /// Returns q(u), which rises from 0 to 1 about u = 0; u is in chips.
    func phase(_ u: Double) -> Double {
        if u <= -GMSKPulse.reachChips { return 0 }
        if u >= GMSKPulse.reachChips { return 1 }
        let place = (u + GMSKPulse.reachChips) * GMSKPulse.stepsPerChip
        let index = Int(place)
        return table[index] + (place - Double(index)) * (table[index + 1] - table[index])
    }

    /// Returns P(u + ½) − P(u − ½) with P(x) = x Φ(x/σ) + σ φ(x/σ), the integral of the normal distribution.
    static func exactPhase(_ u: Double, _ sigma: Double) -> Double {
        func integral(_ x: Double) -> Double {
            let z = x / sigma
            return x * 0.5 * erfc(-z / (2.0).squareRoot()) + sigma * exp(-z * z / 2) / (2 * .pi).squareRoot()
        }
        return integral(u + 0.5) - integral(u - 0.5)
    }
}
