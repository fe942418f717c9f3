import AcousticModem
import ArgumentParser

/// The parameters on which both ends of `fsk2` must agree.
struct UARTOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Bits per second of fsk2, 10 to 4800. (default: 1200)", valueName: "bits"))
    var baud: Double?

    @Option(
        help: ArgumentHelp(
            "Tone of ones in fsk2. (default: minimodem's at that rate, 1200 at 1200 baud)", valueName: "hz"))
    var mark: Double?

    @Option(
        help: ArgumentHelp(
            "Tone of zeros in fsk2. (default: minimodem's at that rate, 2200 at 1200 baud)", valueName: "hz"))
    var space: Double?

    var agreement: UARTAgreement { UARTAgreement(baud: baud, markHz: mark, spaceHz: space) }

    /// Returns the profile with these numbers.
    ///
    /// Throws: a usage error for numbers that make no waveform, or that belong to no chosen profile.
    func applied(to profile: WaveformProfile) throws -> WaveformProfile {
        guard case .uart = profile.kind else {
            guard !agreement.isSaid else {
                throw ValidationError("--baud, --mark and --space belong to --profile fsk2")
            }
            return profile
        }
        return try agreement.profile()
    }
}

struct UARTAgreement {
    var baud: Double?
    var markHz: Double?
    var spaceHz: Double?

    /// True if an option is given that only `fsk2` has.
    var isSaid: Bool { baud != nil || markHz != nil || spaceHz != nil }

    /// Throws: a usage error for numbers that make no waveform.
    func profile() throws -> WaveformProfile {
        do throws(UARTError) {
            return WaveformProfile(try UARTProfile(baud: baud ?? 1200, markHz: markHz, spaceHz: spaceHz))
        } catch {
            throw ValidationError(error.description)
        }
    }
}
