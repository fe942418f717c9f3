import Coding

/// The step from a token to tones: field, check bits, trellis code, sync tones. Opposite:
/// ``FSKFrameDecoder``.
struct FSKFrameEncoder: Sendable {
    let profile: FSKProfile
    let lane: Int

    init(profile: FSKProfile, lane: Int = 0) {
        precondition((0..<FSKFrameLayout.laneCount).contains(lane), "lanes are numbered from 0 to 3")
        (self.profile, self.lane) = (profile, lane)
    }

    /// Returns field and check bits, then zeros to whole symbols, `[dataCount · bitsPerStep]`.
    func infoBits(of token: [UInt8]) throws(TokenError) -> [UInt8] {
        let tokenClass = try TokenClass(tokenByteCount: token.count)
        let bits = try TokenField.encode(token)
        let count = profile.dataCount(tokenClass) * profile.code.bitsPerStep
        return bits + [UInt8](repeating: 0, count: count - bits.count)
    }

    /// Returns one tone a symbol, counted through all sub-bands. `[symbolCount]`
    func tones(of token: [UInt8]) throws(TokenError) -> [Int] {
        let tokenClass = try TokenClass(tokenByteCount: token.count)
        let layout = FSKFrameLayout(profile: profile, lane: lane, tokenClass: tokenClass)
        let labels = profile.code.encode(try infoBits(of: token))
        var tones = [Int](repeating: 0, count: layout.symbolCount)
        for sync in layout.syncs { tones[sync.symbol] = sync.tone }
        for (i, symbol) in layout.dataSymbols.enumerated() {
            tones[symbol] = Int(labels[i] ^ layout.scrambler[i])
        }
        for symbol in tones.indices {
            tones[symbol] += TonePlan.toneCount * profile.tones.subBand(ofSymbol: symbol)
        }
        return tones
    }
}
