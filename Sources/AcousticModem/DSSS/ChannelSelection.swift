import Signal

/// The choice of the channels that are heard jointly, from the sound of the last seconds.
///
/// Joint evidence adds up what microphones hear independently of each other:
///
///     silent                      left out: it says nothing
///     identical to another        left out: its noise is the other's, and would count twice
///     far noisier than others     left out: it would add hardly more than its noise
///     more than four              the quietest
struct ChannelSelection: Sendable {
    /// The samples' powers and their products over the last seconds, with less weight the older they are. A
    /// piece of sound counts relative to its own power, as a loud frame is alike on all channels.
    private var powers: [Float]
    private var products: [Complex]
    private var weights: [Float]
    private let channelCount: Int
    private var pieceCount = 0
    /// The channels that are heard jointly.
    private(set) var chosen: ChannelSet

    /// The number of pieces, of 0.1 s, after which the channels are chosen anew.
    private static let choicePieces = 10
    /// The weight that a piece loses to the next.
    private static let decay: Float = 0.99

    init(channelCount: Int) {
        self.channelCount = channelCount
        powers = Array(repeating: 0, count: channelCount)
        products = Array(repeating: .zero, count: channelCount * channelCount)
        weights = Array(repeating: 0, count: channelCount * channelCount)
        chosen = ChannelSet(0..<min(channelCount, ChannelSet.most))
    }

    /// Takes the last `count` samples of each channel. Returns true if the channels were chosen anew.
    mutating func add(_ count: Int, of basebands: [BasebandWindow]) -> Bool {
        for channel in 0..<channelCount { measure(channel, count, basebands) }
        pieceCount += 1
        guard pieceCount % ChannelSelection.choicePieces == 0 else { return false }
        let next = choice()
        guard next != chosen else { return false }
        chosen = next
        return true
    }

    private mutating func measure(_ channel: Int, _ count: Int, _ basebands: [BasebandWindow]) {
        basebands[channel].samples.withUnsafeBufferPointer { own in
            let samples = own.baseAddress! + own.count - count
            let power = Kernels.innerProduct(samples, samples, count)
            powers[channel] = powers[channel] * ChannelSelection.decay + power
            for other in 0..<channel {
                basebands[other].samples.withUnsafeBufferPointer { others in
                    let first = others.baseAddress! + others.count - count
                    let place = channel * channelCount + other
                    products[place] = products[place] * ChannelSelection.decay
                    weights[place] *= ChannelSelection.decay
                    let scale = (power * Kernels.innerProduct(first, first, count)).squareRoot()
                    guard scale > Kernels.leastPower else { return }
                    products[place] += ChannelSelection.product(samples, first, count) * (1 / scale)
                    weights[place] += 1
                }
            }
        }
    }

    /// Returns Σ a b*.
    private static func product(
        _ a: UnsafePointer<Complex>, _ b: UnsafePointer<Complex>, _ count: Int
    ) -> Complex {
        var sum = Complex.zero
        for i in 0..<count { sum += a[i] * b[i].conjugate }
        return sum
    }

    private func choice() -> ChannelSet {
        var candidates: [Int] = []
        for channel in 0..<channelCount
        where powers[channel] > Kernels.leastPower && !candidates.contains(where: { areAlike(channel, $0) }) {
            candidates.append(channel)
        }
        candidates.sort { (powers[$0], $0) < (powers[$1], $1) }
        // The most channels of similar noise; of two such groups, the quieter one.
        var best: ArraySlice<Int> = []
        for first in candidates.indices {
            let loudest = powers[candidates[first]] * Thresholds.dsss.channelNoiseRatio
            let group = candidates[first...].prefix { powers[$0] <= loudest }
            if group.count > best.count { best = group }
        }
        return ChannelSet(best.prefix(ChannelSet.most).sorted())
    }

    /// Returns true if two channels hold the same sound, noise included.
    private func areAlike(_ channel: Int, _ other: Int) -> Bool {
        let place = channel * channelCount + other
        let weight = weights[place]
        return products[place].power > Thresholds.dsss.likeChannelCoherence * weight * weight
    }
}
