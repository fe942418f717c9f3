import Coding

/// One waveform of the FSK family: 64 tones of continuous phase, with a trellis code mapped straight onto
/// them.
///
///     ramp | S d d d d d d d d d d S d d d d d d d d d d S d d d d d d d d d d S | ramp
///
///     S: sync tone, known      d: data tone      each lasts T; tones glide into each other
///
/// Longer tokens continue in the same rhythm. The README of this target tables the wire format.
package struct FSKProfile: Sendable, Hashable {
    package let name: String
    let tones: TonePlan
    let code: TrellisCode
    /// The number of sync symbols in the shortest frame, which acquisition searches for.
    let syncCount: Int
    /// True if its frames are also searched for where a walker's echoes spread every tone.
    let isForWalkers: Bool
    /// A number that keeps the scramblers of profiles apart.
    let scramblerFamily: UInt64
    /// The value of ``WaveformProfile/thresholdDecibels``.
    let thresholdDecibels: Double?

    static let rampSeconds = 0.01
    /// The sine-shaped glide from one tone to the next, for a spectrum that ends with the band. It takes 0.02
    /// dB of a symbol's energy, 0.2 dB where sub-bands alternate.
    static let glideSeconds = 0.0025
    /// The bits that tell a frame from chance: CRC-24 and zeros.
    static let leastCheckBitCount = 26

    /// Returns the number of data symbols of a frame.
    func dataCount(_ tokenClass: TokenClass) -> Int {
        (8 * tokenClass.capacity + FSKProfile.leastCheckBitCount + code.bitsPerStep - 1) / code.bitsPerStep
    }

    /// The number of symbols of the shortest frame, which acquisition looks at.
    var searchedSymbolCount: Int { dataCount(.short) + syncCount }

    func durationSeconds(tokenByteCount: Int) -> Double {
        durationSeconds((try? TokenClass(tokenByteCount: tokenByteCount)) ?? .long)
    }

    /// The number of symbols of an 8-byte token's frame.
    package var symbolCount: Int { searchedSymbolCount }
    package var symbolSeconds: Double { tones.symbolSeconds }

    func durationSeconds(_ tokenClass: TokenClass) -> Double {
        let symbols = FSKFrameLayout(profile: self, lane: 0, tokenClass: tokenClass).symbolCount
        return Double(symbols) * tones.symbolSeconds + 2 * FSKProfile.rampSeconds
    }
}

extension FSKProfile {
    package static let fsk = FSKProfile(
        name: "fsk", tones: .nearUltrasonic, code: .threeBits, syncCount: 4, isForWalkers: false,
        scramblerFamily: 1, thresholdDecibels: 3.48)
    package static let fskLong = FSKProfile(
        name: "fsk-long", tones: .nearUltrasonic, code: .twoBits, syncCount: 5, isForWalkers: true,
        scramblerFamily: 2, thresholdDecibels: nil)
    package static let fskAudible = FSKProfile(
        name: "fsk-audible", tones: .audible, code: .threeBits, syncCount: 7, isForWalkers: false,
        scramblerFamily: 3, thresholdDecibels: nil)
    package static let fskTelephone = FSKProfile(
        name: "fsk-telephone", tones: .telephone, code: .threeBits, syncCount: 7, isForWalkers: false,
        scramblerFamily: 4, thresholdDecibels: nil)

    package static let all = [fsk, fskLong, fskAudible, fskTelephone]
}

extension TrellisCode {
    /// The best of random draws, measured in white noise.
    static let threeBits = TrellisCode(
        bitsPerStep: 3, memoryBits: 12, masks: [0x5c7e, 0x60ab, 0x2e23, 0x1eb8, 0x3f4a, 0x33da])
    static let twoBits = TrellisCode(
        bitsPerStep: 2, memoryBits: 12, masks: [0x3146, 0x2c61, 0x1ffe, 0x2849, 0x38f6, 0x286a])
}
