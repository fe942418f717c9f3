/// A ggwave protocol and the other parameters that both ends must agree on.
package struct GGWaveProfile: Sendable, Hashable {
    package var waveform: GGWaveProtocol
    /// The bytes of every message; `nil` if messages carry their length between markers.
    package var fixedByteCount: Int?
    /// True for ggwave's DSS mode, which makes bytes look random. Nothing on air marks it.
    package var isScrambled: Bool

    package init(_ waveform: GGWaveProtocol, fixedByteCount: Int? = nil, isScrambled: Bool = false) {
        self.waveform = waveform
        self.fixedByteCount = fixedByteCount
        self.isScrambled = isScrambled
    }

    package static let fixedByteCounts = 1...64

    var tokenByteCounts: ClosedRange<Int> { fixedByteCount.map { 1...$0 } ?? 1...140 }

    var name: String { "ggwave-\(waveform.name)" }

    /// The band from half a bin below the lowest tone to half a bin above the highest.
    var bandHz: ClosedRange<Double> {
        let bin = GGWaveProtocol.baseRateHz / Double(GGWaveProtocol.frameSamples)
        let first = Double(waveform.firstBin)
        return (first - 0.5) * bin...(first + Double(waveform.binCount) - 0.5) * bin
    }

    func durationSeconds(tokenByteCount: Int) -> Double {
        Double(layout(tokenByteCount: tokenByteCount).sampleCount) / GGWaveProtocol.baseRateHz
    }

    func layout(tokenByteCount: Int) -> GGWaveLayout {
        GGWaveLayout(
            waveform: waveform, messageByteCount: fixedByteCount ?? tokenByteCount,
            isFixed: fixedByteCount != nil)
    }
}
