import Glibc
import Signal

/// The frames of a band that one channel has heard lately, each with its estimate in the sound, and the sound
/// without them: successive interference cancellation.
///
///     sound        ▁▄▄▄▄████▄▄▄▁
///     − loud frame  └──────┘
///     residual     ▁▁▁▁▁▂▂▂▂▂▂▂▁         in which a frame far below the loud one is found
///
/// Frames that overlap are estimated in turn, each in the sound without the others (Gauss–Seidel).
struct FrameCanceller: Sendable {
    /// The page and the C library do without: the page has no room for this code.
    #if hasFeature(Embedded)
        static var isOffered: Bool { false }
    #else
        static var isOffered: Bool { true }
    #endif

    private static let sweeps = 2
    /// The blocks of a frame whose gains show how wrong its speed is.
    private static let blockCount = 8
    /// The times that a speed is corrected.
    private static let turns = 2
    /// The pieces in which a moving frame is estimated, and how often each is, in turn. With four pieces a
    /// sender in the hand, 18 dB over another one, hides it in 11 of 12 trials, with six in 5.
    private static let pieceCount = 6
    private static let piecePasses = 3

    private let band: Band
    private var fit: PathFit
    /// The frames, in the order in which they were noted, each once.
    private(set) var frames: [HeardFrame] = []
    /// The makers of templates, made when a profile is first heard.
    private var makers: [(profile: DSSSProfile, maker: FrameTemplate)] = []

    init(band: Band) {
        self.band = band
        fit = PathFit(band: band)
    }

    /// Notes a frame that was heard, unless it ended before `oldest`, the first sample that is still kept.
    /// The first frame of a combination may have.
    ///
    /// - Parameter skippedSamples: the skipped samples, at 48 kHz, that positions of the baseband do not
    ///   count.
    mutating func note(_ report: DecodeReport, skippedSamples: Int64, after oldest: SamplePosition) {
        guard case .dsss(let profile) = report.profile.kind else { return }
        let start = FrameClock(profile: profile, skippedSamples: skippedSamples).start(of: report)
        guard !frames.contains(where: { $0.isSource(of: report, start: start) }),
            let frame = HeardFrame(report, profile, start: start, reach: fit.reach, maker(profile)),
            frame.end > oldest
        else { return }
        frames.append(frame)
    }

    private mutating func maker(_ profile: DSSSProfile) -> FrameTemplate {
        if let known = makers.first(where: { $0.profile == profile }) { return known.maker }
        makers.append((profile, FrameTemplate(profile: profile)))
        return makers.last!.maker
    }

    /// Returns the frames that end before `position` and about which no search was made yet. One is made now.
    mutating func takeDue(before position: SamplePosition) -> [HeardFrame] {
        let due = frames.indices.filter { !frames[$0].isSearched && frames[$0].end < position }
        for index in due { frames[index].isSearched = true }
        return due.map { frames[$0] }
    }

    /// The first sample of the frames about which no search was made yet.
    var oldestUnsearched: SamplePosition {
        var oldest = SamplePosition.max
        for index in frames.indices where !frames[index].isSearched {
            oldest = min(oldest, frames[index].first)
        }
        return oldest
    }

    /// Drops the frames that end before `position`.
    mutating func drop(before position: SamplePosition) {
        frames.removeAll { $0.isSearched && $0.span.upperBound < position }
    }

    /// Estimates the frames that have none yet, and those that overlap them. Returns the sound to take the
    /// frames of `range` out of: that before the guards, if less is left of it. They take a loud frame in a
    /// room partly for bangs and tones.
    mutating func estimate(
        in guarded: BasebandWindow, _ unguarded: BasebandWindow, for range: Range<SamplePosition>
    ) -> BasebandWindow {
        let known = guarded.start..<min(guarded.end, unguarded.end)
        let fresh = frames.indices.filter {
            !frames[$0].isEstimated && frames[$0].span.clamped(to: known) == frames[$0].span
        }
        var other = self
        estimate(fresh, in: guarded)
        if guarded.isEqual(to: unguarded, in: range) { return guarded }
        other.estimate(fresh, in: unguarded)
        if left(of: guarded, range) <= other.left(of: unguarded, range) { return guarded }
        self = other
        return unguarded
    }

