import Coding
import Signal

extension FSKFrameDecoder {
    /// How often a frame teaches how its energy spreads, before it is decoded; how often with what was decoded.
    private static let lessons = 4
    private static let pathLessons = 4
    /// How far the tones of a lesson are believed: their ratios leave out what is wrong with the profile.
    private static let confidence: Float = 0.7

    /// Decodes frames whose energy is spread over delays and Dopplers. How, they tell themselves: likely tones teach the
    /// profile, and what each symbol is expected to leave in the windows of others; the profile makes tones likely.
    ///
    /// - Parameters:
    ///   - grids: of frames of one token, at time scale 0.
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
            // The first one only tells what symbols leave to others.
            if lesson > 0 { profile = profile.learned(frames, likely, prior: expected) }
        }
        return best
    }
}
