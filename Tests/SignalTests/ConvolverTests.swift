import Signal
import Testing

@Suite struct ConvolverTests {
    @Test(arguments: [1, 37, 300], [1, 1000, 5000]) func matchesTheDefinition(
        responseCount: Int, signalCount: Int
    ) {
        var generator = SplitMix64(seed: 2)
        let response = (0..<responseCount).map { _ in Float(3 * generator.nextUnit() - 1.5) }
        let signal = (0..<signalCount).map { _ in Float(3 * generator.nextUnit() - 1.5) }
        let output = Convolver(response).convolve(signal)
        #expect(output.count == responseCount + signalCount - 1)
        for n in stride(from: 0, to: output.count, by: max(1, output.count / 97)) {
            var sum = 0.0
            for k in 0..<responseCount where n - k >= 0 && n - k < signalCount {
                sum += Double(response[k]) * Double(signal[n - k])
            }
            #expect(abs(Double(output[n]) - sum) < 1e-3)
        }
    }
}
