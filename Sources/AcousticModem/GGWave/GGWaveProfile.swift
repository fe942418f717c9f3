/// A ggwave protocol and what else both ends must agree on.
package struct GGWaveProfile: Sendable, Hashable {
    package var waveform: GGWaveProtocol
    /// Bytes of every message, or nil where messages say their length themselves, between markers.
    package var fixedByteCount: Int?
    /// ggwave's DSS: bytes are made to look random. Nothing on air says so.
    package var isScrambled: Bool

    package init(_ waveform: GGWaveProtocol, fixedByteCount: Int? = nil, isScrambled: Bool = false) {
        self.waveform = waveform
        self.fixedByteCount = fixedByteCount
        self.isScrambled = isScrambled
    }

    package static let fixedByteCounts = 1...64

    var tokenByteCounts: ClosedRange<Int> { fixedByteCount.map { 1...$0 } ?? 1...140 }

    var name: String { "ggwave-\(waveform.name)" }

    /// Half a bin around the outermost tones.
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
