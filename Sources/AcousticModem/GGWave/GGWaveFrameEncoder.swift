import Coding

/// The step from a token to bytes on air and to the nibbles of chunks. Opposite: ``GGWaveFrameDecoder``.
struct GGWaveFrameEncoder: Sendable {
    let profile: GGWaveProfile

    /// Shape: token → `[chunkCount]` of `[nibblesPerChunk]` nibbles.
    ///
    /// Throws ``TokenError`` if the profile has no room for the token.
    func chunks(of token: [UInt8]) throws(TokenError) -> [[UInt8]] {
        guard profile.tokenByteCounts.contains(token.count) else {
            throw .bounded(token.count, allowed: profile.tokenByteCounts)
        }
        let layout = profile.layout(tokenByteCount: token.count)
        var nibbles = bytes(of: token, layout).flatMap { [$0 & 0xF, $0 >> 4] }
        let width = profile.waveform.nibblesPerChunk
        nibbles += [UInt8](repeating: 0, count: layout.chunkCount * width - nibbles.count)
        return stride(from: 0, to: nibbles.count, by: width).map { Array(nibbles[$0..<$0 + width]) }
    }

    private func bytes(of token: [UInt8], _ layout: GGWaveLayout) -> [UInt8] {
        let padded = token + [UInt8](repeating: 0, count: layout.messageByteCount - token.count)
        let message = profile.isScrambled ? GGWaveScrambler.scramble(padded) : padded
        let coded = message + ReedSolomon(parityCount: layout.parityByteCount).parity(of: message)
        return layout.isFixed ? coded : GGWaveFrameEncoder.header(length: token.count) + coded
    }

    /// Returns the length as it is sent. `[3]`
    static func header(length: Int) -> [UInt8] {
        [UInt8(length)] + GGWaveLayout.headerCode.parity(of: [UInt8(length)])
    }
}
