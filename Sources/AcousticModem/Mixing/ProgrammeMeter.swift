import Glibc
import Signal

/// A meter of a programme's recent sound: the power of its treble, and its peaks. For an audio thread: it
/// allocates memory once.
///
///     samples, all channels ─ mean ─▶ blocks of 64 ─ high pass, every fourth output ─▶ power, over 0.3 s
///                           ─ |…| ──▶ peak, falling over 3 s
///
/// Every fourth sample of a filter's output has the output's power. Sound that cancels in the mean of the
/// channels is not counted, which makes the token softer.
struct ProgrammeMeter {
    static let blockFrames = 64
    private static let stride = 4
    private static let trebleHz = 12_000.0
    private static let powerSeconds = 0.3
    private static let peakSeconds = 3.0

    private let taps: SIMD16<Float>
    private let powerKept: Float
    private let peakKept: Float
    /// The last samples before the block, and the block. `[16 + 64]`
    private let mono: UnsafeMutablePointer<Float>
    private static let history = 16

    /// The number of frames in the block under way.
    private(set) var filled = 0
    private var peak: Float = 0
    /// The peak of the last whole block.
    private(set) var blockPeak: Float = 0
    /// The power of the treble, relative to a full-scale square wave.
    private(set) var treblePower: Float = 0
    private(set) var heldPeak: Float = 0

    init(sampleRateHz: Double) {
        taps = ProgrammeMeter.highPass(cutoff: ProgrammeMeter.trebleHz / sampleRateHz)
        let blockSeconds = Double(ProgrammeMeter.blockFrames) / sampleRateHz
        powerKept = Float(exp(-blockSeconds / ProgrammeMeter.powerSeconds))
        peakKept = Float(exp(-blockSeconds / ProgrammeMeter.peakSeconds))
        let count = ProgrammeMeter.history + ProgrammeMeter.blockFrames
        mono = .allocate(capacity: count)
        mono.initialize(repeating: 0, count: count)
    }

    func deallocate() { mono.deallocate() }

    /// Returns fifteen taps and a zero: a unit impulse less a windowed sinc.
    private static func highPass(cutoff: Double) -> SIMD16<Float> {
        let low = (0..<15).map { k -> Double in
            let t = Double(k - 7)
            let ideal = k == 7 ? 2 * cutoff : sin(2 * .pi * cutoff * t) / (.pi * t)
            return ideal * (0.54 + 0.46 * cos(.pi * t / 8))
        }
        let gain = low.reduce(0, +)
        var taps = SIMD16<Float>(repeating: 0)
        for k in 0..<15 { taps[k] = Float((k == 7 ? 1 : 0) - low[k] / gain) }
        return taps
    }

    /// The number of frames that the block under way still takes.
    var room: Int { ProgrammeMeter.blockFrames - filled }

    /// The place for the means over all channels of the next frames, `room` of them.
    var place: UnsafeMutablePointer<Float> { mono + ProgrammeMeter.history + filled }

    /// Counts frames that were written there. Returns true if a block is whole.
    ///
    /// - Parameter peak: the greatest magnitude of any channel.
    mutating func add(_ count: Int, peak newPeak: Float) -> Bool {
        filled += count
        peak = max(peak, newPeak)
        guard filled == ProgrammeMeter.blockFrames else { return false }
        settle()
        return true
    }

    private mutating func settle() {
        var sum: Float = 0
        let raw = UnsafeRawPointer(mono)
        for first in Swift.stride(from: 0, to: ProgrammeMeter.blockFrames, by: ProgrammeMeter.stride) {
            let window = raw.loadUnaligned(
                fromByteOffset: first * MemoryLayout<Float>.stride, as: SIMD16<Float>.self)
            let value = (window * taps).sum()
            sum += value * value
        }
        let power = sum / Float(ProgrammeMeter.blockFrames / ProgrammeMeter.stride)
        treblePower = power + powerKept * (treblePower - power)
        (blockPeak, heldPeak) = (peak, max(peak, heldPeak * peakKept))
        (peak, filled) = (0, 0)
        mono.copy(from: mono + ProgrammeMeter.blockFrames, count: ProgrammeMeter.history)
    }
}
