/// Where an output sample stands among the input samples: a whole sample and a fraction, without drift.
///
/// Rates that are whole numbers of hertz stand in an exact ratio; their fractions repeat after `phaseCount` outputs.
/// Others are taken to the precision of a product, 2⁻¹⁸ sample after four days at 48 kHz.
struct ResamplingPosition: Sendable {
    private let ratio: Ratio
    /// Of the present output.
    private var outputIndex = 0
    private var sample = 0
    private var numerator = 0

    private enum Ratio: Sendable {
        /// Input samples per output.
        case exact(numerator: Int, denominator: Int)
        case real(Double)
    }

    init(fromHz: Double, toHz: Double) {
        guard let from = Int(exactly: fromHz), let to = Int(exactly: toHz) else {
            ratio = .real(fromHz / toHz)
            return
        }
        let divisor = ResamplingPosition.greatestCommonDivisor(from, to)
        ratio = .exact(numerator: from / divisor, denominator: to / divisor)
    }

    /// How many fractions there are; nil when they never repeat.
    var phaseCount: Int? {
        switch ratio {
        case .exact(_, let denominator): denominator
        case .real: nil
        }
    }

    /// The fraction in units of 1 / `phaseCount`.
    var phase: Int { numerator }

    /// 0 ≤ fraction < 1.
    var fraction: Double {
        switch ratio {
        case .exact(_, let denominator): Double(numerator) / Double(denominator)
        case .real(let ratio): Double(outputIndex) * ratio - Double(sample)
        }
    }

    /// Goes to the next output. Returns by how many input samples.
    mutating func advance() -> Int {
        outputIndex += 1
        switch ratio {
        case .exact(let step, let denominator):
            numerator += step
            let whole = numerator / denominator
            numerator -= whole * denominator
            return whole
        case .real(let ratio):
            let next = Int(Double(outputIndex) * ratio)
            defer { sample = next }
            return next - sample
        }
    }

    /// Outputs that stand before the end of `inputCount` samples.
    func outputCount(forInput inputCount: Int) -> Int {
        switch ratio {
        case .exact(let step, let denominator):
            let (whole, rest) = inputCount.quotientAndRemainder(dividingBy: step)
            return whole * denominator + (rest * denominator + step - 1) / step
        case .real(let ratio): return Int((Double(inputCount) / ratio).rounded(.up))
        }
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }
}
