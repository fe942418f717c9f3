/// The convolution of a whole signal with a long impulse response, by overlap-add of transforms.
///
/// Shapes: `[n]`, `[m]` → `[n + m − 1]`. Complexity: O(n log m).
package struct Convolver: Sendable {
    private let fft: FFT
    private let spectrum: [Complex]
    private let responseCount: Int

    package init(_ response: [Float]) {
        precondition(!response.isEmpty, "an impulse response has at least one sample")
        responseCount = response.count
        var size = 1024
        while size < 4 * response.count { size *= 2 }
        let fft = FFT(count: size)
        self.fft = fft
        var spectrum =
            response.map { Complex($0) } + [Complex](repeating: .zero, count: size - response.count)
        fft.forward(&spectrum)
        self.spectrum = spectrum.map { $0 * (1 / Float(size)) }
    }

    package func convolve(_ signal: [Float]) -> [Float] {
        var output = [Float](repeating: 0, count: signal.count + responseCount - 1)
        let hop = fft.count - responseCount + 1
        // One transform carries two blocks, as its real and imaginary part: the response is real.
        for first in stride(from: 0, to: signal.count, by: 2 * hop) {
            var block = [Complex](repeating: .zero, count: fft.count)
            for i in 0..<hop {
                let a = first + i
                let b = first + hop + i
                block[i] = Complex(a < signal.count ? signal[a] : 0, b < signal.count ? signal[b] : 0)
            }
            fft.forward(&block)
            for i in block.indices { block[i] *= spectrum[i] }
            fft.inverse(&block)
            for i in block.indices {
                if first + i < output.count { output[first + i] += block[i].re }
                if first + hop + i < output.count { output[first + hop + i] += block[i].im }
            }
        }
        return output
    }
}
