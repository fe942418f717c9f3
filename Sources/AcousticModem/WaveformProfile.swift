/// One waveform as users name it, of any family: what both ends must agree on.
public struct WaveformProfile: Sendable, Hashable {
    /// The family, with its own parameters.
    package enum Kind: Sendable, Hashable {
        case dsss(DSSSProfile)
        case uart(UARTProfile)
    }

    package let kind: Kind

    /// As users write it: `dsss`, `dsss-quick`, `dsss-far`, `fsk2`.
    public var name: String {
        switch kind {
        case .dsss(let profile): profile.name
        case .uart: "fsk2"
        }
    }

    /// Where the energy is: 99.4 % of it and more.
    public var bandHz: ClosedRange<Double> {
        switch kind {
        case .dsss(let profile): profile.bandHz
        case .uart(let profile): profile.bandHz
        }
    }

    /// Tokens it can carry.
    public var tokenByteCounts: ClosedRange<Int> {
        switch kind {
        case .dsss: 1...32
        case .uart: UARTProfile.byteCounts
        }
    }

    /// On-air time of a frame.
    ///
    /// - Parameter tokenByteCount: within ``tokenByteCounts``.
    public func durationSeconds(tokenByteCount: Int = 8) -> Double {
        switch kind {
        case .dsss(let profile): profile.durationSeconds
        case .uart(let profile): profile.durationSeconds(tokenByteCount: tokenByteCount)
        }
    }

    /// Whether check bits tell a token from chance: without them, it is only likely.
    public var isChecked: Bool {
        switch kind {
        case .dsss: true
        case .uart: false
        }
    }

    /// Eb/N0 at which nine in ten 8-byte tokens are heard in white noise, start, speed and clock unknown, dB; nil where
    /// no curve is kept. Measured: the 90 % crossing of `Fixtures/curves/<name>_awgn.csv`.
    public var thresholdDecibels: Double? {
        switch kind {
        case .dsss(let profile): profile.thresholdDecibels
        case .uart: nil
        }
    }

    /// A recording needs at least this rate to hold the band.
    public var minimumSampleRateHz: Double { 2 * bandHz.upperBound * 1.05 }

    /// Silence between repeats that receivers expect: repeats at this gap are searched for jointly.
    public static let standardGapSeconds = 0.2
}

extension WaveformProfile {
    package init(_ profile: DSSSProfile) { kind = .dsss(profile) }
    package init(_ profile: UARTProfile) { kind = .uart(profile) }

    /// Eight bytes in under half a second, for near and loud.
    public static let dsssQuick = WaveformProfile(.dsssQuick)
    /// The default.
    public static let dsss = WaveformProfile(.dsss)
    /// Four standard segments in one burst.
    public static let dsssFar = WaveformProfile(.dsssFar)

    /// Two tones as `minimodem` sends them, at the default 1200 baud of Bell 202. Not among ``all``: others may listen
    /// only for a rate and tones that they were told.
    public static let fsk2 = WaveformProfile(UARTProfile.bell202)

    /// Every profile that names itself on air: what `auto` listens for.
    public static let all = DSSSProfile.all.map { WaveformProfile($0) }

    public static func named(_ name: String) -> WaveformProfile? {
        (all + [fsk2]).first { $0.name == name }
    }
}
