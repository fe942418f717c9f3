import AcousticModem
import ArgumentParser

/// The token to send.
struct TokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Token as hexadecimal digits: 1 to 32 bytes; up to 140 with ggwave, 4096 with fsk2.",
            valueName: "hex"))
    var token: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Token as UTF-8 text: 1 to 32 bytes; up to 140 with ggwave, 4096 with fsk2.", valueName: "string")
    )
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
