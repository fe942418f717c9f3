import AcousticModem
import ArgumentParser

/// The parameters on which both ends of ggwave must agree, besides the protocol.
struct GGWaveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "ggwave only: messages have this length, 1 to 64, with padding, and no length field; required for ggwave-mt.",
            valueName: "bytes"))
    var fixedLength: Int?

    @Flag(help: "ggwave only: messages are scrambled (ggwave's DSS option).")
    var dss = false

    func validate() throws {
        try Limits.check("--fixed-length", fixedLength, 1...64, "bytes")
    }

    var agreement: GGWaveAgreement { GGWaveAgreement(fixedByteCount: fixedLength, isScrambled: dss) }
}

struct GGWaveAgreement {
    var fixedByteCount: Int?
    var isScrambled = false

    /// True if an option is given that only ggwave has.
    var isSaid: Bool { fixedByteCount != nil || isScrambled }

    /// Returns the waveform. Throws: a usage error for a mono-tone protocol without a length.
    func profile(_ waveform: GGWaveProtocol) throws -> WaveformProfile {
        guard fixedByteCount != nil || waveform.tones != .monoTone else {
            throw ValidationError(
                "ggwave-\(waveform.name) needs --fixed-length: its messages carry no length")
        }
        return .ggwave(waveform, fixedByteCount: fixedByteCount, isScrambled: isScrambled)
    }
}
