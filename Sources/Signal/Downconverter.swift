import Glibc

/// Real samples → complex baseband around any carrier, decimated. Streaming: chunks of any size give the same output as
/// one long chunk.
///
///     y[m] = e^{−j 2π f D m} Σ_k h[k] e^{−j 2π f k} x[D m − taps / 2 + k]        f = carrier / rate
///
/// Shapes: in `[n]` → out `[≈ n / D]`. Output m stands at input time `D m − 0.5`. Samples that are not finite, or
/// beyond ±16 of full scale, count as silence. For 19.2 kHz there is ``BandDecimator``, which needs half the products.
public struct Downconverter: Sendable {
    private static let sanestMagnitude: Float = 16
    private static let tapCount = 128

    private let factor: Int
    private let tapsRe: [Float]
    private let tapsIm: [Float]
    /// The carrier at the first of every sixteen outputs, how far it turns to each of them and to the next sixteen, and how many of
    /// them there were: none waits for the one before. In double precision they stay on the circle to a part in 10⁸ for months.
    private var phase = (re: 1.0, im: 0.0)
    private let turns: [(re: Double, im: Double)]
    private var place = 0
    private static let turnCount = 16
    /// Input not yet used up, at its front; the rest is room for more. `[roomCount]`
    private var pending: [Float]
    private var pendingCount = tapCount / 2
    private static let roomCount = 4096

    /// - Parameters:
    ///   - cutoffHz: half width of the pass band.
    ///   - inputRateHz: of the samples; the output has `inputRateHz / factor`.
    public init(carrierHz: Double, cutoffHz: Double, factor: Int, inputRateHz: Double = 48_000) {
        self.factor = factor
        let carrier = carrierHz / inputRateHz
        let angle = -2 * Double.pi * carrier * Double(factor)
        turns = (0...Downconverter.turnCount).map { (cos(angle * Double($0)), sin(angle * Double($0))) }
        let count = Downconverter.tapCount
        let lowPass = (0..<count).map { k -> Double in
            let t = Double(k) - Double(count - 1) / 2
            let x = 2 * Double.pi * (Double(k) + 0.5) / Double(count)
            let window = 0.355768 - 0.487396 * cos(x) + 0.144232 * cos(2 * x) - 0.012604 * cos(3 * x)
            return sin(2 * .pi * cutoffHz / inputRateHz * t) / (.pi * t) * window
        }
        let gain = lowPass.reduce(0, +)
        // Phase 0 at the output's own time, the middle of the taps.
        let angles = (0..<count).map { -2 * Double.pi * carrier * Double($0 - count / 2) }
        tapsRe = zip(lowPass, angles).map { Float($0 / gain * cos($1)) }
        tapsIm = zip(lowPass, angles).map { Float($0 / gain * sin($1)) }
        pending = [Float](repeating: 0, count: Downconverter.roomCount)
    }

    public mutating func process(_ input: UnsafeBufferPointer<Float>, into output: inout [Complex]) {
        var rest = input[...]
        while !rest.isEmpty {
            let part = UnsafeBufferPointer(rebasing: rest.prefix(Downconverter.roomCount - pendingCount))
            rest = rest.dropFirst(part.count)
            append(part)
            convert(into: &output)
        }
    }

    private mutating func append(_ part: UnsafeBufferPointer<Float>) {
        pending.withUnsafeMutableBufferPointer {
            Kernels.copySane(
                part.baseAddress!, part.count, limit: Downconverter.sanestMagnitude,
                into: $0.baseAddress! + pendingCount)
        }
        pendingCount += part.count
    }

    private mutating func convert(into output: inout [Complex]) {
        guard pendingCount >= Downconverter.tapCount else { return }
        let count = (pendingCount - Downconverter.tapCount) / factor + 1
        let fresh = output.count
        output.append(contentsOf: repeatElement(.zero, count: count))
        output.withUnsafeMutableBufferPointer {
            Kernels.downconvert(
                pending, by: factor, tapsRe: tapsRe, tapsIm: tapsIm, Downconverter.tapCount,
                into: $0.baseAddress! + fresh, count)
            turn($0.baseAddress! + fresh, count)
        }
        let used = count * factor
        pendingCount -= used
        pending.withUnsafeMutableBufferPointer {
            $0.baseAddress!.update(from: $0.baseAddress! + used, count: pendingCount)
        }
    }

    private mutating func turn(_ values: UnsafeMutablePointer<Complex>, _ count: Int) {
        for m in 0..<count {
            let turn = turns[place]
            values[m] =
                values[m]
                * Complex(
                    Float(phase.re * turn.re - phase.im * turn.im),
                    Float(phase.re * turn.im + phase.im * turn.re)
                )
            place += 1
            if place == Downconverter.turnCount {
                let leap = turns[place]
                phase = (
                    phase.re * leap.re - phase.im * leap.im, phase.re * leap.im + phase.im * leap.re
                )
                place = 0
            }
        }
    }
}
