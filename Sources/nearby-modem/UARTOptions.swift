import AcousticModem
import ArgumentParser

/// The parameters on which both ends of `fsk2` must agree.
struct UARTOptions: ParsableArguments {
    @Option(help: ArgumentHelp("fsk2 only: bits per second, 10 to 4800. (default: 1200)", valueName: "bits"))
    var baud: Double?

    @Option(
        help: ArgumentHelp(
            "fsk2 only: frequency of a one. (default: minimodem's for the baud rate, 1200 at 1200 baud)",
            valueName: "hz"))
    var mark: Double?

    @Option(
        help: ArgumentHelp(
            "fsk2 only: frequency of a zero. (default: minimodem's for the baud rate, 2200 at 1200 baud)",
            valueName: "hz"))
    var space: Double?

    var agreement: UARTAgreement { UARTAgreement(baud: baud, markHz: mark, spaceHz: space) }

    /// Returns the profile with these numbers.
    ///
    /// Throws: a usage error for numbers that make no waveform, or that belong to no chosen profile.
    func applied(to profile: WaveformProfile) throws -> WaveformProfile {
        guard case .uart = profile.kind else {
            guard !agreement.isSaid else {
                throw ValidationError("--baud, --mark and --space need --profile fsk2")
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
