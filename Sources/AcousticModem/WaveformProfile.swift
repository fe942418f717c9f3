/// One waveform of any family, as users name it; both ends must agree on it.
public struct WaveformProfile: Sendable, Hashable {
    /// The family, with its own parameters.
    package enum Kind: Sendable, Hashable {
        case dsss(DSSSProfile)
        case fsk(FSKProfile)
        case ggwave(GGWaveProfile)
        case uart(UARTProfile)
    }

    package let kind: Kind

    /// The name as users write it: `dsss`, `dsss-quick`, `dsss-far`, `dsss-wide`, `fsk`,
    /// `ggwave-audible-fast`, `fsk2`.
    public var name: String {
        switch kind {
        case .dsss(let profile): profile.name
        case .fsk(let profile): profile.name
        case .ggwave(let profile): profile.name
        case .uart: "fsk2"
        }
    }

    /// Returns true if `name` is the profile's ``name``, byte by byte: comparing whole strings would bring
    /// Unicode's tables into a library without a runtime, which take 40 kB.
    package func isNamed(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }

    /// The band that holds 99.4 % of the energy or more.
    public var bandHz: ClosedRange<Double> {
        switch kind {
        case .dsss(let profile): profile.bandHz
        case .fsk(let profile): profile.tones.bandHz
        case .ggwave(let profile): profile.bandHz
        case .uart(let profile): profile.bandHz
        }
    }

    /// The middle of the band in which it is received.
    package var centreHz: Double {
        switch kind {
        case .dsss(let profile): profile.carrierHz
        case .fsk(let profile): profile.tones.carrierHz
        case .ggwave, .uart: (bandHz.lowerBound + bandHz.upperBound) / 2
        }
    }

    /// The token lengths in bytes that it can carry.
    public var tokenByteCounts: ClosedRange<Int> {
        switch kind {
        case .dsss, .fsk: 1...32
        case .ggwave(let profile): profile.tokenByteCounts
        case .uart: UARTProfile.byteCounts
        }
    }

    /// Returns the on-air time of a frame.
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

    /// True if check bits tell a token from chance; without them, a token is only likely.
    public var isChecked: Bool {
        switch kind {
        case .dsss, .fsk: true
        case .ggwave, .uart: false
        }
    }

    /// The Eb/N0 in dB at which nine in ten 8-byte tokens are heard in white noise, with start, speed and
    /// clock unknown; `nil` if no curve is kept. Measured: the 90 % crossing of
    /// `Fixtures/curves/<name>_awgn.csv`.
    public var thresholdDecibels: Double? {
        switch kind {
        case .dsss(let profile): profile.thresholdDecibels
        case .fsk(let profile): profile.thresholdDecibels
        case .ggwave, .uart: nil
        }
    }

    /// The least sample rate at which a recording holds the band.
    public var minimumSampleRateHz: Double { 2 * bandHz.upperBound * 1.05 }

    /// The silence between repeats that receivers expect: repeats at this gap are searched for jointly.
    public static let standardGapSeconds = 0.2
}

extension WaveformProfile {
    package init(_ profile: DSSSProfile) { kind = .dsss(profile) }
    package init(_ profile: FSKProfile) { kind = .fsk(profile) }
    package init(_ profile: GGWaveProfile) { kind = .ggwave(profile) }
    package init(_ profile: UARTProfile) { kind = .uart(profile) }

    /// The profile for short distances at high levels: eight bytes in under half a second.
    public static let dsssQuick = WaveformProfile(.dsssQuick)
    /// The default profile.
    public static let dsss = WaveformProfile(.dsss)
    /// The far profile: four standard segments in one burst.
    public static let dsssFar = WaveformProfile(.dsssFar)

    /// A profile that reaches as far as ``dsss`` in less than half its time, at 15 to 18 kHz, which young
    /// people hear. It is not among ``all``: it needs a second band, which costs twice as much as the first.
    public static let dsssWide = WaveformProfile(.dsssWide)

    /// The profile of tones, for diffuse and moving paths and for codecs.
    public static let fsk = WaveformProfile(.fsk)
    /// The profile of tones with fewer bits each, and so longer on air: also for senders that walk through
    /// late rooms.
    public static let fskLong = WaveformProfile(.fskLong)
    /// The profile of tones from 1.25 to 5.75 kHz, for speakers that end below 18 kHz; people hear it.
    public static let fskAudible = WaveformProfile(.fskAudible)
    /// The profile of tones from 350 to 3350 Hz, which a telephone line carries; people hear it.
    public static let fskTelephone = WaveformProfile(.fskTelephone)

    /// The profile of two tones as `minimodem` sends them, at the default 1200 baud of Bell 202. It is not
    /// among ``all``: others may listen only for a rate and tones that they were given.
    public static let fsk2 = WaveformProfile(UARTProfile.bell202)

    /// The profiles that can stand for a Nearby token, since they have check bits. A ``Receiver`` listens for
    /// these by default.
    public static let nearby =
        DSSSProfile.all.map { WaveformProfile($0) } + FSKProfile.all.map { WaveformProfile($0) }

    /// ggwave's protocols whose messages carry their length: the ones that others send with their defaults.
    public static let ggwave = GGWaveProtocol.all.filter { $0.hasMarkers }.map {
        WaveformProfile(GGWaveProfile($0))
    }

    /// The profiles that only receivers that ask for them hear.
    public static let optional = [dsssWide, fsk2]

    /// Every profile that identifies itself on air and that all receivers may be expected to hear: `auto`
    /// listens for these. A report of an unchecked profile never stands for a Nearby token.
    public static let all = nearby + ggwave

    /// Returns the profile of ``all`` and ``optional`` that has this ``name``; `nil` if none has. Never
    /// returns a ggwave profile of a fixed length.
    public static func named(_ name: String) -> WaveformProfile? {
        (all + optional).first { $0.isNamed(name) }
    }

    /// Returns one of ggwave's protocols, on whose parameters both ends must have agreed.
    ///
    /// - Parameters:
    ///   - fixedByteCount: 1 to 64: messages are padded to this length, without markers; `nil` if messages
    ///     carry their length, which mono-tone protocols cannot do.
    ///   - isScrambled: true for the mode that ggwave calls DSS.
    public static func ggwave(
        _ waveform: GGWaveProtocol, fixedByteCount: Int? = nil, isScrambled: Bool = false
    ) -> WaveformProfile {
        precondition(fixedByteCount != nil || waveform.hasMarkers, "mono-tone messages have a fixed length")
        precondition(fixedByteCount.map(GGWaveProfile.fixedByteCounts.contains) ?? true, "1 to 64 bytes")
        return WaveformProfile(
            GGWaveProfile(waveform, fixedByteCount: fixedByteCount, isScrambled: isScrambled))
    }
}
