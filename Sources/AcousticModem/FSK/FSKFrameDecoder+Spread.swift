import Coding
import Signal

extension FSKFrameDecoder {
    /// The number of lessons from which a frame's profile is learned: before it is decoded, and then with the
    /// decoded path.
    private static let lessons = 4
    private static let pathLessons = 4
    /// The confidence in the tones of a lesson: their ratios leave out the errors of the profile.
    private static let confidence: Float = 0.7

    /// Decodes frames whose energy is spread over delays and Dopplers. The frames themselves teach the
    /// profile of that spread: likely tones refine the profile and the energy that each symbol is expected to
    /// leave in the windows of others; the profile in turn makes tones likely.
    ///
    /// - Parameters:
    ///   - grids: the grids of frames of one token, at time scale 0.
    ///   - last: the reading of the last one.
    mutating func decodeSpread(
        _ grids: [ToneGrid], _ last: FSKReading, statistics: inout ReceiverStatistics
    ) -> Attempt {
        var reading = last
        reading.fitCount = 1  // the profile of arrivals
        let layout = reading.layout
        let frames = TonePowers(grids)
        let expected = ArrivalProfile.expected(energy: frames.symbolEnergy)
        var profile = expected
        var likely = LikelyTones(layout)
        var best = Attempt()
        var path: [UInt8] = []
        for lesson in 0..<FSKFrameDecoder.lessons + FSKFrameDecoder.pathLessons {
            let metrics = profile.metrics(frames, layout, likely)
            if lesson >= FSKFrameDecoder.lessons {
                let decoded = listDecode(metrics, reading, &statistics)
                best.keep(decoded.attempt)
                guard best.frame == nil, decoded.path != path,
                    best.evidence >= Thresholds.fsk.spreadEvidence
                else { break }
                path = decoded.path
            }
            likely.take(metrics, confidence: FSKFrameDecoder.confidence, path: path)
            // The first lesson teaches only what symbols leave in the windows of others.
            if lesson > 0 { profile = profile.learned(frames, likely, prior: expected) }
        }
        return best
    }
}
