import AcousticModem
import ArgumentParser
import AudioIO
import CommandOutput

/// The programme that a token is laid over, and the places of the token.
struct MixOptions: ParsableArguments {
    @Option(
        name: .customLong("mix"),
        help: ArgumentHelp("Sound file to add the token to; - for standard input.", valueName: "file"))
    var programme: String?

    @Option(
        help: ArgumentHelp(
            "With --mix: start of the token; may be repeated, or several with commas. (default: 0)",
            valueName: "seconds"
        ))
    var at: [SecondsList] = []

    @Flag(help: "With --mix: repeat the token until the programme ends.")
    var untilEnd = false

    func validate() throws {
        guard programme != nil || (at.isEmpty && !untilEnd) else {
            throw ValidationError("--at and --until-end need --mix FILE")
        }
        guard !untilEnd || starts.count == 1 else {
            throw ValidationError("--until-end repeats from one start; give --at only once")
        }
    }

    /// The token's places in seconds from the programme's beginning, in ascending order.
    var starts: [Double] { at.isEmpty ? [0] : at.flatMap(\.seconds).sorted() }

    /// Throws: a usage error if a token begins before the one before it has ended.
    func schedule(
        tokenFrames: Int, gapSeconds: Double, repeatCount: Int, sampleRateHz: Int
    ) throws -> MixSchedule {
        let rate = Double(sampleRateHz)
        let schedule = MixSchedule(
            starts: starts.map { Int(($0 * rate).rounded()) }, tokenFrames: tokenFrames,
            gapFrames: Int((gapSeconds * rate).rounded()), repeatCount: untilEnd ? nil : repeatCount)
        if let overlap = schedule.overlap {
            let length = FixedPoint.text(Double(tokenFrames) / rate, places: 2)
            throw CommandFailure(
                .usage,
                "--at \(starts[overlap]): the token before has not ended yet; one lasts \(length) s"
                    + (repeatCount > 1 ? ", and is sent \(repeatCount) times" : ""))
        }
        return schedule
    }
}
