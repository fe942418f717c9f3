/// One waveform as users name it, of any family: what both ends must agree on.
public struct WaveformProfile: Sendable, Hashable {
    /// The family, with its own parameters.
    package enum Kind: Sendable, Hashable {
        case dsss(DSSSProfile)
        case fsk(FSKProfile)
        case ggwave(GGWaveProfile)
        case uart(UARTProfile)
    }

    package let kind: Kind

    /// As users write it: `dsss`, `dsss-quick`, `dsss-far`, `dsss-wide`, `fsk`, `ggwave-audible-fast`, `fsk2`.
    public var name: String {
        switch kind {
        case .dsss(let profile): profile.name
        case .fsk(let profile): profile.name
        case .ggwave(let profile): profile.name
        case .uart: "fsk2"
        }
    }

    /// Whether that is its ``name``, byte by byte: what compares whole strings brings along Unicode's tables, which are 40 kB of a
    /// library without a runtime.
    package func isNamed(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }

    /// Where the energy is: 99.4 % of it and more.
    public var bandHz: ClosedRange<Double> {
        switch kind {
        case .dsss(let profile): profile.bandHz
        case .fsk(let profile): profile.tones.bandHz
        case .ggwave(let profile): profile.bandHz
        case .uart(let profile): profile.bandHz
        }
    }

    /// The middle of the band that it is received in.
    package var centreHz: Double {
        switch kind {
        case .dsss(let profile): profile.carrierHz
        case .fsk(let profile): profile.tones.carrierHz
        case .ggwave, .uart: (bandHz.lowerBound + bandHz.upperBound) / 2
        }
    }

    /// Tokens it can carry.
    public var tokenByteCounts: ClosedRange<Int> {
        switch kind {
        case .dsss, .fsk: 1...32
        case .ggwave(let profile): profile.tokenByteCounts
        case .uart: UARTProfile.byteCounts
        }
    }

    /// On-air time of a frame.
    ///
    /// - Parameter tokenByteCount: within ``tokenByteCounts``.
    public func durationSeconds(tokenByteCount: Int = 8) -> Double {
        switch kind {
        case .dsss(let profile): profile.durationSeconds
        case .fsk(let profile): profile.durationSeconds(tokenByteCount: tokenByteCount)
        case .ggwave(let profile): profile.durationSeconds(tokenByteCount: tokenByteCount)
        case .uart(let profile): profile.durationSeconds(tokenByteCount: tokenByteCount)
        }
    }

    /// Whether check bits tell a token from chance: without them, it is only likely.
    public var isChecked: Bool {
        switch kind {
        case .dsss, .fsk: true
        case .ggwave, .uart: false
        }
    }

    /// Eb/N0 at which nine in ten 8-byte tokens are heard in white noise, start, speed and clock unknown, dB; nil where
    /// no curve is kept. Measured: the 90 % crossing of `Fixtures/curves/<name>_awgn.csv`.
    public var thresholdDecibels: Double? {
        switch kind {
        case .dsss(let profile): profile.thresholdDecibels
        case .fsk(let profile): profile.thresholdDecibels
        case .ggwave, .uart: nil
        }
    }

    /// A recording needs at least this rate to hold the band.
    public var minimumSampleRateHz: Double { 2 * bandHz.upperBound * 1.05 }

    /// Silence between repeats that receivers expect: repeats at this gap are searched for jointly.
    public static let standardGapSeconds = 0.2
}

extension WaveformProfile {
    package init(_ profile: DSSSProfile) { kind = .dsss(profile) }
    package init(_ profile: FSKProfile) { kind = .fsk(profile) }
    package init(_ profile: GGWaveProfile) { kind = .ggwave(profile) }
    package init(_ profile: UARTProfile) { kind = .uart(profile) }

    /// Eight bytes in under half a second, for near and loud.
    public static let dsssQuick = WaveformProfile(.dsssQuick)
    /// The default.
    public static let dsss = WaveformProfile(.dsss)
    /// Four standard segments in one burst.
    public static let dsssFar = WaveformProfile(.dsssFar)

    /// As far as ``dsss`` in less than half its time, at 15 to 18 kHz, which young people hear. Not among ``all``: another
    /// band has to be listened in, which takes twice as much as the first.
    public static let dsssWide = WaveformProfile(.dsssWide)

    /// Tones, for diffuse and moving paths and for codecs.
    public static let fsk = WaveformProfile(.fsk)
    /// Tones with fewer bits each, so longer on air: also for senders that walk through late rooms.
    public static let fskLong = WaveformProfile(.fskLong)
    /// Tones from 1.25 to 5.75 kHz, for speakers that end below 18 kHz; people hear it.
    public static let fskAudible = WaveformProfile(.fskAudible)
    /// Tones from 350 to 3350 Hz, which a telephone line carries; people hear it.
    public static let fskTelephone = WaveformProfile(.fskTelephone)

    /// Two tones as `minimodem` sends them, at the default 1200 baud of Bell 202. Not among ``all``: others may listen
    /// only for a rate and tones that they were told.
    public static let fsk2 = WaveformProfile(UARTProfile.bell202)

    /// The profiles that can stand for a Nearby token: their check bits hold. What a ``Receiver`` listens for by default.
    public static let nearby =
        DSSSProfile.all.map { WaveformProfile($0) } + FSKProfile.all.map { WaveformProfile($0) }

    /// ggwave's protocols whose messages say their length themselves: what others send with their defaults.
    public static let ggwave = GGWaveProtocol.all.filter { $0.hasMarkers }.map {
        WaveformProfile(GGWaveProfile($0))
    }

    /// Profiles that are heard only by those who ask for them.
    public static let optional = [dsssWide, fsk2]

    /// Every profile that names itself on air and that all may be expected to hear: what `auto` listens for. A report of
    /// one that is not checked never stands for a Nearby token.
    public static let all = nearby + ggwave

    /// The one of ``all`` and ``optional`` that has this ``name``; nil where none has. Never ggwave's of a fixed length.
    public static func named(_ name: String) -> WaveformProfile? {
        (all + optional).first { $0.isNamed(name) }
    }

    /// One of ggwave's protocols, as both ends must have agreed on it.
    ///
    /// - Parameters:
    ///   - fixedByteCount: 1 to 64: messages are padded to this, without markers. Nil, which mono-tone protocols do not
    ///     have: they say their length.
    ///   - isScrambled: what ggwave calls DSS.
    public static func ggwave(
        _ waveform: GGWaveProtocol, fixedByteCount: Int? = nil, isScrambled: Bool = false
    ) -> WaveformProfile {
        precondition(fixedByteCount != nil || waveform.hasMarkers, "mono-tone messages have a fixed length")
        precondition(fixedByteCount.map(GGWaveProfile.fixedByteCounts.contains) ?? true, "1 to 64 bytes")
        return WaveformProfile(
            GGWaveProfile(waveform, fixedByteCount: fixedByteCount, isScrambled: isScrambled))
    }
}
