import AcousticModem

extension CandidateTrace {
    /// One line for people.
    var line: String {
        func text(_ value: Float, _ places: Int) -> String { FixedPoint.text(Double(value), places: places) }
        let evidence = evidenceNats.map { "evidence \(text($0, 1)) of 6 nats" } ?? "not tried"
        return [
            "lost in \(stage.rawValue)", FixedPoint.text(startSeconds, places: 3) + " s", profile.name,
            "lane \(lane)", "\(text(speedMetersPerSecond, 2)) m/s",
            repeats > 1 ? "\(repeats) frames" : "1 frame",
            "pilots \(text(pilotNats, 1)) nats", evidence,
        ].joined(separator: "  ")
    }
}
