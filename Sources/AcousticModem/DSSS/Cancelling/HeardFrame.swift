import Glibc
import Signal

/// A frame that was heard and can be taken out of the sound, with what is known of its way through the room.
struct HeardFrame: Sendable {
    private let profile: DSSSProfile
    private let token: [UInt8]
    private let lane: Int
    let snrDecibels: Float
    /// The first chip after the ramp, as ``Candidate/start``.
    private let start: Double
    /// The position of the first sample that it may reach.
    let first: SamplePosition
    /// The frame as it was sent, `[span]` from ``first`` on, with the silence that its echoes fill.
    private(set) var template: [Complex]
    /// The frame as it is thought to arrive, `[span]` from ``first`` on; empty before it is estimated.
    var estimate: [Complex] = []
    /// True if its room or its sender moves within the frame.
    var isMoving = false

    /// True once the sound about it was searched without it.
    var isSearched = false
    var isEstimated: Bool { !estimate.isEmpty }

    /// The samples that it may reach.
    var span: Range<SamplePosition> { first..<first + template.count }
    /// The position after its last chip's first arrival.
    let end: SamplePosition

    /// Returns `nil` if the token cannot have been sent in the profile.
    ///
    /// - Parameters:
    ///   - profile: that of the report.
    ///   - reach: the samples before and after the frame that its paths may add.
    init?(
        _ report: DecodeReport, _ profile: DSSSProfile, start: Double, reach: (before: Int, after: Int),
        _ maker: FrameTemplate
    ) {
        guard let chips = try? DSSSFrameEncoder(profile: profile, lane: report.lane).chips(of: report.token)
        else { return nil }
        (self.profile, token, lane) = (profile, report.token, report.lane)
        (self.start, snrDecibels) = (start, report.snrDecibels)
        let timeScale = Double(report.speedMetersPerSecond) / SearchGrid.soundSpeed
        let made = maker.samples(chips, start: start, timeScale: timeScale)
        first = made.first - reach.before
        end = made.first + made.samples.count
        template =
            [Complex](repeating: .zero, count: reach.before) + made.samples
            + [Complex](repeating: .zero, count: reach.after)
    }

    /// Corrects the speed. The correction is far too small for the chips to move.
    mutating func turn(radiansPerSample: Double) {
        let middle = Double(template.count) / 2
        for i in template.indices {
            let angle = radiansPerSample * (Double(i) - middle)
            template[i] *= Complex(Float(cos(angle)), Float(sin(angle)))
        }
    }

    /// Returns a part of the template under a triangle that overlaps half of the next one; they add up to the
    /// template. The outer two do not fall off outwards.
    func piece(_ index: Int, of count: Int) -> [Complex] {
        guard count > 1 else { return template }
        let length = Double(end - first) / Double(count - 1)
        return template.indices.map { i in
            let distance = min(Double(i), Double(end - first)) / length - Double(index)
            return template[i] * Float(max(0, 1 - abs(distance)))
        }
    }

    /// Returns true if a report is of this frame, or of what is left of it.
    func isSource(of report: DecodeReport, start: Double) -> Bool {
        report.token == token && report.lane == lane
            && abs(start - self.start) < profile.durationSeconds * profile.band.rateHz
    }
}