    /// Returns the mean power of what is left of a sound.
    private func left(of baseband: BasebandWindow, _ range: Range<SamplePosition>) -> Float {
        FrameCanceller.meanPower(residual(of: baseband, range))
    }

    private mutating func estimate(_ fresh: [Int], in baseband: BasebandWindow) {
        for index in fresh.sorted(by: { frames[$0].snrDecibels > frames[$1].snrDecibels }) {
            estimateFirst(index, baseband)
        }
        let touched = frames.indices.filter { index in
            frames[index].isEstimated && frames[index].first >= baseband.start
                && fresh.contains { frames[$0].span.overlaps(frames[index].span) }
        }
        guard touched.count > 1 else { return }
        for _ in 0..<FrameCanceller.sweeps { for index in touched { improve(index, baseband) } }
    }

    /// Returns the sound without the frames, but for the one at `kept`.
    func residual(
        of baseband: BasebandWindow, _ range: Range<SamplePosition>, keeping kept: Int? = nil
    ) -> [Complex] {
        var sound = [Complex](repeating: .zero, count: range.count)
        sound.withUnsafeMutableBufferPointer {
            baseband.copy(from: range.lowerBound, count: range.count, to: $0.baseAddress!)
        }
        for index in frames.indices where index != kept && frames[index].isEstimated {
            let common = frames[index].span.clamped(to: range)
            guard !common.isEmpty else { continue }
            let (from, to) = (common.lowerBound - frames[index].first, common.lowerBound - range.lowerBound)
            for i in 0..<common.count { sound[to + i] = sound[to + i] - frames[index].estimate[from + i] }
        }
        return sound
    }

    /// Estimates a frame, corrects its speed, and finds out whether it moves.
    private mutating func estimateFirst(_ index: Int, _ baseband: BasebandWindow) {
        let sound = residual(of: baseband, frames[index].span, keeping: index)
        var noisePower = FrameCanceller.meanPower(sound)
        for turn in 0...FrameCanceller.turns {
            let estimate = fit.estimate(frames[index].template, in: sound, noisePower: noisePower)
            frames[index].estimate = estimate
            let gains = BlockGains(of: estimate, in: sound, blockCount: FrameCanceller.blockCount)
            noisePower = gains.residualPower
            if turn < FrameCanceller.turns { frames[index].turn(radiansPerSample: gains.radiansPerSample) }
        }
        let left = zip(sound, frames[index].estimate).map { $0 - $1 }
        frames[index].isMoving =
            fit.change(of: frames[index].template, in: left) > Thresholds.dsss.movingChange
        improve(index, baseband)
    }

    /// Estimates a frame once more, in the sound without the others.
    private mutating func improve(_ index: Int, _ baseband: BasebandWindow) {
        let frame = frames[index]
        var sound = residual(of: baseband, frame.span)
        let noisePower = FrameCanceller.meanPower(sound)
        for i in sound.indices { sound[i] += frame.estimate[i] }
        let pieces = frame.isMoving ? FrameCanceller.pieceCount : 1
        let templates = (0..<pieces).map { frame.piece($0, of: pieces) }
        let silence = [Complex](repeating: .zero, count: sound.count)
        var (left, estimates) = (sound, [[Complex]](repeating: silence, count: pieces))
        for _ in 0..<(pieces > 1 ? FrameCanceller.piecePasses : 1) {
            for piece in 0..<pieces {
                for i in left.indices { left[i] += estimates[piece][i] }
                estimates[piece] = fit.estimate(templates[piece], in: left, noisePower: noisePower)
                for i in left.indices { left[i] = left[i] - estimates[piece][i] }
            }
        }
        frames[index].estimate = zip(sound, left).map { $0 - $1 }
    }

    private static func meanPower(_ sound: [Complex]) -> Float {
        Kernels.energy(sound[...]) / Float(max(sound.count, 1))
    }
}
