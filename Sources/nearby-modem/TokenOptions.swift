import AcousticModem
import ArgumentParser

/// The token to send.
struct TokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "1 to 32 bytes as hexadecimal digits; ggwave takes 140, fsk2 4096.", valueName: "hex"))
    var token: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("1 to 32 bytes of UTF-8 text; ggwave takes 140, fsk2 4096.", valueName: "string"))
    var text: String?

    /// The number of the two options that are given.
    var count: Int { [token, text].count { $0 != nil } }

    /// Returns the token; `nil` if neither option is given. Throws: a usage error if the waveform cannot hold
    /// it.
    func bytes(for profile: WaveformProfile) throws -> [UInt8]? {
        do throws(TokenArgument.Rejection) {
            let counts = profile.tokenByteCounts
            if let token { return try TokenArgument.bytes(hex: token, byteCounts: counts) }
            guard let text else { return nil }
            return try TokenArgument.bytes(text: text, byteCounts: counts)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
