import AcousticModem
import CommandOutput
import Glibc

private enum TraceLine {
    /// The power of a path, relative to the noise, from which it is shown; one of the 96 delays reaches it by
    /// chance in some per cent of lines.
    static let leastPathPower: Float = 4
    static let mostPaths = 3
}

extension CandidateTrace {
    /// The candidate as one line for people.
    var line: String {
        func text(_ value: Float, _ places: Int) -> String { FixedPoint.text(Double(value), places: places) }
        let evidence = evidenceNats.map { "evidence \(text($0, 1)) of \(text(neededNats, 0)) nats" }
        return
            ([
                "\(outcome.rawValue) in \(stage?.rawValue ?? "decoding")",
                FixedPoint.text(startSeconds, places: 3) + " s", profile.name,
                "lane \(lane)", "\(text(speedMetersPerSecond, 2)) m/s, \(text(carrierOffsetHz, 1)) Hz",
                repeats > 1 ? "\(repeats) frames" : "1 frame",
                "pilots \(text(pilotNats, 1)) nats", evidence ?? "not tried",
            ] + pathsText).joined(separator: "  ")
    }

    /// The strongest paths that stand out, with their delays.
    private var pathsText: [String] {
        let paths = tapPowers.enumerated().filter { $0.element > TraceLine.leastPathPower }
            .sorted { $0.element > $1.element }.prefix(TraceLine.mostPaths)
        guard !paths.isEmpty else { return [] }
        let words = paths.map { tap, power in
            let milliseconds = Double(tap - CandidateTrace.referenceTap) * tapSpacingSeconds * 1000
            return "\(FixedPoint.text(10 * log10(Double(power)), places: 0)) dB at "
                + "\(FixedPoint.text(milliseconds, places: 1)) ms"
        }
        return ["paths " + words.joined(separator: ", ")]
    }
}
