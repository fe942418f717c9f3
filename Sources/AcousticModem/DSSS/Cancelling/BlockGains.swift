import Glibc
import Signal

/// The gains by which blocks of an estimate would have to be changed to fit the sound best. A wrong speed
/// turns them from block to block.
struct BlockGains {
    /// The mean turn of a block's gain from that of the block before, for each sample.
    private(set) var radiansPerSample = 0.0
    /// The mean power of the sound without the estimate.
    private(set) var residualPower: Float = 0

    /// - Parameters:
    ///   - estimate: the estimate, `[n]`.
    ///   - sound: the sound of the same samples, `[n]`.
    init(of estimate: [Complex], in sound: [Complex], blockCount: Int) {
        let length = estimate.count / blockCount
        guard length > 0 else { return }
        var residual: Float = 0
        var (turn, last) = (Complex.zero, Complex.zero)
        for block in 0..<blockCount {
            var product = Complex.zero
            for i in block * length..<(block + 1) * length {
                product += sound[i] * estimate[i].conjugate
                residual += (sound[i] - estimate[i]).power
            }
            turn += product * last.conjugate
            last = product
        }
        radiansPerSample = Double(atan2(turn.im, turn.re)) / Double(length)
        residualPower = residual / Float(blockCount * length)
    }
}
