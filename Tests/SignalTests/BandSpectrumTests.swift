import Glibc
import Signal
import Testing

/// Tests the level of a band against that of its windows, one by one, and against a tone's own.
@Suite struct BandSpectrumTests {
    private static let bandHz = 18_500.0...20_000

    /// Fewer samples than a window, one window, two, and many, even and odd.
    @Test(arguments: [2047, 2048, 3072, 40_000, 41_000])
    func levelIsThatOfItsWindows(count: Int) throws {
        var random = SplitMix64(seed: 5)
        let samples = (0..<count).map { _ in Float(random.nextUnit() - 0.5) }
        var spectrum = BandSpectrum(sampleRateHz: 48_000)
        let level = spectrum.levelDBFS(samples, bandHz: Self.bandHz)
        let starts = Array(stride(from: 0, through: count - BandSpectrum.window, by: BandSpectrum.window / 2))
        guard !starts.isEmpty else {
            #expect(level == nil)
            return
        }
        let powers = starts.map {
            spectrum.power(spectrum.powers(samples[$0..<$0 + BandSpectrum.window]), of: Self.bandHz)
        }
        let mean = powers.reduce(0, +) / Double(starts.count)
        try #expect(abs(#require(level) - BandSpectrum.dBFS(mean)) < 0.001)
    }

    @Test func aFullScaleSineHasNoDecibels() throws {
        let sine = (0..<48_000).map { Float(sin(2 * Double.pi * 19_200 * Double($0) / 48_000)) }
        var spectrum = BandSpectrum(sampleRateHz: 48_000)
        let level = spectrum.levelDBFS(sine, bandHz: Self.bandHz)
        try #expect(abs(#require(level)) < 0.05)
    }
}
