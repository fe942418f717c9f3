import Signal

/// A least-squares estimate of a known frame in a sound: the frame through the filter of a room, as many taps
/// as its echoes last.
///
///     sent        |▄▄▄▄▄▄▄▄▄▄▄▄|
///     taps     ··|▂█▅▃▂▁▁|              lead before the first path, `tapCount` in all
///     arrives    ▁▄▄▄▄▄▄▄▄▄▄▄▄▃▂▁
///
/// Weak taps are shrunk: their power may be no more than the strongest one's, and noise must not fill them.
struct PathFit: Sendable {
    private static let leadSeconds = 0.0034
    private static let seconds = 0.2
    /// The expected power of a tap, as a share of the strongest one's.
    private static let tapShare: Float = 1.0 / 3

    let lead: Int
    let tapCount: Int
    /// Working memory, one for each length of transform.
    private var memories: [Memory] = []

    init(band: Band) {
        lead = band.samples(seconds: PathFit.leadSeconds)
        tapCount = band.samples(seconds: PathFit.seconds)
    }

    /// The samples before and after a frame that its paths add.
    var reach: (before: Int, after: Int) { (lead, tapCount - lead) }

    /// Returns the estimate of a frame in a sound, `[n]`.
    ///
    /// - Parameters:
    ///   - template: the frame as it was sent, `[n]`, with ``reach`` of silence before and after it.
    ///   - sound: the sound of the same samples, `[n]`.
    ///   - noisePower: the mean power of all else in the sound.
    mutating func estimate(_ template: [Complex], in sound: [Complex], noisePower: Float) -> [Complex] {
        let (index, count) = (memory(for: template.count), template.count)
        let products = memories[index].correlate(template, sound)
        let powers = memories[index].correlateTemplate()
        let length = memories[index].fft.count
        let right = (0..<tapCount).map { products[($0 - lead + length) % length] }
        var column = Array(UnsafeBufferPointer(start: powers, count: tapCount))
        let energy = column[0].re
        let strongest = right.reduce(0) { max($0, $1.power) } / (energy * energy)
        guard energy > 0, strongest > 0 else { return [Complex](repeating: .zero, count: count) }
        column[0].re += noisePower / (PathFit.tapShare * strongest)
        return ToeplitzSystem.withBestFilter(
            column: column, right: right, energy: Double(Kernels.energy(sound[...])), sampleCount: count
        ) { re, im, tapCount in
            memories[index].filterTemplate(re, im, tapCount, lead: lead, count: count)
        }
    }

    /// Returns how much more a frame's change with time shows in what its estimate leaves of a sound than it
    /// does in white noise: 1.4 to 4.1 if the room and the sender rest, as other frames are no white noise,
    /// 4.7 to 7.1 if the sender is held in a hand.
    ///
    /// A change makes the taps rise or fall through the frame, so what is left looks like the frame under a
    /// ramp from −1 to 1.
    ///
    /// - Parameters:
    ///   - template: see ``estimate(_:in:noisePower:)``.
    ///   - left: the sound without the estimate, `[n]`.
    mutating func change(of template: [Complex], in left: [Complex]) -> Float {
        let (index, length) = (memory(for: template.count), Float(template.count - tapCount))
        let ramp = template.indices.map { template[$0] * (2 * Float($0 - lead) / length - 1) }
        let energy = Kernels.energy(ramp[...]) * Kernels.energy(left[...]) / Float(template.count)
        guard energy > 0 else { return 1 }
        let products = memories[index].correlate(ramp, left)
        let count = memories[index].fft.count
        let found = (0..<tapCount).reduce(Float(0)) { $0 + products[($1 - lead + count) % count].power }
        return found / (energy * Float(tapCount))
    }

    /// Returns the place of the memory for frames of `count` samples.
    private mutating func memory(for count: Int) -> Int {
        var length = 1
        while length < count + tapCount { length *= 2 }
        if let known = memories.firstIndex(where: { $0.fft.count == length }) { return known }
        memories.append(Memory(count: length))
        return memories.count - 1
    }
}

extension PathFit {
    /// The memory of transforms of one length. Places are aligned: where they are, results do not depend on
    /// them.
    private struct Memory: Sendable {
        let fft: FFT
        private var work: ScratchBuffer<Complex>
        /// The spectrum of the template, and two more.
        private var sent: ScratchBuffer<Complex>
        private var heard: ScratchBuffer<Complex>
        private var other: ScratchBuffer<Complex>

        init(count: Int) {
            fft = FFT.shared(count: count)
            work = ScratchBuffer(count: count, repeating: .zero)
            (sent, heard, other) = (work, work, work)
        }

        /// Returns the correlation of a sound with a template, `[n]` each, at all shifts, valid until the
        /// next call.
        mutating func correlate(_ template: [Complex], _ sound: [Complex]) -> UnsafePointer<Complex> {
            let (sent, heard, work) = (sent.claim(), heard.claim(), work.claim())
            for (values, spectrum) in [(template, sent), (sound, heard)] {
                for i in 0..<fft.count { work[i] = i < values.count ? values[i] : .zero }
                fft.forward(work, into: spectrum)
            }
            let scale = 1 / Float(fft.count)
            for i in 0..<fft.count { work[i] = heard[i] * sent[i].conjugate * scale }
            fft.inverse(work, into: heard)
            return UnsafePointer(heard)
        }

        /// Returns the correlation of the last template with itself, valid until the next call.
        mutating func correlateTemplate() -> UnsafePointer<Complex> {
            let (sent, other, work) = (sent.claim(), other.claim(), work.claim())
            let scale = 1 / Float(fft.count)
            for i in 0..<fft.count { work[i] = Complex(sent[i].power * scale) }
            fft.inverse(work, into: other)
            return UnsafePointer(other)
        }

        /// Returns the first `count` samples of the last template through a filter.
        mutating func filterTemplate(
            _ re: UnsafePointer<Double>, _ im: UnsafePointer<Double>, _ tapCount: Int, lead: Int, count: Int
        ) -> [Complex] {
            let (sent, other, work) = (sent.claim(), other.claim(), work.claim())
            let scale = 1 / Float(fft.count)
            work.update(repeating: .zero, count: fft.count)
            for tap in 0..<tapCount {
                work[(tap - lead + fft.count) % fft.count] = Complex(Float(re[tap]), Float(im[tap])) * scale
            }
            fft.forward(work, into: other)
            for i in 0..<fft.count { work[i] = other[i] * sent[i] }
            fft.inverse(work, into: other)
            return Array(UnsafeBufferPointer(start: other, count: count))
        }
    }
}
