import ArgumentParser

/// The sample rate of a recording whose header is missing or wrong.
struct RateOptions: ParsableArguments {
    @Option(
        name: .customLong("rate"),
        help: ArgumentHelp(
            "Sample rate of the recording, instead of the header's. (default: the header's; 48000 without one)",
            valueName: "hz"))
    var hertz: Int?

    func validate() throws {
        try Limits.check("--rate", hertz, 1...RecordingReader.highestSampleRateHz, "Hz")
    }
}
