import AcousticModem
import ArgumentParser

/// What both ends of ggwave must agree on besides the protocol.
struct GGWaveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "ggwave only: messages are padded to this length, 1 to 64, and do not say it; ggwave-mt needs it.",
            valueName: "bytes"))
    var fixedLength: Int?

    @Flag(help: "ggwave only: its DSS, bytes made to look random.")
    var dss = false

    func validate() throws {
        try Limits.check("--fixed-length", fixedLength, 1...64, "bytes")
    }

    var agreement: GGWaveAgreement { GGWaveAgreement(fixedByteCount: fixedLength, isScrambled: dss) }
}

struct GGWaveAgreement {
    var fixedByteCount: Int?
    var isScrambled = false

    /// Whether anything is said that only ggwave knows.
    var isSaid: Bool { fixedByteCount != nil || isScrambled }

    /// Throws: a mono-tone protocol without a length.
    func profile(_ waveform: GGWaveProtocol) throws -> WaveformProfile {
        guard fixedByteCount != nil || waveform.tones != .monoTone else {
            throw ValidationError(
                "ggwave-\(waveform.name) needs --fixed-length: its messages do not say their length")
        }
        return .ggwave(waveform, fixedByteCount: fixedByteCount, isScrambled: isScrambled)
    }
}
